"""gfactor place: models among real ones, by some of their answers to public benchmarks.

gfactor place answers.csv
gfactor place answers.csv --select adaptive --items mmmu_dev_val=100
"""

from __future__ import annotations

from gfactor.cli.printing import printed
from gfactor.errors import ParameterError

HEADING = "Results"


def _wanted(items: tuple[str, ...]) -> int | dict[str, int]:
    """The number of questions in all, or by benchmark."""
    if len(items) == 1 and items[0].isdecimal():
        return int(items[0])
    wanted = {}
    for text in items:
        name, equals, number = text.rpartition("=")
        if not (name and equals and number.isdecimal()):
            raise ParameterError(
                "--items takes a number, or BENCHMARK=NUMBER, such as mmmu_dev_val=100; "
                f"got {text!r}"
            )
        wanted[name] = int(number)
    return wanted


command = printed(
    __doc__,
    "place",
    {
        "answers": "ANSWERS",
        "calibration": "--calibration NAME",
        "items": "--items N|BENCHMARK=N...",
    },
    reads={"items": _wanted, "calibration": str},
    page=True,
)
