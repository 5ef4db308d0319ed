"""gfactor form: assemble parallel test forms with equal information from a calibrated bank.

gfactor form bank.calibration.json --bank bank.parquet --length 60 --parallel 4 -o forms
gfactor form bank.calibration.json --target-se 0.3 --anchors 10 --parallel 2 -o forms
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived, function_of
from gfactor.errors import ParameterError

HEADING = "Banks"


def _content(typed: tuple[str, ...]) -> Any:
    from gfactor.api.forms import content_of

    return content_of(typed)


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError as error:
        raise ParameterError(
            f"--theta is a list of numbers such as -1,0,1; got {text!r}"
        ) from error


@derived(
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
    reads={"content": _content, "theta": _numbers},
    required=["path"],
)
def command(path: Path, as_json: bool, **given: Any) -> None:
    result = function_of("form")(path=path, **given)
    if as_json:
        put_json({"path": str(path), **result.to_dict()})
        return
    lines = result.summary().splitlines()
    # The items are in the files.
    say("\n".join(lines[: lines.index("forms")]).rstrip())
    say(f"\n{path}: {len(result.forms)} forms of {result.request['length']} items")
