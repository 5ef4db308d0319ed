"""Accuracies over a scored table, whole and by domain, size, skill and other labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.administration.presenting.condition_text import condition_named
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees import Spec
from gfactor.frames import column as column_of
from gfactor.frames import pick, row_tuples
from gfactor.scoring.averaging import asked_once, averaged, item_numbers
from gfactor.scoring.score import RESERVED_COLUMNS

LABELS = {"domain": "domain", "size": "size", "skill": "skills"}
"""Names by which results are broken down, and the label that holds each."""

ENOUGH_ITEMS = 0.95
"""Share of the items above which missing items hardly change a mean."""


READERS = ("rule", "judge", "draw", "none", "missing")
"""Source of a response's answer: the rules, a judge model, a random draw of the policy, or none; or
the response is missing.
"""

_READERS = {
    "rule": "rule",
    "judge": "judge",
    "draw": "random draw",
    "none": "no answer",
    "missing": "missing",
}

_READER = {"strict": "rule", "lenient": "rule", "rules": "rule", "judge": "judge"}
_DECIDED = {"random": "draw", "drawn at random": "draw", "judge": "judge"}
"""Source of an answer by the rule of a policy; VLMEvalKit's other rules stand for themselves."""


def text_of_readers(read: Mapping[str, Mapping[str, float]]) -> str:
    """Return as text which reader found the answers, a line per examinee (`shares`); "" if the
    rules found all."""
    if all(shares.get("rule", 1.0) >= 1 for shares in read.values()):
        return ""
    rows = [
        {_READERS[name]: f"{share:.1%}" for name, share in shares.items()} | {"examinee": who}
        for who, shares in read.items()
    ]
    return f"responses by who found their answer\n{pd.DataFrame(rows).to_string(index=False)}"


def shares(scored: pd.DataFrame) -> dict[str, float]:
    """Return the share of responses of which each of `READERS` found the answer; they add up to 1.

    M3GIA (appendix F) uses rules, then a judge model, and draws a random option if both fail; a
    score with many random answers means little. Empty if there is no response.

    Parameters
    ----------
    scored : DataFrame
        Scored responses, as `gfactor.scoring.scored` returns them.

    Returns
    -------
    dict of str to float
        One of `READERS` to its share, 0 to 1.

    Examples
    --------
    >>> from gfactor.scoring import scored, shares
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> table = scored(journal)
    >>> shares(table)["rule"]
    1.0
    """
    if not len(scored):
        return {}
    counts = Counter(readers(scored))
    return {name: counts[name] / len(scored) for name in READERS}


def readers(scored: pd.DataFrame) -> list[str]:
    """Return one of `READERS` for every row of a scored table."""
    columns = row_tuples(scored, ("stage", "rule", "missing", "answer"))
    return [
        "missing" if missing else _DECIDED.get(rule, "none" if answer is None else "rule")
        if stage == "policy" else _READER.get(stage, "none")
        for stage, rule, missing, answer in columns
    ]  # fmt: skip


def unread(scored: pd.DataFrame) -> int:
    """Return the number of replies in which neither the rules nor a judge found an answer, whether
    they state none, decline, or end before one; attempts without a reply are not counted."""
    status = scored["status"].tolist()
    return sum(
        who not in ("rule", "judge") and what not in ("failed", "filtered")
        for who, what in zip(readers(scored), status, strict=True)
    )


