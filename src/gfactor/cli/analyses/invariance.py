"""gfactor analyze invariance: does the model measure the same in all groups?

gfactor analyze invariance scores.csv --model m.lav --group language
gfactor analyze invariance scores.csv --model m.lav --group kind --partial -o invariance/
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gfactor.cli.deriving import derived
from gfactor.cli.groups import table_options
from gfactor.cli.options import LAVAAN_MODEL, lavaan_missing_option
from gfactor.cli.printing import PAGE_OPTION, function_of, put
from gfactor.cli.values import PATH
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.table_selection import TableSelection


@derived(
    __doc__,
    "invariance",
    {
        "model": "--model FILE",
        "data": "DATA.csv",
        "group": "--group COLUMN",
        "estimator": "--estimator NAME",
        "ordered": "--ordered NAMES,...",
        "std_lv": "--marker",
    },
    reads={"model": str, "data": PATH},
    helps={
        "model": LAVAAN_MODEL,
        "ordered": "Ordinal variables; 'all' for all.",
        "std_lv": "Take every factor's first loading as invariant.",
    },
    without=["missing"],
    options=[lavaan_missing_option, PAGE_OPTION, table_options],
)
def command(
    model: str, data: Path, group: str, ordered: tuple[str, ...], missing: str | None,
    page: Path | None, selection: TableSelection, as_json: bool, **given: Any,
) -> None:  # fmt: skip
    from gfactor.api.matrix_files import read_table
    from gfactor.api.model_files import read_model

    frame = selection.of(read_table(data), str(data), [group])
    text = read_model(model)
    names = [str(name) for name in frame.columns if str(name) != group]
    every = ordered == ("all",)
    for name in () if every else ordered:
        if name not in names:
            raise ParameterError(f"--ordered names {name!r}, which is not a column of {data}")
    result = function_of("invariance")(
        text, frame, group=group, ordered=every or list(ordered),
        missing=missing or "listwise", **given,
    )  # fmt: skip
    put(result, as_json, page, {"data": str(data)})
