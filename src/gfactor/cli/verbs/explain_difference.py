"""gfactor explain-difference: explain why two scores of one model on one benchmark differ.

gfactor explain-difference ours.db theirs.db
gfactor explain-difference ours.db 2026_samples_mmmu.jsonl --second reading=harness
gfactor explain-difference c.db c.db --first reading=strict --second reading=lenient
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.deriving import PAGE_OPTION, derived, function_of, put
from gfactor.errors import ParameterError

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
    put(explanation, as_json, page)
