"""gfactor transform: change the items of a bank, or undo such changes.

gfactor transform multi.parquet -o harder.parquet --do html-to-markdown,combination-to-choices
gfactor transform multi.parquet -o blanks.parquet --do choice-to-blank --share 0.5 --seed 7
gfactor transform blanks.parquet -o multi.parquet --undo
gfactor transform bank.parquet -o shown.parquet --do shuffle-options --variants random --seed 7

--variants random makes two variants of each item, and draws at random which of them becomes
public. The file of --output, NAME.parquet, holds the public variants, NAME.fresh.parquet the
others, and NAME.draw.json the result of the draw.
"""

from __future__ import annotations

from typing import Any, Literal

from gfactor.cli.deriving import derived
from gfactor.cli.plug_ins import lines_of
from gfactor.cli.printing import called, put
from gfactor.cli.values import WordList
from gfactor.errors import ParameterError

HEADING = "Banks"


@derived(
    __doc__,
    "transform",
    {
        "names": "--do A,B",
        "path": "-o FILE",
        "share": "--share X",
        "undo_all": "--undo",
        "drawn": "--variants",
    },
    reads={"names": WordList(), "share": str},
    helps={
        "names": "Transformations, in this order.",
        "seed": "Seed of all random draws: of the items that are changed, and of the change in "
        "each.",
    },
    optional=["names"],
    twins=["undo", "variants"],
    about=lines_of("gfactor.benchmarks.postprocess.transformation", "TRANSFORMATIONS"),
)
def command(
    undo_all: bool = False, undo_last: bool = False, drawn: Literal["random"] | None = None, *,
    as_json: bool, **given: Any,
) -> int:  # fmt: skip
    """Transform the items of a bank, undo it, or draw variants.

    Parameters
    ----------
    undo_all : bool
        Restore the original items.
    undo_last : bool
        Undo the last transformation of each item.
    drawn : str, optional
        Write two banks of variants. For each item it is drawn at random which variant becomes
        public (for gfactor inflation).
    """
    if sum((given["names"] is not None, undo_all, undo_last)) != 1:
        raise ParameterError("give one of --do, --undo and --undo-last")
    if drawn:
        if given["names"] is None:
            raise ParameterError("--variants needs --do")
        reason = "does not work with --variants"
        return put(called("variants", given, reason, beside=["drawn"]), as_json)
    if given["names"] is not None:
        return put(called("transform", given), as_json)
    given["last_only"] = undo_last
    reason = "does not go with --undo, which restores all that was changed"
    return put(called("undo", given, reason, beside=("undo_all", "undo_last", "seed")), as_json)
