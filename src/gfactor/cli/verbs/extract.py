"""gfactor extract: show which answers are read from replies, and how often they are right.

gfactor extract replies.jsonl --json
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived

if TYPE_CHECKING:
    from gfactor.scoring.extraction.cases import Case
    from gfactor.scoring.extraction.result import Extraction

HEADING = "Results"


@derived(__doc__, "extract", {"cases": "CASES.jsonl"})
def command(cases: Path, as_json: bool) -> None:
    from gfactor.api.extraction import VERDICTS, extract
    from gfactor.scoring.extraction import EXTRACTION_VERSION

    result = extract(cases)
    if as_json:
        put_json(result.to_dict())
        return
    say(_aligned([("id", "answer", "stage", "rule"), *(_cells(c, f) for c, f in result.readings)]))
    say(f"\n{len(result.readings)} replies, reading version {EXTRACTION_VERSION}")
    if result.judged:
        head = ("kind", "language", "n", *VERDICTS)
        rows = [
            (row["kind"], row["language"], str(row["n"]), *(f"{row[v]:.1%}" for v in VERDICTS))
            for row in result.shares.to_dict("records")
        ]
        say("\n" + _aligned([head, *rows]))


def _cells(case: Case, extraction: Extraction) -> tuple[str, ...]:
    from gfactor.scoring.extraction.cases import plain

    answer = plain(extraction.answer) if extraction.has_answer else "-"
    text = ", ".join(map(str, answer)) if isinstance(answer, list) else str(answer)
    safe = "".join(c if c.isprintable() else " " for c in f"{text:.60}")
    name = "".join(c if c.isprintable() else " " for c in f"{case.id:.40}")
    return name, safe, extraction.stage, extraction.rule


def _aligned(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
