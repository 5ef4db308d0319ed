"""The text of scores: what `gfactor score` prints and `Scores.summary` returns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from gfactor.api.inputs.scoring import text_of_judge
from gfactor.api.scores.answer_tokens import table_of_tokens
from gfactor.results import number_of
from gfactor.scoring import POLICIES, STATUSES
from gfactor.scoring.summaries import text_of_readers

if TYPE_CHECKING:
    from gfactor.api.scores.results import Scores

_FIGURES = {
    **{name: name for name in ("examinee", "condition", "dataset", "row", "figure")},
    **{"vlmevalkit": "VLMEvalKit", "n": "n", "own": "our reading", "n_own": "n of ours"},
}
_DIGITS = 4
_NOTES = {
    "truncated": "truncated: cut off before an answer (--condition max_tokens=N allows more)",
    "policy:": "policy: how those without an answer count",
}
"""Notes on columns of the table of replies."""


def text_of(scores: Scores) -> str:
    """Return the tables of scores: whole scores, outcomes and readers of the responses, then scores
    by each label."""
    return "\n\n".join(filter(None, _blocks(scores)))


def _blocks(scores: Scores) -> Iterator[str]:
    answers, who = scores.responses, len(scores.responses["examinee"].unique())
    title = f"{scores.journal}: {number_of(len(answers), 'response')} of "
    hint = "" if who else "; nothing was answered yet: have the items asked with gfactor run"
    yield "\n".join([*map(str, scores.diagnostics), title + number_of(who, "examinee") + hint])
    heads = [
        name
        for name in ("condition", "benchmark", "examinee")
        if name == "examinee" or len({one[name] for one in scores.results}) > 1
    ]
    wholes = {tuple(one[name] for name in heads): one for one in scores.results}
    yield _table(tuple(heads), wholes)
    # Who answered nothing has no score that could generalize.
    answered = [one for one in scores.results if one["n"]] or scores.results
    claims = (f"{one['benchmark']}: {one['generalizes_to']}" for one in answered)
    yield "\n".join(dict.fromkeys(claims))
    named = {" | ".join(key): one for key, one in wholes.items()}
    yield _statuses(named)
    yield text_of_readers({name: one["read"] for name, one in named.items()})
    for label in dict.fromkeys(label for one in scores.results for label in one["by"]):
        groups = {
            (*key, value): group
            for key, one in wholes.items()
            for value, group in one["by"].get(label, {}).items()
        }
        yield _table((*heads, label), groups)
    for condition, beside in scores.beside.items():
        title = f"condition {condition}\n" if len(scores.beside) > 1 else ""
        yield title + _side_by_side(beside)
    if scores.calibrated:
        yield scores.calibrated.summary()
    yield table_of_tokens(scores.tokens)
    if scores.judged:
        yield text_of_judge(scores.judged, scores.spent)


def _table(names: tuple[str, ...], groups: Mapping[Any, Mapping[str, Any]]) -> str:
    """A line for each group; `names` are the columns that its key fills."""
    # Columns that say nothing new are left out: one answer an item, points for whole items only.
    repeated = any(values["answers"] != values["n"] for values in groups.values())
    claims = {one["claim"] for values in groups.values() if (one := values.get("other_claim"))}
    beside = f"interval, {'/'.join(sorted(claims))}".replace("-", " ")
    with_chance = any(values["chance"] is not None for values in groups.values())
    partial = any(values["ratio"] != values["accuracy"] for values in groups.values())
    rows = [
        {
            **dict(zip(names, key, strict=True)),
            "n": values["n"],
            **({"answers": values["answers"]} if repeated else {}),
            "accuracy": _share(values["accuracy"], values["interval"]),
            **({beside: _other(values)} if claims else {}),
            "lenient": _share(values["lenient"], values["interval_lenient"]),
            **({"ratio": _number(values["ratio"])} if partial else {}),
            "format errors": values["errors"],
            "missing": values["missing"],
            **({"chance": _number(values["chance"])} if with_chance else {}),
        }
        for key, values in groups.items()
    ]
    return pd.DataFrame(rows).to_string(index=False, na_rep="-") if rows else ""


def _statuses(people: Mapping[str, Mapping[str, Any]]) -> str:
    """The fate of the responses, where any was not answered, and the policies' decisions."""
    if not people:
        return ""
    rows: list[dict[str, Any]] = [
        {status: values["statuses"].get(status, 0) for status in STATUSES}
        | {f"policy:{p}": values["policies"].get(p, 0) for p in POLICIES}
        | {"examinee": name}
        for name, values in people.items()
    ]
    always = ("answered", "examinee")
    columns = [name for name in rows[0] if name in always or any(row[name] for row in rows)]
    if len(columns) == len(always):
        return ""
    notes = [note for name, note in _NOTES.items() if name in " ".join(columns)]
    title = "; ".join(["replies by what became of them", *notes])
    return f"{title}\n{pd.DataFrame(rows, columns=columns).to_string(index=False)}"


def _number(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def _other(values: Mapping[str, Any]) -> str:
    """The interval of the accuracy under the other claim."""
    ends = (values.get("other_claim") or {}).get("interval")
    return "-" if ends is None else f"[{ends[0]:z.3f}, {ends[1]:z.3f}]"


def _share(share: float | None, interval: tuple[float, float] | None) -> str:
    if share is None:
        return "-"
    if interval is None:
        return f"{share:.3f}"
    return f"{share:.3f} [{interval[0]:z.3f}, {interval[1]:z.3f}]"


def _side_by_side(compared: Mapping[str, Any]) -> str:
    """The figures that stand for their data sets, and how many replies differ and why."""
    figures = [row for row in compared["figures"] if row["headline"]]
    if not figures:
        return "VLMEvalKit has no rule for these data sets"
    frame = pd.DataFrame([{name: row[key] for key, name in _FIGURES.items()} for row in figures])
    table = frame.to_string(index=False, na_rep="-", float_format=lambda v: f"{v:.{_DIGITS}g}")
    parts = ["VLMEvalKit's figures, in its own units (--json has all)", table]
    counts = Counter((row["dataset"], row["why"]) for row in compared["differences"])
    if not counts:
        return "\n\n".join([*parts, "no reply counts differently"])
    rows = [{"dataset": d, "replies": n, "why": why} for (d, why), n in sorted(counts.items())]
    parts += ["replies that count differently (--json has each)",
              pd.DataFrame(rows).to_string(index=False)]  # fmt: skip
    return "\n\n".join(parts)
