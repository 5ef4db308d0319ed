"""gfactor explain-difference: explain why two scores of one model on one benchmark differ.

gfactor explain-difference ours.db theirs.db
gfactor explain-difference ours.db 2026_samples_mmmu.jsonl --second reading=harness
gfactor explain-difference c.db c.db --first reading=strict --second reading=lenient
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import PAGE_OPTION, derived, function_of
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.psychometrics.inference.explaining import DifferenceExplanation

HEADING = "Results"


def _settings(option: str) -> Any:
    def read(words: tuple[str, ...]) -> dict[str, str]:
        values: dict[str, str] = {}
        for word in words:
            name, sign, value = word.partition("=")
            if not sign or not value:
                raise ParameterError(
                    f"{option} is NAME=VALUE, such as reading=lenient, got {word!r}"
                )
            if name.strip() in values:
                raise ParameterError(f"{option} has {name.strip()} twice")
            values[name.strip()] = value.strip()
        return values

    return read


@derived(
    __doc__,
    "explain_difference",
    {
        "first": "JOURNAL_A",
        "second": "JOURNAL_B",
        "first_settings": "--first NAME=VALUE...",
        "second_settings": "--second NAME=VALUE...",
        "benchmark": "--benchmark NAME",
        "domain_label": "--domain-label LABEL",
        "cluster": "--cluster LABEL",
    },
    reads={"first_settings": _settings("--first"), "second_settings": _settings("--second")},
    without=["level"],
    options=[PAGE_OPTION],
)
def command(page: Path | None, as_json: bool, **given: Any) -> None:
    explanation = function_of("explain_difference")(**given)
    if page is not None:
        explanation.report(page)
    if as_json:
        put_json(explanation.to_dict())
        return
    _say(explanation)
    if page is not None:
        say(f"page in {page}")


def _say(explanation: DifferenceExplanation) -> None:
    import pandas as pd

    for note in explanation.diagnostics:
        say(str(note))
    say(f"{explanation.title}; every share {explanation.generalizes_to}\n")
    say(f"{explanation.scores.round(4).to_string()}\n{explanation.matched:,} items match\n")
    rows = [
        {
            "cause": cause,
            "points": "-"
            if pd.isna(row["estimate"]) or (pd.isna(row["se"]) and not row["estimate"])
            else f"{100 * row['estimate']:+.1f}",
            "interval": "-"
            if pd.isna(row["ci_lower"])
            else f"[{100 * row['ci_lower']:+.1f}, {100 * row['ci_upper']:+.1f}]",
            "how": row["method"],
            "first": row["first"],
            "second": row["second"] if row["second"] != row["first"] else "the same",
        }
        for cause, row in zip(
            explanation.shares.index, explanation.shares.to_dict("records"), strict=True
        )
    ]
    say(pd.DataFrame(rows).to_string(index=False))
    if len(explanation.images):
        say(f"\nimages\n{explanation.images.to_string(index=False)}")
