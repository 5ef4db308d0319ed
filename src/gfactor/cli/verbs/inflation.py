"""gfactor inflation: test whether a score on public items is higher than fresh items predict.

gfactor inflation answers.csv --examinee MODEL --public "public*" --fresh "fresh*"
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.deriving import derived
from gfactor.cli.printing import PAGE_OPTION, function_of, put

HEADING = "Results"


@derived(
    __doc__,
    "inflation",
    {
        "examinee": "--examinee NAME...",
        "public": "--public ITEMS",
        "fresh": "--fresh ITEMS",
        "references": "--reference NAME",
        "wrong_keys": "--wrong-keys ITEMS",
    },
    reads={"public": str, "fresh": str, "wrong_keys": str},
    without=["twins"],
    options=[PAGE_OPTION],
    twins=["inflation_each"],
)
def command(examinee: tuple[str, ...], page: Path | None, as_json: bool, **given: Any) -> None:
    result = (
        function_of("inflation")(examinee=examinee[0], **given)
        if len(examinee) == 1
        else function_of("inflation_each")(examinees=examinee, **given)
    )
    put(result, as_json, page)
