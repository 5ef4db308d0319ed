"""Run the numerical tests as other machines would run them, and compare bytes among these.

    python .ci/machines.py [--list] [--only WORD] [--jobs N] [--into FOLDER]
    python .ci/machines.py --find 3.11|newest

A pass is a Python with its packages, a kernel of OpenBLAS, a number of its threads, and numpy with
or without its processor-specific code. Between the passes every setting takes every value that
this machine can show; each pass runs tests and `.ci/bytes.py`. What was promised to be identical
is compared with the first pass byte by byte, tables of numbers to 1e-9 relative. The end is an
error if a test failed or anything differed.

`make venv-lowest venv-newest` makes the environments of the passes "lowest versions" and "newest
Python". A pass whose environment is missing is an error, not left out; one whose processor is not
here is named as left out, and where no newer Python is installed, its pass has that of `make test`.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WITHIN = 1e-9
"""Relative and absolute difference that numbers of two machines may have."""
KERNELS = ("tests/psychometrics",)
"""Tests of a pass that differs in linear algebra alone."""
PACKAGES = ("tests/psychometrics", "tests/scoring", "tests/items", "tests/imaging")
"""Tests of a pass that differs in Python or in the versions of packages."""
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
VERSIONS = ("3.14", "3.13", "3.12")
"""Versions of Python above the lowest supported one, newest first."""
PLAIN = "without"
"""Value of `Pass.simd` for numpy without its processor-specific code."""


@dataclass(frozen=True)
class Pass:
    """One way in which machines differ.

    Parameters
    ----------
    name : str
        Heading.
    venv : str
        Folder of the virtual environment.
    kernel : str
        Kernel of OpenBLAS; "" for the one that it chooses.
    threads : int
        Threads of OpenBLAS.
    simd : str
        "without" for numpy without its processor-specific code, else "".
    hash_seed : int
        `PYTHONHASHSEED`.
    needs : str
        Flag of the processor (as Linux names it) without which the pass is left out.
    tests : tuple of str
        Folders of tests.
    """

    name: str
    venv: str = ".venv"
    kernel: str = ""
    threads: int = 1
    simd: str = ""
    hash_seed: int = 0
    needs: str = ""
    tests: tuple[str, ...] = field(default=KERNELS)

    @property
    def python(self) -> Path:
        """Return the interpreter of the pass; that of `make test` where there is no newer one."""
        here = ROOT / (".venv" if self.without_newest else self.venv)
        return here / "bin" / "python"

    @property
    def without_newest(self) -> str:
        """Return why the environment of the newest Python is missing; "" if it is there."""
        reason = ROOT / self.venv / ".none"
        return reason.read_text("utf-8").strip() if reason.exists() else ""


PASSES = (
    Pass(
        "newest Python, kernel Haswell, two threads",
        venv=".venv-newest",
        kernel="Haswell",
        threads=2,
        needs="avx2",
        tests=PACKAGES,
    ),
    Pass(
        "lowest versions, kernel Nehalem, numpy without its processor-specific code",
        venv=".venv-lowest",
        kernel="Nehalem",
        simd=PLAIN,
        hash_seed=1,
        needs="sse4_2",
        tests=PACKAGES,
    ),
    Pass("kernel Zen", kernel="Zen", hash_seed=2, needs="avx2"),
    Pass(
        "kernel SkylakeX, two threads", kernel="SkylakeX", threads=2, hash_seed=3, needs="avx512f"
    ),
)
"""Each setting takes every value once or more, in as few passes as that needs: minutes count."""


def environment(one: Pass) -> dict[str, str]:
    """Return the variables of a pass."""
    inherited = ("OPENBLAS_", "PYTHON", "NPY_")
    found = {key: value for key, value in os.environ.items() if not key.startswith(inherited)}
    found |= dict.fromkeys(THREADS, str(one.threads))
    # With CI set, hypothesis draws the same examples in every pass.
    found |= {"PYTHONHASHSEED": str(one.hash_seed), "CI": "true"}
    if one.kernel:
        found["OPENBLAS_CORETYPE"] = one.kernel
    if one.simd == PLAIN:
        found["NPY_DISABLE_CPU_FEATURES"] = " ".join(processor_features(one.python))
    return found


def processor_features(python: Path) -> list[str]:
    """Return the features that this numpy chooses by the processor, and that are here.

    Their names differ between versions of numpy, which warns of a name that it does not have or
    that the processor has not.
    """
    code = (
        "import json, numpy; "
        "print(json.dumps(numpy.show_config(mode='dicts')['SIMD Extensions'].get('found', [])))"
    )
    found = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(found.stdout)


def processor_flags() -> set[str]:
    """Return the flags of the processor; none on systems that do not list them."""
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return set()
    return {flag for line in text.splitlines() if line.startswith("flags") for flag in line.split()}


def left_out(one: Pass) -> str:
    """Return why a pass cannot run here; "" if it can."""
    if one.needs and one.needs not in processor_flags():
        return f"this processor has no {one.needs}"
    return ""


def run_tests(one: Pass, jobs: int) -> bool:
    """Run the tests of a pass; return True if all pass."""
    command = [one.python, "-m", "pytest", "-q", "-n", str(jobs), "-m", "not slow",
               "-p", "no:cacheprovider", "--no-header", *one.tests]  # fmt: skip
    return subprocess.run(command, cwd=ROOT, env=environment(one), check=False).returncode == 0


def make_bytes(one: Pass, into: Path) -> bool:
    """Make the contents of a pass in a folder; return True if that worked."""
    command = [one.python, ".ci/bytes.py", "--into", into]
    done = subprocess.run(
        command, cwd=ROOT, env=environment(one), stdout=subprocess.DEVNULL, check=False
    )
    return done.returncode == 0


def differences(first: Path, second: Path) -> Iterator[str]:
    """Yield a sentence for each kind of content in which two folders differ."""
    digests = [
        json.loads((folder / "digests.json").read_text("utf-8")) for folder in (first, second)
    ]
    for kind in sorted({*digests[0], *digests[1]}):
        if digests[0].get(kind) != digests[1].get(kind):
            yield f"{kind}: other bytes"
    names = {path.name for folder in (first, second) for path in (folder / "numbers").glob("*.csv")}
    for name in sorted(names):
        tables = [folder / "numbers" / name for folder in (first, second)]
        if not all(table.exists() for table in tables):
            yield f"numbers/{name}: only one of the two has it"
        elif found := first_difference(*map(read_table, tables)):
            yield f"numbers/{name}: {found}"


def read_table(path: Path) -> list[list[str]]:
    """Return the cells of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def first_difference(one: Sequence[Sequence[str]], two: Sequence[Sequence[str]]) -> str:
    """Describe the first cell in which two tables differ by more than rounding; "" if none does."""
    if [len(row) for row in one] != [len(row) for row in two]:
        return f"{len(one)} rows and {len(two)} rows, or other columns"
    for number, (ours, theirs) in enumerate(zip(one, two, strict=True)):
        for a, b in zip(ours, theirs, strict=True):
            if a != b and not is_close(a, b):
                return f"row {number} has {a!r} and {b!r}"
    return ""


