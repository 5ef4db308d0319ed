"""Which tests can `make test` leave to continuous integration, since quicker ones run all they run?

All tests that are not slow run once, in processes of pytest-xdist; for every test function its
processor time (with that of the processes that it waits for) and the lines of the package that it
runs are noted. `make test` keeps

- the functions whose cases together take less than `--cheap` seconds,
- those of the files of recorded results, so that every recorded digit stays,
- of the others, in the order of new lines per second, as many as run all lines that any test runs,
- of a file that has none of these, the cheapest.

The others get the mark `thorough`; a function that is kept loses it. Lines that only forked
processes run are not seen; tests that start some are chosen by their other lines.

Needs coverage (`pip install coverage`), which is no dependency of the project.

    python .ci/thorough.py measure measured/
    python .ci/thorough.py mark measured/
"""

from __future__ import annotations

import argparse
import ast
import os
import sqlite3
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage  # pyright: ignore[reportMissingImports]
from coverage.numbits import numbits_to_nums  # pyright: ignore[reportMissingImports]

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "gfactor"
FOLDER = "GFACTOR_MEASURED"
"""Environment variable: the folder of the measurements, for the processes that run tests."""

MARK = "@pytest.mark.thorough"
RECORDED = "recorded"
"""What the names of files have that test recorded results."""

Lines = frozenset[tuple[str, int]]


# ---- Measuring, as a plug-in of pytest in each process of tests.


class _Notes:
    """The measurement of one process."""

    def __init__(self, folder: Path) -> None:
        name = str(os.getpid())
        self.coverage = Coverage(
            data_file=folder / f"lines.{name}", source=[str(PACKAGE)], config_file=False
        )
        self.seconds = Counter[str]()
        self.file = folder / f"seconds.{name}"
        self.coverage.start()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note time and lines of one test, its fixtures with it."""
        function = item.nodeid.partition("[")[0]
        self.coverage.switch_context(function)
        begun = _processor_seconds()
        yield
        self.seconds[function] += _processor_seconds() - begun
        self.coverage.switch_context("")

    def pytest_unconfigure(self) -> None:
        """Write the notes."""
        self.coverage.stop()
        self.coverage.save()
        rows = (f"{name}\t{seconds:.3f}\n" for name, seconds in self.seconds.items())
        self.file.write_text("".join(rows), "utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Measure in the processes that run tests, not in the one that distributes them."""
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(_Notes(Path(os.environ[FOLDER])), "thorough-notes")


def _processor_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def measure(folder: Path, jobs: int) -> int:
    """Run all tests that are not slow; return pytest's exit status."""
    folder.mkdir(parents=True)
    paths = [str(ROOT / ".ci"), os.environ.get("PYTHONPATH", "")]
    settings = {
        **os.environ,
        FOLDER: str(folder.resolve()),
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
    }
    command = [
        *(sys.executable, "-m", "pytest", "-p", "thorough", "-n", str(jobs), "--dist", "loadfile"),
        *("--ignore=tests/models", "-m", "not slow"),
    ]
    return subprocess.run(command, cwd=ROOT, env=settings, check=False).returncode


# ---- Choosing.


@dataclass(frozen=True)
class Measured:
    """What was measured of every test function.

    Parameters
    ----------
    seconds : mapping of str to float
        Processor time of all its cases, by `FILE::NAME`.
    lines : mapping of str to frozenset
        Lines of the package that it runs; at "" those that run outside of tests.
    """

    seconds: Mapping[str, float]
    lines: Mapping[str, Lines]


def read(folder: Path) -> Measured:
    """Read the notes of all processes."""
    seconds, lines = Counter[str](), defaultdict[str, set[tuple[str, int]]](set)
    for path in sorted(folder.glob("seconds.*")):
        for row in path.read_text("utf-8").splitlines():
            name, _, time = row.rpartition("\t")
            seconds[name] += float(time)
    query = (
        "select file.path, context.context, numbits from line_bits"
        " join file on file.id = file_id join context on context.id = context_id"
    )
    for path in sorted(folder.glob("lines.*")):
        with sqlite3.connect(path) as notes:
            for file, function, bits in notes.execute(query):
                lines[function].update((file, line) for line in numbits_to_nums(bits))
    return Measured(dict(seconds), {name: frozenset(found) for name, found in lines.items()})


def chosen(measured: Measured, cheap: float) -> set[str]:
    """Return the test functions that `make test` keeps."""
    seconds, lines = measured.seconds, measured.lines
    kept = {name for name in seconds if seconds[name] < cheap or RECORDED in _file(name).name}
    run = set(lines.get("", ()))
    run.update(*(lines.get(name, ()) for name in kept))
    new = {name: set(lines.get(name, ())) - run for name in sorted(seconds.keys() - kept)}
    while best := max(new, key=lambda name: len(new[name]) / seconds[name], default=None):
        added = new.pop(best)
        if not added:
            break
        kept.add(best)
        for more in new.values():
            more.difference_update(added)
    by_file = defaultdict[Path, list[str]](list)
    for name in seconds:
        by_file[_file(name)].append(name)
    for names in by_file.values():
        if kept.isdisjoint(names):
            kept.add(min(names, key=lambda name: seconds[name]))
    return kept


def _file(name: str) -> Path:
    return ROOT / name.partition("::")[0]


# ---- Marking.


def marked(text: str, left: set[str]) -> str:
    """Return the source of a file of tests in which just the functions `left` are marked."""
    rows = [row for row in text.splitlines(keepends=True) if row.strip() != MARK]
    functions = [
        node
        for node in ast.parse("".join(rows)).body
        if isinstance(node, ast.FunctionDef) and node.name in left
    ]
    for node in reversed(functions):
        first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
        rows.insert(first - 1, f"{MARK}\n")
    if functions and "import pytest\n" not in rows:
        rows.insert(_after_imports(rows), "import pytest\n")
    return "".join(rows)


def _after_imports(rows: list[str]) -> int:
    """Return the index of the row behind the last import; ruff puts the new one in order."""
    imports = [
        n for n in ast.parse("".join(rows)).body if isinstance(n, ast.Import | ast.ImportFrom)
    ]
    return imports[-1].end_lineno or 0


def mark(folder: Path, cheap: float) -> None:
    """Set and remove the marks in all files of tests, and say what `make test` keeps."""
    measured = read(folder)
    kept = chosen(measured, cheap)
    left = defaultdict[Path, set[str]](set)
    for name in measured.seconds:
        left[_file(name)].update(set() if name in kept else {name.rpartition("::")[2]})
    for path, names in left.items():
        before = path.read_text("utf-8")
        after = marked(before, names)
        if after != before:
            path.write_text(after, "utf-8")
            fix = ["ruff", "check", "--quiet", "--select", "I", "--fix", str(path)]
            subprocess.run([sys.executable, "-m", *fix], cwd=ROOT, check=True)
    total = sum(measured.seconds.values())
    of_kept = sum(measured.seconds[name] for name in kept)
    print(
        f"{len(kept)} of {len(measured.seconds)} test functions stay in `make test`: "
        f"{of_kept:.0f} of {total:.0f} seconds of processor time."
    )


def main() -> Any:
    """Measure or mark, as the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("step", choices=("measure", "mark"))
    parser.add_argument("folder", type=Path, help="folder of the measurements")
    parser.add_argument("--jobs", type=int, default=3, help="processes of tests")
    parser.add_argument("--cheap", type=float, default=0.15, help="seconds of a test that stays")
    given = parser.parse_args()
    if given.step == "measure":
        return measure(given.folder, given.jobs)
    mark(given.folder, given.cheap)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
