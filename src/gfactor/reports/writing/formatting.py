"""A table's numbers as people read them, and its exports: CSV, Markdown, LaTeX."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pandas as pd

from gfactor.escaping import visible
from gfactor.numbers_in_text import p_value
from gfactor.reports.table_registry import Table
from gfactor.scoring.exporting import as_cells

SHORT_TABLE = 45
"""More rows than this do not fit a printed page: LaTeX then gets a longtable."""

WIDE = 7
"""Columns of stacked numbers that fit a page beside the names of the rows."""

_GREEK = re.findall(
    r"(\S) (\w+)",
    "α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu "
    "ν nu ξ xi π pi ρ rho σ sigma τ tau υ upsilon φ phi χ chi ψ psi ω omega "
    "Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega",
)

_TEX = str.maketrans({
    **{letter: rf"$\{name}$" for letter, name in _GREEK},
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "≥": r"$\geq$", "≤": r"$\leq$", "–": "--",
    "²": "$^2$", "√": r"$\surd$", "×": r"$\times$", "±": r"$\pm$", "−": "$-$", "…": r"\ldots{}",
    "←": r"$\leftarrow$", "→": r"$\rightarrow$", "↑": r"$\uparrow$", "↓": r"$\downarrow$",
    "≈": r"$\approx$", "≠": r"$\neq$", "∞": r"$\infty$", "·": r"$\cdot$", "°": r"$^\circ$",
    "µ": r"$\mu$", "∆": r"$\Delta$", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''",
    "\N{NO-BREAK SPACE}": "~", "\N{NARROW NO-BREAK SPACE}": r"\,", "¹": "$^1$", "³": "$^3$",
})  # fmt: skip


@dataclass(frozen=True)
class TableCell:
    """One cell: its text, its interval in brackets and its number of observations ("" if there are
    none). `number` is True for a number."""

    text: str
    interval: str = ""
    number: bool = False

    @property
    def whole(self) -> str:
        """Text and interval."""
        return f"{self.text} {self.interval}".strip()


@dataclass(frozen=True)
class Cells:
    """A table for readers: headings (each with True if the column holds numbers) and cells."""

    headings: tuple[TableCell, ...]
    rows: tuple[tuple[TableCell, ...], ...]


def formatted(table: Table) -> Cells:
    """Return the table with intervals merged into the columns they belong to."""
    return table.once(_formatted)


def _formatted(table: Table) -> Cells:
    frame = table.frame
    beside = ("_low", "_high", "_n") if table.stacked else ("_low", "_high")
    ends = {f"{name}{end}" for name in frame.columns for end in beside}
    left_out = ends.union(table.csv_only)
    columns = [str(name) for name in frame.columns if name not in left_out]
    numeric = {name: _holds_numbers(frame[name]) for name in columns}
    counts = {name for name in columns if numeric[name] and _is_count(name, frame[name])}
    headings = tuple(TableCell(_heading(table, name), number=numeric[name]) for name in columns)
    rows = tuple(
        tuple(_cell(table, record, name, numeric[name], name in counts) for name in columns)
        for record in frame.to_dict("records")
    )
    return Cells(headings, rows)


def _holds_numbers(column: Any) -> bool:
    """Return True for numbers, also for whole ones beside others."""
    if pd.api.types.is_numeric_dtype(column):
        return True
    return len(column) > 0 and all(isinstance(one, int | float) for one in column)


def _is_count(name: str, column: Any) -> bool:
    """Return True for counts and degrees of freedom that are whole, though stored as floats."""
    if not _COUNT.search(name):
        return False
    present = [float(one) for one in column if _is_present(one)]
    return all(math.isfinite(one) and one.is_integer() for one in present)


_COUNT = re.compile(r"(^|[._ ])(df|n|npar|items|persons|cases|right|wins|losses|answers)$")


def blocks(table: Table, seen: Cells, most: int = WIDE) -> tuple[Cells, ...]:
    """Cut a table with more columns of numbers than fit on a page into blocks of columns.

    Every block begins with the columns that name the row; together they hold all columns.

    Parameters
    ----------
    seen: part of the table that is shown.
    most: columns of numbers of a block at most; blocks are as equal as they can be.
    """
    names = next((k for k, h in enumerate(seen.headings) if h.number), len(seen.headings))
    columns = range(names, len(seen.headings))
    parts = -(-len(columns) // most) if table.stacked else 1
    if parts < 2:
        return (seen,)
    each, more = divmod(len(columns), parts)
    ends = [names + each * k + min(k, more) for k in range(parts + 1)]
    return tuple(Cells(*(_cells(seen, [*range(names), *range(a, b)]))) for a, b in pairwise(ends))


def _cells(
    seen: Cells, columns: Sequence[int]
) -> tuple[tuple[TableCell, ...], tuple[tuple[TableCell, ...], ...]]:
    rows = tuple(tuple(row[k] for k in columns) for row in seen.rows)
    return tuple(seen.headings[k] for k in columns), rows


def to_csv(table: Table) -> str:
    """Return every column as CSV: proportions from 0 to 1, digits as `written`, no formulas."""
    return as_cells(table.frame).to_csv(index=False, float_format=written, lineterminator="\n")


def written(value: float) -> str:
    """Return a number with six significant digits, or with four decimals if these are more.

    Log-likelihoods are compared by their differences, which need the decimals.
    """
    if not 1_000 < abs(value) < math.inf:
        return f"{value:.6g}"
    return f"{value:.4f}".rstrip("0").rstrip(".")


def to_markdown(table: Table) -> str:
    """Return a pipe table under its title, notes below."""
    seen = formatted(table)
    lines = [f"**{table.title}**", ""]
    lines.append("| " + " | ".join(_pipe(h.text) for h in seen.headings) + " |")
    lines.append("|" + "|".join(" ---: " if h.number else " --- " for h in seen.headings) + "|")
    lines += ["| " + " | ".join(_pipe(c.whole) for c in row) + " |" for row in seen.rows]
    lines += ["", *(f"{note}\n" for note in table.notes)]
    return "\n".join(lines)


def to_latex(table: Table) -> str:
    """Return a booktabs table with caption, below the packages that it needs; notes in print below
    it."""
    seen = formatted(table)
    long = len(seen.rows) > SHORT_TABLE
    spec = "".join("r" if h.number else "l" for h in seen.headings)
    head = " & ".join(_tex(h.text) for h in seen.headings) + r" \\"
    body = [" & ".join(_tex_cell(table, c) for c in row) + r" \\" for row in seen.rows]
    caption = rf"\caption{{{_tex(table.title)}}}"
    if long:
        start = [rf"\begin{{longtable}}{{{spec}}}", rf"{caption}\\"]
        rules = [r"\toprule", head, r"\midrule", r"\endhead", *body, r"\bottomrule"]
        end = [r"\end{longtable}", *_tex_notes(table, r"\noindent ")]
    else:
        start = [r"\begin{table}", r"\centering", caption, rf"\begin{{tabular}}{{{spec}}}"]
        rules = [r"\toprule", head, r"\midrule", *body, r"\bottomrule"]
        end = [r"\end{tabular}", *_tex_notes(table, r"\par\smallskip "), r"\end{table}"]
    lines = [*start, *rules, *end]
    return "\n".join([*_tex_needs(lines, long), *lines, ""])


def _tex_needs(lines: Sequence[str], long: bool) -> list[str]:
    """Return comments that name the packages of a table, and the program where it matters."""
    needs = [r"% needs \usepackage{booktabs}" + r" and \usepackage{longtable}" * long]
    if not all(line.isascii() for line in lines):
        needs.append("% has letters that pdflatex may not know: use lualatex or xelatex")
    return needs


def _tex_notes(table: Table, before: str) -> list[str]:
    """Return the notes in small print as wide as the page, as no or one line."""
    if not table.notes:
        return []
    lines = r"\par ".join(_tex(note) for note in table.notes)
    return [rf"{before}\begin{{minipage}}{{\linewidth}}\footnotesize {lines}\end{{minipage}}"]


def _heading(table: Table, name: str) -> str:
    text = table.headings.get(name, name.replace("_", " "))
    return f"{text} (%)" if name in table.percent else text


def _cell(table: Table, record: dict[Any, Any], name: str, number: bool, whole: bool) -> TableCell:
    value = record[name]
    percent = name in table.percent
    low, high = record.get(f"{name}_low"), record.get(f"{name}_high")
    interval = ""
    if _is_present(low) and _is_present(high):
        ends = (_text(table, end, percent) for end in (low, high))
        interval = f"[{', '.join(ends)}]"
    elif table.open_ends and (_is_present(low) or _is_present(high)):
        end, side = (low, "more") if _is_present(low) else (high, "less")
        interval = f"[{_text(table, end, percent)} or {side}]"
    count = record.get(f"{name}_n") if table.stacked else None
    if _is_present(count) and _is_present(value):
        interval = f"{interval} n {count:,.0f}".strip()
    if name in table.p_values and _is_present(value):
        return TableCell(p_value(float(value)), interval, number)
    if whole and not percent and _is_present(value):
        return TableCell(f"{float(value):,.0f}", interval, number)
    sign = _OUTSIDE.get(str(record.get(table.censored.get(name, ""))), "")
    if sign and low == high:
        interval = ""
    return TableCell(sign + _text(table, value, percent), interval, number)


_OUTSIDE = {"below": "< ", "beyond": "> "}
"""Sign before the end of a range, for a value that lies outside it (`Table.censored`)."""


def _is_present(value: Any) -> bool:
    return (
        value is not None
        and value is not pd.NA
        and not (isinstance(value, float) and math.isnan(value))
    )


def _text(table: Table, value: Any, percent: bool) -> str:
    if not _is_present(value):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if percent:
        text = f"{100 * value:.1f}"
        return "0.0" if text == "-0.0" else text
    if isinstance(value, float):
        return f"{value:z.{table.decimals}f}"
    return f"{value:,}" if isinstance(value, int) else visible(str(value))


_ENTITY = re.compile(r"&(?=#?\w+;)")


def _pipe(text: str) -> str:
    # Readers of Markdown obey HTML in it; an ampersand alone, as in names of examinees, is none.
    text = _ENTITY.sub("&amp;", text).replace("<", "&lt;")
    return text.replace("|", r"\|").replace("\n", " ")


def _tex_cell(table: Table, cell: TableCell) -> str:
    if table.stacked and cell.interval:
        return (
            rf"\shortstack[r]{{{_tex_number(cell.text)}\\{{\tiny {_tex_number(cell.interval)}}}}}"
        )
    return _tex_number(cell.whole) if cell.number else _tex(cell.whole)


def _tex_number(text: str) -> str:
    """Write the sign of a negative number as a minus, not as a hyphen."""
    return _MINUS.sub("$-$", _tex(text))


_MINUS = re.compile(r"(?<![\w.])-(?=[\d.])")


def _tex(text: str) -> str:
    return text.translate(_TEX)