def is_close(one: str, two: str) -> bool:
    """Return True if two cells are numbers that differ by no more than rounding."""
    try:
        return math.isclose(float(one), float(two), rel_tol=WITHIN, abs_tol=WITHIN)
    except ValueError:
        return False


def describe(one: Pass) -> str:
    """Return the settings of a pass in words."""
    code = (
        "import platform, numpy, scipy, pandas; "
        "print('Python', platform.python_version(), '| numpy', numpy.__version__, "
        "'| scipy', scipy.__version__, '| pandas', pandas.__version__)"
    )
    packages = subprocess.run(
        [one.python, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    kernel = one.kernel or "of this processor"
    return f"{packages} | kernel {kernel} | threads {one.threads} | hash seed {one.hash_seed}"


def run_pass(one: Pass, folder: Path, first: Path | None, jobs: int) -> list[str]:
    """Run one pass, its bytes in `folder`, and return what is wrong, a sentence each."""
    if not one.python.exists():
        return [f"{one.venv} is missing; run make set-up venv-lowest venv-newest"]
    print(describe(one), flush=True)
    if one.without_newest:
        print(f"{one.without_newest}: this pass has the Python of make test", flush=True)
    wrong = [] if run_tests(one, jobs) else ["tests failed"]
    if not make_bytes(one, folder):
        return [*wrong, "bytes.py failed"]
    return wrong if first is None else [*wrong, *differences(first, folder)]


def find_python(version: str) -> str:
    """Return an interpreter of a version ("3.11"), or of the newest of `VERSIONS`; "" if none is.

    Looked at are the folders on PATH and those of pyenv. What cannot start is passed over: pyenv
    has a name on PATH for each version that any folder uses.
    """
    wanted = VERSIONS if version == "newest" else (version,)
    for number in wanted:
        roots = sorted((Path.home() / ".pyenv" / "versions").glob(f"{number}.*"), reverse=True)
        named = [str(root / "bin" / f"python{number}") for root in roots]
        for command in (shutil.which(f"python{number}"), *named):
            if command and starts(command, number):
                return command
    return ""


def starts(command: str, number: str) -> bool:
    """Return True if a command is an interpreter of this version that can make environments."""
    code = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([command, "-c", code], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return done.returncode == 0 and done.stdout.strip() == number


def main(passes: Sequence[Pass] = PASSES) -> None:
    """Run all passes, print a table of them, and end with an error if one failed."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--list", action="store_true", help="print the passes and end")
    parser.add_argument("--only", default="", help="run the passes whose name holds this word")
    parser.add_argument("--jobs", type=int, default=2, help="processes of tests (default 2)")
    parser.add_argument("--into", type=Path, help="folder that keeps the bytes of every pass")
    parser.add_argument("--find", help="print where a Python is (3.11, or newest) and end")
    options = parser.parse_args()
    if options.find:
        print(find_python(options.find))
        return
    chosen = [one for one in passes if options.only.casefold() in one.name.casefold()]
    if options.list:
        for one in chosen:
            print(f"{one.name}: {left_out(one) or 'runs here'}")
        return
    results: list[tuple[str, str, float, list[str]]] = []
    with tempfile.TemporaryDirectory() as temporary:
        kept: Path = options.into or Path(temporary)
        first: Path | None = None
        for number, one in enumerate(chosen, 1):
            print(f"\n=== {number} of {len(chosen)}: {one.name}", flush=True)
            if reason := left_out(one):
                print(f"left out: {reason}", flush=True)
                results.append((one.name, "left out", 0.0, []))
                continue
            began = time.monotonic()
            folder = kept / one.name.replace(" ", "-").replace(",", "")
            wrong = run_pass(one, folder, first, options.jobs)
            first = first or (folder if (folder / "digests.json").exists() else None)
            for sentence in wrong:
                print(f"FAILED: {sentence}", flush=True)
            seconds = time.monotonic() - began
            results.append((one.name, "failed" if wrong else "passed", seconds, wrong))
    print()
    for name, state, seconds, _ in results:
        print(f"{state:8} {seconds:6.0f} s  {name}")
    if failed := [name for name, state, _, _ in results if state == "failed"]:
        sys.exit(f"{len(failed)} of {len(results)} passes failed: {'; '.join(failed)}")
    if not any(state == "passed" for _, state, _, _ in results):
        sys.exit("no pass ran")


if __name__ == "__main__":
    main()
