"""Where things are kept when nobody says where."""

from __future__ import annotations

import os
from pathlib import Path

from stationmaster.errors import StationmasterError


def data_folder() -> Path:
    """The folder of all that is kept: in XDG_DATA_HOME, or else in ~/.local/share."""
    given = os.environ.get("XDG_DATA_HOME", "")
    if given.startswith("/"):  # as the standard has it, anything else is ignored
        return Path(given, "stationmaster")
    try:
        home = Path.home()
    except RuntimeError:
        raise StationmasterError("there is no home directory to keep matches in; set XDG_DATA_HOME") from None
    return home / ".local" / "share" / "stationmaster"
