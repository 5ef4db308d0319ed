"""gfactor demo: build, run, score and report an example offline, in one command.

gfactor demo -o demo/
"""

from typing import Any

from gfactor.cli.printing import printed

HEADING = "Tools"


def _seed(text: Any) -> Any:
    from gfactor.benchmarks.percept_v.options import parse_seed

    return parse_seed(str(text))


command = printed(
    __doc__, "demo", {"folder": "-o DIR", "seed": "--seed N"}, reads={"seed": _seed},
    without=["domains", "profile_items", "placed_items"],
)  # fmt: skip
