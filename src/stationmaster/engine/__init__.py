"""The referee: tiles, moves, deals, rounds, and what a seat may know of them."""

from stationmaster.engine import core as _core

compiled: bool = _core.__file__.endswith((".so", ".pyd"))
"""Whether the core runs compiled; interpreted it plays by the same rules, far more slowly."""
