"""Figures for Prometheus, in its text format. Counting is adding to a plain number; a scrape does the rest."""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path

PREFIX = "stationmaster"
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)  # seconds


class Metrics:
    """What a server counts. The busy paths add to the numbers themselves."""

    def __init__(self) -> None:
        self.started = time.time()
        self.requests: Counter[tuple[str, str, int]] = Counter()  # by method, route and status
        self.refusals: Counter[str] = Counter()  # by code
        self.frames_in = 0
        self.frames_out = 0
        self.bytes_out = 0
        self.connections = 0  # open now
        self.connected = 0  # ever
        self.dropped = 0  # clients too slow to be told
        self.buckets = [0] * (len(BOUNDS) + 1)
        self.seconds = 0.0

    def took(self, seconds: float) -> None:
        """A command was done in so many seconds, from its frame to its answer."""
        self.seconds += seconds
        for number, bound in enumerate(BOUNDS):
            if seconds <= bound:
                self.buckets[number] += 1
                return
        self.buckets[-1] += 1

    def text(self) -> str:
        """Everything, as Prometheus reads it."""
        lines: list[str] = []

        def told(name: str, kind: str, about: str, *samples: tuple[str, float]) -> None:
            lines.append(f"# HELP {PREFIX}_{name} {about}")
            lines.append(f"# TYPE {PREFIX}_{name} {kind}")
            lines.extend(f"{PREFIX}_{name}{labels} {value:.17g}" for labels, value in samples)

        told(
            "http_requests_total",
            "counter",
            "Requests over HTTP.",
            *(
                (labelled(method=method, route=route, status=str(status)), count)
                for (method, route, status), count in sorted(self.requests.items())
            ),
        )
        told(
            "refusals_total",
            "counter",
            "What was refused, by code.",
            *((labelled(code=code), count) for code, count in sorted(self.refusals.items())),
        )
        told("frames_in_total", "counter", "Frames from clients.", ("", self.frames_in))
        told("frames_out_total", "counter", "Frames to clients.", ("", self.frames_out))
        told("bytes_out_total", "counter", "Bytes in frames to clients.", ("", self.bytes_out))
        told("connections", "gauge", "Connections that are open.", ("", self.connections))
        told("connections_total", "counter", "Connections ever opened.", ("", self.connected))
        told("dropped_total", "counter", "Clients dropped because they were too slow.", ("", self.dropped))
        name, below = f"{PREFIX}_command_seconds", 0
        lines.append(f"# HELP {name} From a client's frame to its answer.")
        lines.append(f"# TYPE {name} histogram")
        for bound, count in zip((*BOUNDS, float("inf")), self.buckets, strict=True):
            below += count
            lines.append(f"{name}_bucket{labelled(le='+Inf' if bound == float('inf') else f'{bound:g}')} {below}")
        lines.append(f"{name}_sum {self.seconds:.17g}")
        lines.append(f"{name}_count {below}")
        told("start_time_seconds", "gauge", "When the server started.", ("", self.started))
        told("cpu_seconds_total", "counter", "Processor time used.", ("", time.process_time()))
        memory = resident_bytes()
        if memory is not None:
            told("resident_bytes", "gauge", "Memory in use.", ("", memory))
        return "\n".join(lines) + "\n"


def labelled(**labels: str) -> str:
    """The labels of a sample."""
    escaped = {
        name: text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n") for name, text in labels.items()
    }
    return "{" + ",".join(f'{name}="{text}"' for name, text in escaped.items()) + "}"


def resident_bytes() -> int | None:
    """The memory that this process uses, where the system tells it."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError, ValueError, IndexError):
        return None
