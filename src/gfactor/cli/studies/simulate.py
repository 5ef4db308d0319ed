"""gfactor study simulate: send simulated people through a study, to try it.

gfactor study simulate trial/ --persons 40 --clickers 5
gfactor study simulate study/ --pilot --misbehaving dropout=3 --misbehaving late=2
gfactor study simulate trial/ --persons 0 --observer "observer:limited?acuity=0.4&seed=1"
"""

from typing import Any

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.errors import ParameterError


def _counts(given: tuple[str, ...]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for text in given:
        kind, _, number = text.partition("=")
        if not number.isdecimal():
            raise ParameterError(
                f"--misbehaving {text!r} says no number; write KIND=N, as in late=2"
            )
        counts[kind] = counts.get(kind, 0) + int(number)
    return counts


SPELLED = {"folder": "FOLDER", "observers": "--observer SPEC", "url": "--url URL",
           "misbehaving": "--misbehaving KIND=N..."}  # fmt: skip


@derived(__doc__, "study.simulate", SPELLED, reads={"misbehaving": _counts})
def command(as_json: bool, **given: Any) -> None:
    done = study.simulate(**given).to_dict()
    if as_json:
        put_json(done)
        return
    say(f"{done['finished']} of {done['people']} bots finished, {done['answers']:,} answers")
    say(
        f"{done['answers_per_second']:,} answers/s; wait {done['wait_p50_ms']} ms in the middle, "
        f"{done['wait_p99_ms']} ms at 99 %"
    )