def summary(scored: pd.DataFrame, by: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return accuracies of every examinee on every benchmark under every condition, ready for JSON.

    Nothing is pooled. `gfactor score` adds intervals and chance.

    Parameters
    ----------
    scored : DataFrame
        Scored responses, as `gfactor.scoring.scored` returns them.
    by : list of str
        Labels of the items by whose values results are also broken down, beside domain, size and
        skill.

    Returns
    -------
    list of dict of str to Any
        A row for every examinee, benchmark and condition: `examinee`, `benchmark`, `condition`,
        `n` (items that count), `accuracy` (share of items that are right as a whole, by the
        benchmark's own rule), `lenient` (the same, with replies read leniently), `errors` (replies
        that do not conform to the output format, or have no answer, if that is an error), `missing`
        (responses left out), `ratio` (points earned per possible point, by the benchmark's rule),
        `answers` (responses that count), `statuses` and `policies` (how many responses have each),
        `read` (`shares`), `by` (`domain`, `size`, `skill` and the labels asked for: the same for
        every value). The occasions of an item are averaged before items are.

    Raises
    ------
    UnknownNameError
        If no item has one of the labels.

    Examples
    --------
    >>> from gfactor.scoring import scored, summary
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> table = scored(journal)
    >>> [(row["examinee"], row["n"]) for row in summary(table)]
    [('baseline:constant', 10), ('observer:ideal', 10)]
    """
    columns = LABELS | label_columns(by, scored)
    needed = SUMMARIZED | set(columns.values())
    rows = []
    for keys, part in groups_of(pick(scored, [name for name in scored if name in needed])):
        rows.append(dict(zip(GROUPS, keys, strict=True)) | _broken_down(part, columns))
    return rows


GROUPS = ("examinee", "benchmark", "condition")
"""Columns whose values are never pooled."""


def groups_of(scored: pd.DataFrame) -> Iterator[tuple[tuple[str, str, str], pd.DataFrame]]:
    """Yield the rows of every examinee, benchmark and condition, in the order of their names."""
    if scored.empty:
        return
    table = scored if "benchmark" in scored else scored.assign(benchmark="")
    groups: Any = table.groupby(["condition", "benchmark", "examinee"], sort=True, dropna=False)
    for (how, what, who), part in groups:
        yield (str(who), str(what), str(how)), part


def label_column(label: str, columns: Collection[str]) -> str:
    """Return the column with a label: a name of `LABELS`, its own, or "label." and its own.

    If there is none, the one column counts that differs in the case of its letters alone.

    Parameters
    ----------
    label : str
        Name of the label.
    columns : collection of str
        Columns of a scored table, where a label with the name of a column of items has "label."
        before its name.

    Examples
    --------
    >>> label_column("language", ["item_id", "label.language"])
    'label.language'
    >>> label_column("Scale", ["item_id", "scale"])
    'scale'
    """
    names = (LABELS.get(label, label), label, f"label.{label}")
    exact = next((name for name in names if name in columns), None)
    if exact is not None:
        return exact
    folded = [name for name in columns if name.casefold() == label.casefold()]
    return folded[0] if len(folded) == 1 else label


def label_columns(labels: Sequence[str], scored: pd.DataFrame) -> dict[str, str]:
    """Return the column of each label, by its name; {} for a table without rows.

    Parameters
    ----------
    labels : list of str
        Names of labels.
    scored : DataFrame
        Scored responses.

    Raises
    ------
    UnknownNameError
        If no item has one of the labels.
    """
    if scored.empty:
        return {}
    columns = {label: label_column(label, scored.columns) for label in labels}
    for label, name in columns.items():
        if name not in scored or (name in RESERVED_COLUMNS and name not in _OF_ITEMS):
            raise UnknownNameError("label", label, _offered(scored))
    return columns


_OF_ITEMS = ("benchmark", "edition", "answer_type")
"""Columns beside the labels that describe the items."""


def _offered(scored: pd.DataFrame) -> set[str]:
    """The names by which results can be broken down."""
    names = {str(name) for name in scored.columns if not str(name).startswith("_")}
    short = {name for name, label in LABELS.items() if label in names}
    return short | (names - set(RESERVED_COLUMNS) - set(LABELS.values())) | (names & {*_OF_ITEMS})


def by_label(scored: pd.DataFrame, by: str) -> dict[Any, pd.DataFrame]:
    """Return the rows of every value of a label; a row with several skills is among those of each.

    Parameters
    ----------
    scored : DataFrame
        Scored responses, as `gfactor.scoring.scored` returns them.
    by : str
        "domain", "size", "skill" or another label.

    Returns
    -------
    dict of Any to DataFrame
        Value of the label to its rows.

    Raises
    ------
    UnknownNameError
        If the table has no such label.

    Examples
    --------
    >>> from gfactor.scoring import by_label, scored
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> table = scored(journal)
    >>> list(by_label(table, "domain"))
    ['change_colour']
    """
    column = label_column(by, scored.columns)
    if column not in scored.columns:
        if by == "domain":  # the label that is taken if none is named
            raise ParameterError(
                "these items have no domains; name the columns with by='item' (--by item)"
            )
        raise UnknownNameError("label", by, _offered(scored))
    rows = scored.explode(column) if column in ("skill", LABELS["skill"]) else scored
    return {value: group for value, group in rows.groupby(column, sort=True)}


def choose(
    scored: pd.DataFrame, examinees: Sequence[str] = (), condition: str | None = None
) -> pd.DataFrame:
    """Return the rows of these examinees and this condition; by default all rows.

    An examinee is named in full, or with some of its parameters. A name with some parameters
    selects all examinees that have these: "observer:limited?seed=3", "observer:limited".

    Parameters
    ----------
    scored : DataFrame
        Scored responses, as `gfactor.scoring.scored` returns them.
    examinees : list of str
        Names, in full or with some of their parameters; an empty list selects all.
    condition : str, optional
        Key of a condition, with or without the fingerprints of files; None selects all.

    Returns
    -------
    DataFrame
        The rows.

    Raises
    ------
    UnknownNameError
        For a name that matches no examinee, or an unknown condition.

    Examples
    --------
    >>> from gfactor.scoring import choose, scored
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> table = scored(journal)
    >>> len(choose(table, ["observer:ideal"]))
    10
    """
    if condition is not None:
        key = condition_named(condition, set(map(str, scored["condition"])))
        scored = pick(scored, scored["condition"] == key)
    if not examinees:
        return scored
    names = list(scored["examinee"].unique())
    chosen = {name for wanted in examinees for name in fitting(wanted, names)}
    return pick(scored, [name in chosen for name in scored["examinee"]])


def fitting(wanted: str, names: Sequence[str]) -> list[str]:
    """Return the examinees that a name selects.

    Parameters
    ----------
    wanted: name; its scheme may be left out if only one examinee has this name, and parameters that
    are not stated may have any value.
    names: names of the examinees.

    Raises UnknownNameError if no examinee has the name, and ParameterError if examinees of several
    schemes have it.
    """
    if not names:
        raise ParameterError(
            f"there are no answers of {wanted!r}, nor of any other examinee; have the items asked "
            "first, with `gfactor run`"
        )
    if wanted in names:
        return [wanted]
    specs = [(name, Spec.parse(name)) for name in names]
    head, question, query = wanted.partition("?")
    if ":" not in head:
        schemes = sorted({spec.scheme for _, spec in specs if spec.argument == head})
        if not schemes:
            raise UnknownNameError("examinee", wanted, names)
        if len(schemes) > 1:
            meant = " or ".join(f"{scheme}:{wanted}" for scheme in schemes)
            raise ParameterError(f"{wanted!r} is the name of several examinees; write {meant}")
        wanted = f"{schemes[0]}:{head}{question}{query}"
    pattern = Spec.parse(wanted)
    fitting = [
        name
        for name, spec in specs
        if (spec.scheme, spec.argument) == (pattern.scheme, pattern.argument)
        and pattern.parameters.items() <= spec.parameters.items()
    ]
    if not fitting:
        raise UnknownNameError("examinee", wanted, names)
    return fitting


def require_one_condition(scored: pd.DataFrame) -> None:
    """Raise ParameterError if a table mixes conditions, which are different measurements."""
    conditions = sorted(scored["condition"].unique())
    if len(conditions) > 1:
        imported = all(name.startswith("pack=") for name in conditions)
        raise ParameterError(
            f"the journal holds {len(conditions)} conditions ({'; '.join(conditions)}), which are "
            "different measurements; choose one with --condition (in Python: condition=...)"
            + imported
            * "; if all models had the same prompts, import all files with one "
            "--condition, such as default"
        )


_SUMMED = ("correct", "correct_lenient", "points", "points_possible")
_COUNTED = ("missing", "format_error", "status", "policy")


def rows_by_value(values: pd.Series, label: str) -> list[tuple[Any, NDArray[np.intp]]]:
    """Return every value of a label, sorted, with the positions of its rows.

    This is `by_label` without the rows themselves: a row with several skills is among those of
    each, and a row without a value is nowhere.

    Parameters
    ----------
    values : Series
        Value of the label in every row.
    label : str
        Name of the label (`LABELS`).
    """
    several, rows = label == "skill", {}
    for row, value in enumerate(values.to_numpy(dtype=object).tolist()):
        for one in value if several and isinstance(value, list | tuple) else (value,):
            rows.setdefault(one, []).append(row)
    named = {value: at for value, at in rows.items() if not pd.isna(value)}
    kinds = {isinstance(value, str) for value in named}
    # Numbers stand before texts, as pandas sorts them.
    order = sorted(named, key=None if len(kinds) < 2 else lambda one: (isinstance(one, str), one))
    return [(value, np.array(named[value], np.intp)) for value in order]


SUMMARIZED = frozenset((
    *GROUPS, *LABELS.values(), *_SUMMED, *_COUNTED,
    "item_id", "item_hash", "stage", "rule", "answer",
))  # fmt: skip
"""Columns of a scored table that its summary needs."""


def _broken_down(scored: pd.DataFrame, columns: Mapping[str, str]) -> dict[str, Any]:
    run = _RunRows.of(scored)
    result = run.accuracies(np.arange(len(scored)))
    result["by"] = {}
    for name, column in columns.items():
        if column in scored.columns and bool(scored[column].notna().to_numpy().any()):
            parts = rows_by_value(column_of(scored, column), name)
            result["by"][name] = {str(value): run.accuracies(rows) for value, rows in parts}
    return result


@dataclass(frozen=True)
class _RunRows:
    """The rows of an examinee, a benchmark and a condition, as arrays.

    Parameters
    ----------
    rows: the columns `_COUNTED` of all rows, and `reader` (one of `READERS`).
    items: the columns `_SUMMED` of all items, their occasions averaged.
    item_of: number of each row's item, -1 for a row that is missing.
    """

    rows: Mapping[str, NDArray[Any]]
    items: Mapping[str, NDArray[np.float64]]
    item_of: NDArray[np.intp]

    @classmethod
    def of(cls, scored: pd.DataFrame) -> _RunRows:
        rows = {name: scored[name].to_numpy() for name in _COUNTED}
        rows["missing"] = missing = rows["missing"].astype(bool)
        rows["reader"] = np.array(readers(scored), dtype=object)
        counted = pick(scored, ~missing)
        once = asked_once(counted)
        items = counted if once else averaged(scored)
        item_of = np.full(len(scored), -1)
        item_of[~missing] = np.arange(len(counted)) if once else item_numbers(counted)
        return cls(rows, {name: items[name].to_numpy(float) for name in _SUMMED}, item_of)

    def accuracies(self, rows: NDArray[np.intp]) -> dict[str, Any]:
        """The summary of some rows; a row whose list of skills names one twice counts twice."""
        part = {name: values[rows] for name, values in self.rows.items()}
        items = pd.unique(self.item_of[rows][~part["missing"]])
        exact, free, points, possible = (
            float(np.sum(values[items])) for values in self.items.values()
        )
        n, missing = len(items), int(np.sum(part["missing"]))
        read = Counter(part["reader"].tolist())
        return {
            "n": n,
            "accuracy": exact / n if n else None,
            "lenient": free / n if n else None,
            "errors": int(np.sum(part["format_error"])),
            "missing": missing,
            "ratio": points / possible if possible else None,
            "answers": len(rows) - missing,
            "statuses": _counts(part["status"]),
            "policies": _counts(part["policy"]),
            "read": {name: read[name] / len(rows) for name in READERS},
        }


def _counts(values: NDArray[Any]) -> dict[str, int]:
    """Return the number of occurrences of each value but "", the most frequent first."""
    return {str(value): n for value, n in Counter(values.tolist()).most_common() if value}
