"""People's decisions about suspicions: read from a file, and the file that they fill in."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items.files import check_writable, replacing
from gfactor.listing import first_few
from gfactor.results import number_of

DECISIONS = ("keep", "drop", "drop-first", "drop-second", "drop-both")
"""Keep all; drop the one item, or the pair's later one; drop the first, the second, both."""

COLUMNS = ("check", "first", "second", "decision", "who", "why", "detail")


@dataclass(frozen=True)
class Decision:
    """A line of the file.

    Parameters
    ----------
    check: name of the check; "" for all checks.
    items: one id, or the two of a pair, as the line has them.
    decision: one of `DECISIONS`.
    who, why: person who decided, and the reason.
    """

    check: str
    items: tuple[str, ...]
    decision: str
    who: str
    why: str

    @property
    def dropped(self) -> tuple[str, ...]:
        """Ids of the items to drop."""
        if self.decision == "keep":
            return ()
        if self.decision == "drop-both":
            return self.items
        return self.items[:1] if self.decision == "drop-first" else self.items[-1:]


@dataclass(frozen=True)
class Decisions:
    """All lines of a file, in its order."""

    lines: tuple[Decision, ...] = ()
    _by_case: Mapping[tuple[str, frozenset[str]], Decision] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        by_case = {(line.check, frozenset(line.items)): line for line in self.lines}
        object.__setattr__(self, "_by_case", by_case)

    def settled(self, check: str, items: Iterable[str]) -> bool:
        """Return True if somebody decided about these items, for this check or for all."""
        key = frozenset(items)
        return (check, key) in self._by_case or ("", key) in self._by_case

    @property
    def dropped(self) -> tuple[str, ...]:
        """Ids of the items to drop, each once."""
        return tuple(dict.fromkeys(i for line in self.lines for i in line.dropped))


def read_decisions(path: Path | str, item_ids: Iterable[str] = ()) -> Decisions:
    """Read a file of decisions (CSV with the columns check, first, second, decision, who, why).

    Semicolons or tabs may stand between the cells, as spreadsheets write them in many countries.

    `check` and `second` may be empty. Lines without a decision are ignored, and so are further
    columns.

    Parameters
    ----------
    path : path
        The CSV file.
    item_ids : list of str
        Ids of the bank's items, to check those of the file; an empty list checks nothing.

    Returns
    -------
    Decisions
        The lines with a decision, and the items to drop.

    Raises
    ------
    ParameterError
        If a column is missing, a decision is unknown, `who` or `why` is empty, two lines contradict
        each other, or every decision is about an item that is not among `item_ids` (if these are
        given); fewer such decisions are a note on standard error. The message names the line.

    Examples
    --------
    >>> from gfactor.benchmarks import read_decisions, write_review
    >>> write_review([("near_duplicate_texts", ("q1", "q2"), "0.97 alike")], "review.csv")
    1
    >>> read_decisions("review.csv").dropped
    ()
    """
    path = Path(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, delimiter=_separator(file.readline()))
            file.seek(0)
            missing = [name for name in COLUMNS[:-1] if name not in (reader.fieldnames or ())]
            if missing:
                raise ParameterError(
                    f"decisions {str(path)!r}: column {missing[0]!r} is missing; write one with "
                    "gfactor audit BANK --review FILE"
                )
            rows = [(reader.line_num, row) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ParameterError(f"decisions {str(path)!r} cannot be read: {error}") from error
    ids = set(item_ids)
    lines: dict[tuple[str, frozenset[str]], Decision] = {}
    located: list[tuple[str, Decision]] = []
    for number, row in rows:
        where = f"decisions {str(path)!r}, line {number}"
        line = _line(row, where)
        if line is None:
            continue
        located.append((where, line))
        key = (line.check, frozenset(line.items))
        if key in lines and set(lines[key].dropped) != set(line.dropped):
            raise ParameterError(
                f"{where}: an earlier line has another decision on the same case; delete one of "
                "the two lines"
            )
        lines[key] = line
    decisions = Decisions(tuple(lines.values()))
    if ids:
        _tell_absent(path, located, ids, set(decisions.dropped))
    return decisions


def _tell_absent(
    path: Path, located: Sequence[tuple[str, Decision]], ids: set[str], dropped: set[str]
) -> None:
    """Print a note on decisions about items that a bank does not have, as when they were dropped.

    Raises ParameterError if no decision fits the bank: none names an item of it, or each names an
    item that is neither in it nor dropped.
    """
    absent = [(where, one) for where, line in located for one in line.items if one not in ids]
    if not absent:
        return
    odd = {where for where, item_id in absent if item_id not in dropped}
    if len(odd) == len(located) or not any(ids.intersection(line.items) for _, line in located):
        where, item_id = next((one for one in absent if one[1] not in dropped), absent[0])
        raise ParameterError(f"{where}: {UnknownNameError('item', item_id, ids)}")
    names = list(dict.fromkeys(item_id for _, item_id in absent))
    about = number_of(len({where for where, _ in absent}), "decision names", "decisions name")
    sys.stderr.write(
        f"note: {path}: {about} items that the bank does not have "
        f"({first_few(names, _MOST_NAMES)})\n"
    )


_MOST_NAMES = 3
"""Largest number of items that a note lists."""


def _separator(header: str) -> str:
    """Return what separates the cells of a header: commas, or what spreadsheets write elsewhere."""
    return max(",;\t", key=header.count)


def _line(row: Mapping[str, str | None], where: str) -> Decision | None:
    check, first, second, decision, who, why = ((row[n] or "").strip() for n in COLUMNS[:-1])
    if not decision:
        return None
    if decision not in DECISIONS:
        raise ParameterError(f"{where}: {UnknownNameError('decision', decision, DECISIONS)}")
    if not first:
        raise ParameterError(f"{where}: it names no item; fill in `first`")
    if not second and decision in ("drop-first", "drop-second", "drop-both"):
        raise ParameterError(f"{where}: {decision} needs a pair; write drop, or fill in `second`")
    for name, value in (("who", who), ("why", why)):
        if not value:
            raise ParameterError(f"{where}: a decision needs {name!r}; fill it in")
    return Decision(check, tuple(filter(None, (first, second))), decision, who, why)


def write_review(cases: Iterable[tuple[str, tuple[str, ...], str]], path: Path | str) -> int:
    """Write undecided cases (check, items, detail) as a file to be filled in; return their number.

    Parameters
    ----------
    cases : Iterable[tuple[str, list of str, str]]
        Name of the check, ids of the items, what was seen.
    path : path
        The CSV file.

    Returns
    -------
    int
        Number of undecided cases.

    Raises
    ------
    ParameterError
        If the path cannot be written.

    Examples
    --------
    >>> from gfactor.benchmarks import write_review
    >>> write_review([("near_duplicate_texts", ("q1", "q2"), "0.97 alike")], "review.csv")
    1
    """
    path, n = Path(path), 0
    check_writable(path)
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for check, items, detail in cases:
            first, second = (*items, "")[:2]
            writer.writerow([check, first, second, "", "", "", detail])
            n += 1
    return n
