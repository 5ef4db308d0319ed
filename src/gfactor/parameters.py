"""Types of parameters: which values may be given, for functions and for the commands made of them.

A function names one in its signature (`seed: Seed = 0`). Type checkers and Python see the plain
number; the command line (`gfactor.cli.deriving`) refuses what is out of the range.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias


@dataclass(frozen=True)
class Range:
    """The numbers that a parameter may have.

    Parameters
    ----------
    least : float, optional
        The smallest number; None for no limit.
    most : float, optional
        The largest number; None for no limit.
    within : bool
        True if the limits themselves are not allowed.
    below : bool
        True if the largest number itself is not allowed.
    letter : str
        Letter or word that stands for the number in help texts.
    """

    least: float | None = None
    most: float | None = None
    within: bool = False
    below: bool = False
    letter: str = "N"


Seed: TypeAlias = Annotated[int, Range(0, 2**32 - 1)]
"""A seed that every generator in use takes, pandas' among them."""

Jobs: TypeAlias = Annotated[int, Range(1, 1024)]
"""A number of processes."""

Simulations: TypeAlias = Annotated[int, Range(0, 100_000)]
"""A number of simulated data sets; 0 for none."""

Draws: TypeAlias = Annotated[int, Range(2, 1_000_000)]
"""A number of resamples."""

PredictiveDraws: TypeAlias = Annotated[int, Range(20, 10_000)]
"""A number of tables that are drawn for predictive checks."""

StandardError: TypeAlias = Annotated[float, Range(0, within=True, letter="SE")]
"""A standard error."""

Count: TypeAlias = Annotated[int, Range(1)]
"""A whole number from 1 on."""

Occasions: TypeAlias = Annotated[int, Range(1, 1_000_000)]
"""A number of answers to each item."""

Whole: TypeAlias = Annotated[int, Range(0)]
"""A whole number from 0 on."""

Forms: TypeAlias = Annotated[int, Range(1, 100_000)]
"""A number of forms."""

GroupSize: TypeAlias = Annotated[int, Range(10)]
"""The least number of members of a group."""

TopSize: TypeAlias = Annotated[int, Range(5)]
"""A number of models at the top, and at the bottom, of a validation."""

Megabytes: TypeAlias = Annotated[float, Range(0.1)]
"""A size of files."""

Persons: TypeAlias = Annotated[int, Range(3)]
"""The number of persons behind a correlation matrix."""

Port: TypeAlias = Annotated[int, Range(0, 65_535)]
"""A port of this machine; 0 for any free one."""

Level: TypeAlias = Annotated[float, Range(0, 1, within=True, letter="P")]
"""A confidence level."""

Guessing: TypeAlias = Annotated[float, Range(0, 1, below=True, letter="P")]
"""A probability of guessing right, which is not certain."""

FirstOccasion: TypeAlias = Annotated[int, Range(0, 1_000_000)]
"""The number of an occasion."""

Seconds: TypeAlias = Annotated[float, Range(0, within=True, letter="S")]
"""A time."""

NonNegative: TypeAlias = Annotated[float, Range(0, letter="X")]
"""A number from 0 on."""

Money: TypeAlias = Annotated[float, Range(0, letter="MONEY")]
"""An amount of money."""
