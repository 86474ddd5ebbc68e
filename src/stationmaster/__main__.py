"""``python -m stationmaster`` does what the command ``stationmaster`` does."""

import sys

from stationmaster.cli import main

if __name__ == "__main__":
    sys.exit(main())
