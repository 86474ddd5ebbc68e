"""Counting bits, interpreted; ``bits.pxd`` gives the compiler its own instructions for the same."""

FULL = 0xFFFFFFFF  # every bit


def popcount(mask: int) -> int:
    """How many bits are set."""
    return mask.bit_count()


def lowest(mask: int) -> int:
    """The number of the lowest bit that is set."""
    return (mask & -mask).bit_length() - 1


def nth(mask: int, k: int) -> int:
    """The number of the k-th of the bits that are set, counted from 0 and from the lowest."""
    for _ in range(k):
        mask &= mask - 1
    return lowest(mask)
