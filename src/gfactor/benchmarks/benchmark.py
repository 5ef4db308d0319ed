"""Benchmark: a test that can be built, and the registry of benchmarks.

A benchmark is a module or package in this folder (or of another package, through the entry-point
group `gfactor.benchmarks`) that registers one `Benchmark`: its description, its authors, and the
plan of its bank from options. Building, resuming and joining are the same for all
(`gfactor.items.building`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gfactor.benchmarks.findings import Hooks
from gfactor.items import BankPlan, Built, Item, Watch, build_bank
from gfactor.registry import Registry


@dataclass(frozen=True)
class Option:
    """An option of a benchmark's build, as the command line offers it.

    Parameters
    ----------
    name : str
        Keyword of the benchmark's `plan`, and `--name` with hyphens for underscores.
    default : str
        Default value as a user would type it.
    metavar : str
        Word that stands for the option's value ("N", "A,B").
    help : str
        One sentence.
    parse : callable
        Function that turns the typed text into the value, or raises ParameterError. A switch gets
        "on" or "off".
    typed : str
        Name after `--`, if it differs from `name` ("from").
    switch : bool
        True for an option without a value.

    Examples
    --------
    >>> from gfactor.benchmarks import Option
    >>> option = Option("skip_rows", "0", "N", "Rows to skip.", int)
    >>> option.flag, option.parse("3")
    ('--skip-rows', 3)
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
        """The option as it is typed: "--skip-invalid"."""
        return f"--{self.typed or self.name.replace('_', '-')}"


VECTOR = Option(
    "vector",
    "",
    "",
    "Write every picture also as SVG, into the folder STEM-svg beside the bank.",
    lambda text: text == "on",
    switch=True,
)
"""The option of benchmarks whose pictures the program draws."""


@dataclass(frozen=True)
class Benchmark:
    """A test that can be built.

    Parameters
    ----------
    name : str
        Name as a user types it ("percept-v").
    version : str
        Version of the generator or importer; part of every item's identity.
    description : str
        One line.
    license : str
        License of the bank that is built, as an SPDX identifier.
    citation : str
        The publication to cite.
    options : list of Option
        Options that `plan` takes.
    plan : callable
        Function that takes the options as keywords and returns the parts of a bank. It checks every
        option before any work and raises ParameterError or UnknownNameError.
    hooks : Hooks, optional
        Functions of `gfactor audit` beyond guessing and duplicates, if any.
    example : str
        The options that the help's example needs ("--from FOLDER").
    chance : callable, optional
        Function of domain and size that returns the accuracy of guessing if both are known; None if
        it is not known.
    format_sentences : callable, optional
        Function of an item that returns the sentences of its texts on how to write the answer.
        Models read these sentences; people, who answer in fields, do not.

    Examples
    --------
    >>> from gfactor.benchmarks import BENCHMARKS
    >>> [option.name for option in BENCHMARKS["percept-v"].options][:3]
    ['seed', 'edition', 'domains']
    """

    name: str
    version: str
    description: str
    license: str
    citation: str
    options: tuple[Option, ...]
    plan: Callable[..., BankPlan]
    hooks: Hooks | None = None
    example: str = ""
    chance: Callable[[str, float], float | None] | None = None
    format_sentences: Callable[[Item], Collection[str]] | None = None


BENCHMARKS: Registry[Benchmark] = Registry(
    "benchmark", home="gfactor.benchmarks", group="gfactor.benchmarks"
)


def register(benchmark: Benchmark) -> Benchmark:
    """Register a benchmark under its name; the last line of its module.

    Parameters
    ----------
    benchmark : Benchmark
        The benchmark.

    Returns
    -------
    Benchmark
        The same.

    Raises
    ------
    ValueError
        If a benchmark of this name is registered already.

    Examples
    --------
    >>> from gfactor.benchmarks import BENCHMARKS, register
    >>> register(BENCHMARKS["percept-v"])
    Traceback (most recent call last):
        ...
    ValueError: benchmark 'percept-v' is registered twice
    """
    return BENCHMARKS.add(benchmark.name, benchmark)


def build(
    name: str,
    path: Path | str,
    *,
    jobs: int = 1,
    watch: Watch[Path] | None = None,
    **options: Any,
) -> Built:
    """Build the bank of a benchmark, with its Croissant metadata next to it.

    Parameters
    ----------
    name : str
        A registered benchmark.
    path : path
        Parquet file to write. It appears under this name only when it is complete.
    jobs : int
        Number of parallel processes; the result does not depend on it.
    watch : Watch[Path], optional
        Function that shows progress over parts; see `gfactor.items.building.Watch`.
    **options : Any
        Options of the benchmark (for percept-v: seed, edition, domains, sizes, instances).

    Returns
    -------
    Built
        Result: path, numbers of items and images, digests.

    Raises
    ------
    UnknownNameError, ParameterError
        If the benchmark or an option is unknown or not valid; nothing is written then.

    Examples
    --------
    >>> from gfactor.benchmarks import build
    >>> build("percept-v", "pv.parquet", domains=["change_colour"], sizes=[1]).items
    10
    """
    texts = {key: str(one) if isinstance(one, Path) else one for key, one in options.items()}
    plan = BENCHMARKS[name].plan(**texts)
    return build_bank(plan, path, jobs=jobs, **({} if watch is None else {"watch": watch}))
