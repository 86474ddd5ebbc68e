"""Where results are kept: a folder with the job and with files of rows, each for some samples of one cell.

A file is complete or not there. Its name says what it holds, as ``0003-00000100-00000200.parquet``: cell 3, samples
100 to 199. So a run that was stopped goes on with what is missing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from stationmaster.errors import StationmasterError
from stationmaster.lab.frame import Frame, arrow, unpack
from stationmaster.lab.job import FORMAT, Job
from stationmaster.lab.work import Task

try:
    import fcntl
except ImportError:  # Windows: nothing keeps two runs out of one folder there
    fcntl = None  # type: ignore[assignment]

JOB = "job.json"
ROWS = "*-*-*.parquet"
TOGETHER = 4_000_000  # rows that are put into one file at the end


class Results:
    """A folder of results."""

    def __init__(self, folder: Path, job: Job) -> None:
        self.folder = folder
        self.job = job

    @classmethod
    def new(cls, folder: Path, job: Job) -> Results:
        """A folder for a job; what was there for a job before is taken away."""
        if folder.exists() and not (folder / JOB).exists() and any(folder.iterdir()):
            raise StationmasterError(f"{folder} holds something else; results go into a folder of their own")
        results = cls(folder, job)
        for part in results._parts():
            results._path(part).unlink()
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / JOB, msgspec.json.format(msgspec.json.encode(job), indent=1))
        return results

    @classmethod
    def read(cls, folder: Path) -> Results:
        """The results of a folder."""
        path = folder / JOB
        if not path.is_file():
            raise StationmasterError(f"{folder} has no results: there is no {JOB} in it")
        try:
            job = msgspec.json.decode(path.read_bytes(), type=Job)
        except msgspec.DecodeError as error:
            raise StationmasterError(f"{path} is not the job of results: {error}") from None
        if job.format != FORMAT:
            raise StationmasterError(f"{path} has format {job.format}, and this program knows {FORMAT}")
        return cls(folder, job)

    def begun(self) -> bool:
        """Whether anything was played."""
        return any(self._parts())

    def missing(self, cell: int, target: int) -> list[tuple[int, int]]:
        """What has yet to be played of samples 0 to ``target`` of a cell, as (first, last), the last not included."""
        gaps, at = [], 0
        for part in self._parts():
            if part.cell == cell:
                if part.first > at:
                    gaps.append((at, min(part.first, target)))
                at = part.last
        if at < target:
            gaps.append((at, target))
        return [(first, last) for first, last in gaps if first < last]

    def add(self, task: Task, made: Frame) -> None:
        """Keep what was played."""
        self._save(task, arrow(self.job, task.cell, made))

    def frames(self) -> Iterator[tuple[Task, Frame]]:
        """Everything kept, cell by cell and in order of the samples."""
        for part in self._parts():
            yield part, unpack(pq.read_table(self._path(part), partitioning=None))

    def sizes(self) -> dict[int, int]:
        """How many samples of each cell are kept."""
        sizes = dict.fromkeys(range(len(self.job.cells)), 0)
        for part in self._parts():
            sizes[part.cell] += part.last - part.first
        return sizes

    def rows(self) -> int:
        """How many rows are kept."""
        return sum(pq.read_metadata(self._path(part)).num_rows for part in self._parts())

    def files(self) -> list[str]:
        """All files of rows."""
        return [str(self._path(part)) for part in self._parts()]

    def tidy(self) -> None:
        """Put files that follow each other into one."""
        for run in self._runs():
            whole = Task(run[0].cell, run[0].first, run[-1].last)
            tables = [pq.read_table(self._path(part), partitioning=None) for part in run]
            self._save(whole, pa.concat_tables(tables).unify_dictionaries())
            for part in run:
                self._path(part).unlink()

    def _runs(self) -> Iterator[list[Task]]:
        run: list[Task] = []
        rows = 0
        for part in self._parts():
            count = pq.read_metadata(self._path(part)).num_rows
            if run and (part.cell != run[-1].cell or part.first != run[-1].last or rows + count > TOGETHER):
                if len(run) > 1:
                    yield run
                run, rows = [], 0
            run.append(part)
            rows += count
        if len(run) > 1:
            yield run

    def _parts(self) -> list[Task]:
        """The files there are; one that another holds too (a tidying that was cut short) does not count."""
        found = [Task(*map(int, path.stem.split("-"))) for path in self.folder.glob(ROWS)]
        found.sort(key=lambda part: (part.cell, part.first, -part.last))
        parts: list[Task] = []
        for part in found:
            if not parts or part.cell != parts[-1].cell or part.first >= parts[-1].last:
                parts.append(part)
        return parts

    def _path(self, part: Task) -> Path:
        return self.folder / f"{part.cell:04}-{part.first:08}-{part.last:08}.parquet"

    def _save(self, part: Task, table: pa.Table) -> None:
        path = self._path(part)
        made = path.with_suffix(".new")
        pq.write_table(table, made, compression="zstd")
        made.replace(path)


def default_folder(job: Job) -> Path:
    """Where results go if nobody says where: in XDG_DATA_HOME, or else in ~/.local/share."""
    given = os.environ.get("XDG_DATA_HOME", "")
    try:
        base = Path(given) if given.startswith("/") else Path.home() / ".local" / "share"
    except RuntimeError:
        raise StationmasterError("there is no home directory to keep results in; choose where with --save") from None
    return base / "stationmaster" / "lab" / f"{job.kind}-{job.key}"


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Refuse a folder that another run is just now filling."""
    if fcntl is None:
        yield
        return
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StationmasterError(
                f"another run is filling {folder} just now; let it end, or stop it first"
            ) from None
        yield


def _write(path: Path, content: bytes) -> None:
    made = path.with_suffix(".new")
    made.write_bytes(content)
    made.replace(path)
