"""gfactor demo: build, run, score and report an example offline, in one command.

gfactor demo -o demo/
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived, function_of

HEADING = "Tools"


@derived(
    __doc__,
    "demo",
    {"folder": "-o DIR", "seed": "--seed N"},
    reads={"seed": str},
    without=["domains", "profile_items", "placed_items"],
)
def command(folder: Path, seed: str | int, as_json: bool, **given: Any) -> None:
    from gfactor.benchmarks.percept_v.options import parse_seed

    done = function_of("demo")(folder, seed=parse_seed(str(seed)), **given)
    if as_json:
        put_json(done.to_dict())
        return
    say(
        f"Percept-V: {done.items:,} items drawn from seed {seed}; {done.examinees} simulated "
        f"examinees answered {done.asked:,} of them each; {done.seconds:.0f} s"
    )
    for sentence in done.results:
        say(f"- {sentence}")
    say(f"open {Path(done.page).resolve()}")
