"""gfactor transform: change the items of a bank, or undo such a change.

gfactor transform multi.parquet -o harder.parquet --do html-to-markdown,combination-to-choices
gfactor transform multi.parquet -o blanks.parquet --do choice-to-blank --share 0.5 --seed 7
gfactor transform blanks.parquet -o multi.parquet --undo
gfactor transform bank.parquet -o shown.parquet --do shuffle-options --variants random --seed 7
"""

from __future__ import annotations

from typing import Any, Literal

from gfactor.cli.deriving import derived
from gfactor.cli.plug_ins import lines_of
from gfactor.cli.printing import function_of, put
from gfactor.cli.values import Words
from gfactor.errors import ParameterError

HEADING = "Banks"

ABOUT = """--variants random makes two variants of each item and draws at random which becomes
public: OUTPUT holds these, NAME.fresh.parquet the others, NAME.draw.json the draw.

"""


@derived(
    __doc__,
    "transform",
    {
        "bank": "BANK",
        "names": "--do A,B",
        "path": "-o FILE",
        "share": "--share X",
        "undo_all": "--undo",
        "drawn": "--variants",
    },
    reads={"names": Words(), "share": str},
    helps={
        "names": "Transformations, in this order.",
        "seed": "Seed of the draw, and of what is drawn of each item.",
    },
    optional=["names"],
    twins=["undo", "variants"],
    about=ABOUT + lines_of("gfactor.benchmarks.postprocess.transformation", "TRANSFORMATIONS"),
)
def command(
    bank: Any, names: tuple[str, ...] | None, share: str, seed: int, undo_all: bool = False,
    undo_last: bool = False, drawn: Literal["random"] | None = None, *, as_json: bool, **given: Any,
) -> None:  # fmt: skip
    """Transform the items of a bank, undo it, or draw variants.

    Parameters
    ----------
    undo_all : bool
        Restore the original items.
    undo_last : bool
        Undo the last transformation of each item.
    drawn : str, optional
        Write two banks of variants; for each item, chance decides which becomes public (for
        gfactor inflation).
    """
    from gfactor.items import ItemBank

    if sum((names is not None, undo_all, undo_last)) != 1:
        raise ParameterError("give one of --do, --undo and --undo-last")
    opened = ItemBank.open(bank)
    if drawn:
        if not names or share != "1":
            raise ParameterError("--variants needs --do, and does not work with --share")
        done = function_of("variants")(opened, names, seed=seed, **given)
    elif names is not None:
        done = function_of("transform")(opened, names, share=share, seed=seed, **given)
    else:
        done = function_of("undo")(opened, last_only=undo_last, **given)
    put(done, as_json)
