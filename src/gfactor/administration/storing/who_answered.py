"""Models that answered, as servers name them, and reports on runs with another model or several."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import sqlalchemy as sa

from gfactor.administration.storing.journal import Journal
from gfactor.administration.storing.tables import RESPONSES
from gfactor.errors import GfactorError
from gfactor.examinees.base import Spec
from gfactor.examinees.model_names import is_same_model
from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic

COLUMNS = ("examinee", "condition", "answered_by", "fingerprint", "answers", "first", "last")


def answering_models(journal: Journal) -> pd.DataFrame:
    """Count the answers of every run by the model and the fingerprint that the server named.

    Parameters
    ----------
    journal : Journal
        Open.

    Returns
    -------
    DataFrame
        Columns `examinee`, `condition`, `answered_by`, `fingerprint`, `answers`, and the times of
        the `first` and the `last` of these answers; in the order of time. Answers for which the
        server names no model are left out.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> answering_models(gf.run(bank, ["observer:ideal"], journal="c.db")).empty
    True
    """
    c = RESPONSES.c
    kind = c.examinee, c.condition, c.answered_by, c.fingerprint
    counts = sa.func.count(), sa.func.min(c.created), sa.func.max(c.created)
    rows = sa.select(*kind, *counts).where(c.answered_by != "").group_by(*kind)
    with journal.transaction() as connection:
        listed = [tuple(row) for row in connection.execute(rows)]
    first = COLUMNS.index("first")
    in_order = sorted(listed, key=lambda row: (row[0], row[1], row[first]))
    return pd.DataFrame(in_order, columns=list(COLUMNS))


def model_changes(
    journal: Journal, examinees: Collection[str] | None = None
) -> tuple[Diagnostic, ...]:
    """Report the runs in which the model that answered changed, or is not the requested one.

    Parameters
    ----------
    journal : Journal
        Open.
    examinees : collection of str, optional
        Examinees whose runs are checked; all if None.

    Returns
    -------
    tuple of Diagnostic
        A warning (`model_changed`) for a run with several models, a note (`fingerprint_changed`)
        for one with several fingerprints of one model, a warning (`other_model`) for one with a
        model that is not the asked one nor a version of it (`is_same_model`).

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> model_changes(gf.run(bank, ["observer:ideal"], journal="c.db"))
    ()
    """
    return changes_among(answering_models(journal), examinees)


def changes_among(
    answering: pd.DataFrame, examinees: Collection[str] | None = None
) -> tuple[Diagnostic, ...]:
    """Return `model_changes` of a journal, from its table of `answering_models`.

    Parameters
    ----------
    answering : DataFrame
        Result of `answering_models`.
    examinees : collection of str, optional
        Examinees whose runs are checked; all if None.

    Returns
    -------
    tuple of Diagnostic
        As in `model_changes`.

    Examples
    --------
    >>> run, day = ("openai:m", "default"), "2026-03-01"
    >>> rows = [(*run, f"m-{dated}", "", 1, day, day) for dated in ("2026-01-01", "2026-02-01")]
    >>> [one.code for one in changes_among(pd.DataFrame(rows, columns=list(COLUMNS)))]
    ['model_changed']
    """
    runs: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in answering.to_dict("records"):
        if examinees is None or row["examinee"] in examinees:
            runs.setdefault((row["examinee"], row["condition"]), []).append(row)
    changes = (
        change
        for run, rows in sorted(runs.items())
        for change in (_change(run, rows), _other(run, rows))
    )
    return tuple(change for change in changes if change is not None)


def _change(run: tuple[str, str], rows: Sequence[Mapping[str, Any]]) -> Diagnostic | None:
    """Report a run in which the model changed; None if it did not."""
    examinee, condition = run
    models = list(dict.fromkeys(row["answered_by"] for row in rows))
    counts = {m: sum(r["answers"] for r in rows if r["answered_by"] == m) for m in models}
    if len(models) > 1:
        parts = []
        for model in models:
            times = [
                r[k][:10] for r in rows if r["answered_by"] == model for k in ("first", "last")
            ]
            parts.append(f"{model} ({counts[model]:,} answers, {min(times)} to {max(times)})")
        return Diagnostic(
            "model_changed", "warning",
            f"{examinee} ({condition}) was answered by {len(models)} models: {', '.join(parts)}.",
            "Name a dated model instead of an alias, and ask it into a journal of its own.",
            run, counts,
        )  # fmt: skip
    prints = [name for name in dict.fromkeys(row["fingerprint"] for row in rows) if name]
    if len(prints) < 2:
        return None
    listed = first_few(prints, 3)
    return Diagnostic(
        "fingerprint_changed", "note",
        f"{examinee} ({condition}): {models[0]} answered with {len(prints)} fingerprints "
        f"({listed}).",
        "The vendor changed something behind the name; compare answers by their time.",
        run,
    )  # fmt: skip


def _other(run: tuple[str, str], rows: Sequence[Mapping[str, Any]]) -> Diagnostic | None:
    """Report a run in which another model answered than the requested one; None if there is
    none."""
    examinee, condition = run
    requested = examinee.partition("?")[0].partition(":")[2] or examinee
    counts: dict[str, int] = {}
    for row in rows:
        if not is_same_model(requested, row["answered_by"]):
            counts[row["answered_by"]] = counts.get(row["answered_by"], 0) + row["answers"]
    if not counts:
        return None
    listed = ", ".join(f"{name} ({many:,} answers)" for name, many in counts.items())
    return Diagnostic(
        "other_model", "warning",
        f"{examinee} ({condition}): {requested} was asked, but the server reports that another "
        f"model answered: {listed}.",
        f"Nothing is wrong if {requested} is the server's own name for that model; otherwise check "
        "the address and the model's name, and ask again with another journal.",
        run, counts,
    )  # fmt: skip


def other_addresses(journal: Journal, examinee: str, condition: str) -> list[str]:
    """Return the addresses at which the journal holds answers of the same model, under a condition.

    An examinee is known by its whole specification, so that the same model at another address is
    asked everything again.

    Parameters
    ----------
    journal : Journal
        Open.
    examinee : str
        Specification that is about to be asked, such as "openai:m?base_url=http://localhost/v1".
    condition : str
        Key of the condition.

    Returns
    -------
    list of str
        Values of `base_url`, "" for the scheme's own address; empty if the examinee itself has
        answers in the journal.
    """
    named = journal.examinees(condition)
    if examinee in named:
        return []
    same = without_address(examinee)
    alike = (name for name in named if without_address(name) == same)
    return [Spec.parse(name).parameters.get("base_url", "") for name in alike]


def without_address(examinee: str) -> str:
    """Return a specification without its `base_url`; unchanged if it is none."""
    try:
        spec = Spec.parse(examinee)
    except GfactorError:
        return examinee
    others = {name: value for name, value in spec.parameters.items() if name != "base_url"}
    return str(replace(spec, parameters=others))
