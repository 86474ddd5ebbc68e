"""``stationmaster`` with a quicker heartbeat, for tests that wait until a dead node's people are no longer here."""

from __future__ import annotations

import sys

from stationmaster.cli import main
from stationmaster.server import hall

if __name__ == "__main__":
    hall.HEARTBEAT, hall.PRESENT = 300, 1_000
    sys.exit(main())
