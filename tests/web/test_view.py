"""What the web app computes, by its own tests: the view is held to frames of this server."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from web.frames import main

WEB = Path(__file__).parents[2] / "web"


@pytest.mark.skipif(not (WEB / "node_modules").is_dir(), reason="npm has installed nothing; see `make web`")
def test_what_the_app_computes(tmp_path: Path) -> None:
    frames = tmp_path / "frames.jsonl"
    main(frames)
    done = subprocess.run(
        [str(WEB / "npm"), "test", "--silent"],
        env=os.environ | {"FRAMES": str(frames), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
