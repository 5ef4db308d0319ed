"""gfactor form: assemble parallel test forms with equal information from a calibrated bank.

gfactor form bank.calibration.json --bank bank.parquet --length 60 --parallel 4 -o forms
gfactor form bank.calibration.json --target-se 0.3 --anchors 10 --parallel 2 -o forms
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.printing import printed

HEADING = "Banks"


def _content(typed: tuple[str, ...]) -> Any:
    from gfactor.api.forms import content_of

    return content_of(typed)


def _sentences(result: Any, path: Path, **_: Any) -> str:
    lines = result.summary().splitlines()
    # The items are in the files.
    text = "\n".join(lines[: lines.index("forms")]).rstrip()
    return f"{text}\n\n{path}: {len(result.forms)} forms of {result.request['length']} items"


command = printed(
    __doc__,
    "form",
    {
        "calibration": "CALIBRATION",
        "bank": "--bank BANK",
        "content": "--content LABEL=VALUE:LEAST-MOST...",
        "theta": "--theta X,...",
        "target_se": "--target-se SE",
        "tolerance": "--tolerance SHARE",
        "language": "--language TAG",
        "path": "-o FOLDER",
    },
    reads={"content": _content},
    required=["path"],
    sentences=_sentences,
    document=lambda result, path, **_: {"path": str(path), **result.to_dict()},
)
