"""What a benchmark is, and the registry of benchmarks.

A benchmark is a module or package in this folder (or of another package, through the entry-point
group `gfactor.benchmarks`) that registers one `Benchmark`: what it is, whose it is, and how its
bank is planned from options. Building, resuming and joining are the same for all
(`gfactor.items.building`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gfactor.benchmarks.findings import Hooks
from gfactor.items import Built, Plan, Watch, build_bank
from gfactor.registry import Registry


@dataclass(frozen=True)
class Option:
    """An option of a benchmark's build, as the command line offers it.

    Parameters
    ----------
    name: keyword of the benchmark's `plan`, and `--name` with hyphens for underscores.
    default: as it would be typed.
    metavar: what is to be typed, in a word ("N", "A,B").
    help: one sentence.
    parse: typed text -> value; raises ParameterError. A switch is given "on" or "off".
    typed: what is typed behind `--` where that is another word than the name ("from").
    switch: whether it is typed alone, without a value.
    """

    name: str
    default: str
    metavar: str
    help: str
    parse: Callable[[str], Any]
    typed: str = ""
    switch: bool = False

    @property
    def flag(self) -> str:
        """As it is typed: "--skip-invalid"."""
        return f"--{self.typed or self.name.replace('_', '-')}"


@dataclass(frozen=True)
class Benchmark:
    """A test that can be built.

    Parameters
    ----------
    name: as it is typed ("percept-v").
    version: of the generator or importer; part of every item's identity.
    description: one line.
    license: of the bank that is built, as an SPDX identifier.
    citation: the publication to cite.
    options: what `plan` takes.
    plan: options as keywords -> the parts of a bank. Checks every option before any work and
        raises ParameterError or UnknownNameError.
    hooks: what `gfactor audit` can find out beyond guessing and duplicates, if anything.
    example: the options that the help's example needs ("--from FOLDER").
    chance: (domain, size) -> how often one who knows these guesses right; None where not known.
    """

    name: str
    version: str
    description: str
    license: str
    citation: str
    options: tuple[Option, ...]
    plan: Callable[..., Plan]
    hooks: Hooks | None = None
    example: str = ""
    chance: Callable[[str, float], float | None] | None = None


BENCHMARKS: Registry[Benchmark] = Registry(
    "benchmark", home="gfactor.benchmarks", group="gfactor.benchmarks"
)


def register(benchmark: Benchmark) -> Benchmark:
    """Register a benchmark under its name; the last line of its module."""
    return BENCHMARKS.add(benchmark.name, benchmark)


def build(
    name: str,
    path: Path | str,
    *,
    jobs: int = 1,
    watch: Watch[Path] | None = None,
    **options: Any,
) -> Built:
    """Build the bank of a benchmark, with its Croissant metadata beside it.

    Parameters
    ----------
    name: a registered benchmark.
    path: the Parquet file to write; it appears when it is whole.
    jobs: processes; the result does not depend on it.
    watch: shows progress over parts, as `gfactor.items.building.Watch` says.
    options: the benchmark's own (for percept-v: seed, edition, domains, sizes, instances).

    Raises UnknownNameError or ParameterError before any work.
    """
    plan = BENCHMARKS[name].plan(**options)
    return build_bank(plan, path, jobs=jobs, **({} if watch is None else {"watch": watch}))
