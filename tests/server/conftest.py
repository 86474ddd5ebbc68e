"""A server with generous limits, shared by the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.running import Running, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("server")) as found:
        yield found
