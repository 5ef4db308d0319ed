"""Which test catches a changed constant? One is drawn in each of ten rooms, with a seed.

A constant is a number or a comparison of numbers in a function, in its defaults or in a constant
of a module; what `mutation.skipped` lists is left out (annotations, fields of classes, errors).
The places of a room, in order of module, line and column, are shuffled with the seed and the
room's name; the first one is drawn. A whole number grows by one, another number by a tenth (0 to
0.1), and a comparison takes or loses its end (`<` and `<=`, `>` and `>=`, `==` and `!=`).
A constant that changes no result (the tolerance of a search, the size of a chunk) stands in
`NO_RESULT` with its reason, and the next place is drawn in its stead; the table names it.

The change is made in a copy of `src/`, against which the fast tests of the room run (those of
`make test`) until one fails: first the files that name the module, then those that name its
functions and classes, the rest of the room, and, with `--everywhere`, all other tests. The test
that failed must pass without the change. Nothing is written but the table.

    python benchmarks/constants.py --seed 28 --write docs/evidence/benchmarks.md
    python benchmarks/constants.py --seed 28 --rooms imaging items --list
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mutation import Place, skipped
from pages import replace_section

ROOT = Path(__file__).resolve().parents[1]
# Rooms of the sources, and where their tests stand.
ROOMS: dict[str, tuple[str, ...]] = {
    "psychometrics": ("tests/psychometrics",),
    "imaging": ("tests/imaging", "tests/percept_v", "tests/benchmarks/chc"),
    "items": ("tests/items",),
    "benchmarks": ("tests/benchmarks", "tests/percept_v"),
    "examinees": ("tests/examinees", "tests/percept_v", "tests/benchmarks/chc"),
    "administration": ("tests/administration",),
    "scoring": ("tests/scoring",),
    "replications": ("tests/psychometrics/gia", "tests/cli"),
    "reports": ("tests/reports",),
    "studies": ("tests/studies",),
}
COMPARED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
}  # fmt: skip
# (module, the changed line) of constants that were drawn and change no result, and why.
NO_RESULT = {
    (
        "src/gfactor/reports/drawing/path_layout.py",
        "down = 0.25 * (1 if source.y >= target.y else -1)",
    ): "two boxes of one column never stand at the same height",
    (
        "src/gfactor/psychometrics/sem/optimize/starts.py",
        "if s.q >= s.n_true_latent:",
    ): "without observed variables that act as latent ones the function it guards sets nothing",
    (
        "src/gfactor/imaging/masks.py",
        "side = max(4, width // 20 + wide % max(2, width // 5))",
    ): "in a picture of less than 10 pixels the remainder stays below the least side",
}
TITLE = "One constant in each of ten rooms"


@dataclass(frozen=True)
class Change:
    """A place of the code and the text that takes its place.

    Parameters
    ----------
    path: the module, in the checkout.
    start, end: the first place and the place after the last, as line and byte of the line.
    text: what stands there afterwards.
    """

    path: str
    start: Place
    end: Place
    text: str

    def source(self) -> str:
        """Return the changed module."""
        lines = (ROOT / self.path).read_bytes().splitlines(keepends=True)
        (first, left), (last, right) = self.start, self.end
        before, after = lines[first - 1][:left], lines[last - 1][right:]
        lines[first - 1 : last] = [before + self.text.encode() + after]
        return b"".join(lines).decode()

    def lines(self) -> tuple[str, str]:
        """Return the first line of the place, as it is and changed."""
        old, new = (ROOT / self.path).read_text("utf-8").splitlines(), self.source().splitlines()
        return old[self.start[0] - 1].strip(), new[self.start[0] - 1].strip()


def other_number(value: float) -> str:
    """Return a number that is near: a whole one plus one, another one plus a tenth."""
    if isinstance(value, int):
        return str(value + 1)
    return repr(value * 1.1) if value else "0.1"


def changes(path: str) -> Iterator[Change]:
    """Yield one change for every number and comparison of a module."""
    source = (ROOT / path).read_text("utf-8")
    tree = ast.parse(source)
    left_out = list(skipped(tree))
    rows = source.encode().splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            start = node.lineno, node.col_offset
            end = node.end_lineno or node.lineno, node.end_col_offset or 0
            text = other_number(node.value)  # type: ignore[arg-type]
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
            left, right = node.left, node.comparators[0]
            start = left.end_lineno or 0, left.end_col_offset or 0
            end = right.lineno, right.col_offset
            between = rows[start[0] - 1][start[1] : end[1]].decode()
            signs = [sign for sign in ("<=", ">=", "==", "!=", "<", ">") if sign in between]
            if start[0] != end[0] or not signs:
                continue
            text = between.replace(signs[0], COMPARED[type(node.ops[0])], 1)
        else:
            continue
        if not any(low <= start < high for low, high in left_out):
            yield Change(path, start, end, text)


def drawn(room: str, seed: int) -> tuple[Change, list[Change]]:
    """Draw the change of a room; second those before it that change no result."""
    modules = sorted((ROOT / "src" / "gfactor" / room).rglob("*.py"))
    every = [
        change
        for module in modules
        for change in sorted(changes(str(module.relative_to(ROOT))), key=lambda c: (c.start, c.end))
    ]
    # `random.random` alone is promised to be the same in every version of Python.
    rng = random.Random(f"{room} {seed}")
    without = []
    while every:
        change = every.pop(int(rng.random() * len(every)))
        if (change.path, change.lines()[1]) not in NO_RESULT:
            return change, without
        without.append(change)
    raise SystemExit(f"every constant of {room} is listed as one that changes no result")


def in_turn(room: str, path: str, everywhere: bool) -> Iterator[list[str]]:
    """Yield lists of test files: those that name the module, its functions, and the rest."""
    module = ".".join(Path(path).relative_to("src").with_suffix("").parts)
    module = module.removesuffix(".__init__")
    stem = module.rpartition(".")[2]
    body = ast.parse((ROOT / path).read_text("utf-8")).body
    names = [n.name for n in body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    every = [p for p in sorted((ROOT / "tests").rglob("test_*.py")) if "models" not in p.parts]
    texts = {str(p.relative_to(ROOT)): p.read_text("utf-8") for p in every}
    left = [name for name in texts if name.startswith(tuple(f"{f}/" for f in ROOMS[room]))]
    others = [name for name in texts if name not in left] if everywhere else []
    for words in ([re.escape(module)], names, [stem]):
        sought = re.compile(rf"\b({'|'.join(words)})\b")
        naming = [name for name in left if words and sought.search(texts[name])]
        left = [name for name in left if name not in naming]
        yield from ([naming] if naming else [])
    yield from (files for files in (left, others) if files)


def first_failure(source: Path, files: Sequence[str], jobs: int) -> str:
    """Return the first test that fails with the sources in a folder, "" where all pass."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]
    slow = any(m.startswith("slow") for m in settings["ini_options"].get("markers", ()))
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=no", "-rfE"]
    command += ["-p", "no:cacheprovider", *(["-n", str(jobs)] if jobs > 1 else [])]
    command += ["-m", "not slow and not thorough"] if slow else []
    environment = {**os.environ, "CI": "1", "PYTHONPATH": f"{source}:{ROOT / 'tests'}"}
    ran = subprocess.run(
        [*command, *files], cwd=ROOT, env=environment, text=True, capture_output=True, check=False
    )
    if ran.returncode in (0, 5):  # 5: all tests of these files are slow.
        return ""
    failed = [row for row in ran.stdout.splitlines() if row.startswith(("FAILED ", "ERROR "))]
    if not failed:
        raise SystemExit(f"the tests did not run:\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    return failed[0].partition(" ")[2].partition(" - ")[0]


def caught_by(room: str, change: Change, everywhere: bool, jobs: int) -> str:
    """Return the test that fails with the change and passes without, "" where there is none."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / Path(change.path).relative_to("src")).write_text(change.source(), "utf-8")
        for files in in_turn(room, change.path, everywhere):
            print(f"  {len(files)} files of tests", flush=True)
            test = first_failure(copy, files, jobs)
            if test and first_failure(ROOT / "src", [test], 1):
                raise SystemExit(f"{test} fails without the change, too")
            if test:
                return test
    return ""


def cell(text: str) -> str:
    """Return a text as code in a cell of a table."""
    return f"`{text.replace('|', '&#124;')}`"


def row(room: str, change: Change, test: str) -> str:
    """Return the row of the table of one room."""
    old, new = change.lines()
    at = f"{Path(change.path).relative_to('src/gfactor')}:{change.start[0]}"
    catcher = cell(test.removeprefix("tests/")) if test else "**none**"
    return f"| {room} | {cell(at)} | {cell(old)} | {cell(new)} | {catcher} |"


def main() -> None:
    """Draw, try the changes, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True, help="seed of the draw")
    parser.add_argument("--rooms", nargs="+", choices=[*ROOMS], default=[*ROOMS])
    parser.add_argument("--list", action="store_true", help="only show what is drawn")
    parser.add_argument("--everywhere", action="store_true",
                        help="also run the tests of other rooms")  # fmt: skip
    parser.add_argument("--jobs", type=int, default=1, help="processes of pytest (default 1)")
    parser.add_argument("--write", type=Path, help="Markdown page with the table")
    given = parser.parse_args()
    rows, without = [], []
    for room in given.rooms:
        change, before = drawn(room, given.seed)
        without += before
        old, new = change.lines()
        print(f"{room} {change.path}:{change.start[0]}\n  - {old}\n  + {new}", flush=True)
        if not given.list:
            test = caught_by(room, change, given.everywhere, given.jobs)
            print(f"  caught by {test or 'no test'}", flush=True)
            rows.append(row(room, change, test))
    text = "\n".join([
        f"## {TITLE}", "",
        f"`python benchmarks/constants.py --seed {given.seed}`. In each room one number or one "
        "comparison was drawn with the seed and changed a little; the room's tests of `make test` "
        "ran until one failed.", "",
        "| room | place | as it is | changed | caught by |", "|---|---|---|---|---|", *rows, "",
    ])  # fmt: skip
    if without:
        text += "\nDrawn again, as they change no result:\n\n"
        for change in without:
            old, new = change.lines()
            at = f"{Path(change.path).relative_to('src/gfactor')}:{change.start[0]}"
            text += f"- {cell(at)}, {cell(old)} to {cell(new)}: {NO_RESULT[change.path, new]}.\n"
    print(text)
    if given.write and not given.list:
        replace_section(given.write, f"## {TITLE}", text)


if __name__ == "__main__":
    main()
