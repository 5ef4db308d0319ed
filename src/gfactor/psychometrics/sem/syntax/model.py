"""A parsed model: its statements in the order of the text, and how they are printed again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from gfactor.psychometrics.sem.syntax.expressions import Expression, quoted

ModifierKind = Literal["fixed", "start", "label", "lower", "upper"]

Value = float | str | None


@dataclass(frozen=True)
class Modifier:
    """A modifier of one parameter: a value, a label, a start value or an equality.

    Parameters
    ----------
    kind: "fixed" (a number, or NaN for NA: set free whatever the defaults say), "start", "label"
        ("" for none), "lower" or "upper".
    values: one for all groups or one per group; None for a group without the modifier.
    """

    kind: ModifierKind
    values: tuple[Value, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Modifier) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        texts = [_quoted(value) for value in self.values]
        inside = texts[0] if len(texts) == 1 else f"c({', '.join(texts)})"
        if self.kind == "label":
            return f"label({inside})"
        return inside if self.kind == "fixed" else f"{self.kind}({inside})"


@dataclass(frozen=True)
class Term:
    """A variable on the right of a formula (or "1", the intercept) with its modifiers."""

    name: str
    modifiers: tuple[Modifier, ...] = ()
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)
    intercept: bool = False

    def __str__(self) -> str:
        name = "1" if self.intercept else quoted(self.name)
        return " + ".join([f"{modifier}*{name}" for modifier in self.modifiers] or [name])


@dataclass(frozen=True)
class Formula:
    """One or more variables, an operator ("=~", "<~", "~", "~~", "|", "~*~"), terms.

    `block` and `level` are the group and the level named by the last `group:` or `level:` line, ""
    without one. `efa` names, for each variable on the left, the exploratory block that it is a
    factor of ("" for none).
    """

    lhs: tuple[str, ...]
    op: str
    terms: tuple[Term, ...]
    block: str = ""
    efa: tuple[str, ...] = ()
    level: str = ""

    def __str__(self) -> str:
        names = [quoted(name) for name in self.lhs]
        if self.efa:
            names = [
                f"efa({_quoted(block)})*{name}" if block else name
                for block, name in zip(self.efa, names, strict=True)
            ]
        left = " + ".join(names)
        return f"{left} {self.op} {' + '.join(str(term) for term in self.terms)}"


@dataclass(frozen=True)
class Relation:
    """A constraint ("==", "<", ">") between two expressions, or a definition (":=").

    `text` holds both sides as they were written, without spaces.
    """

    lhs: Expression
    op: str
    rhs: Expression
    text: tuple[str, str] = field(default=("", ""), compare=False)
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.lhs} {self.op} {self.rhs}"


@dataclass(frozen=True)
class ModelStatements:
    """All statements of a model text; `two_level` is True if it has levels."""

    statements: tuple[Formula | Relation, ...]
    two_level: bool = False

    def __str__(self) -> str:
        lines: list[str] = []
        block = level = ""
        for statement in self.statements:
            if isinstance(statement, Formula):
                if statement.block != block:
                    block, level = statement.block, ""
                    lines.append(f"group: {block if block.isdigit() else quoted(block)}")
                if statement.level != level:
                    level = statement.level
                    lines.append(f"level: {level if level.isdigit() else quoted(level)}")
            lines.append(str(statement))
        return "\n".join(lines)

    @property
    def formulas(self) -> Iterator[Formula]:
        return (one for one in self.statements if isinstance(one, Formula))

    @property
    def relations(self) -> Iterator[Relation]:
        return (one for one in self.statements if isinstance(one, Relation))


def _quoted(value: Value) -> str:
    if isinstance(value, str):
        mark = '"' if '"' not in value else "'" if "'" not in value else "`"
        return f"{mark}{value}{mark}"
    if value is None:
        return '""'
    if math.isnan(value):
        return "NA"
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    return repr(float(value))
