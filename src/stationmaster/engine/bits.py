"""Counting bits, interpreted; ``bits.pxd`` gives the compiler its own instructions for the same."""


def popcount(mask: int) -> int:
    """How many bits are set."""
    return mask.bit_count()


def lowest(mask: int) -> int:
    """The number of the lowest bit that is set."""
    return (mask & -mask).bit_length() - 1
