"""gfactor analyze invariance: test whether a model measures the same in all groups.

gfactor analyze invariance scores.csv --model m.lav --group language
gfactor analyze invariance scores.csv --model m.lav --group kind --partial -o invariance/
"""

from gfactor.cli.printing import printed
from gfactor.cli.spelling import TABLE_OPTIONS

command = printed(
    __doc__,
    "invariance",
    {
        "model": "--model FILE", "data": "DATA.csv", "reference": "--reference GROUP",
        "ordered": "--ordered NAMES,...", "std_lv": "--marker",
        **TABLE_OPTIONS,
    },
    reads={"model": str},
    helps={
        "model": "A file with lavaan syntax, or the model itself.",
        "ordered": "Names of ordinal variables; 'all' for all variables of the model.",
        "std_lv": "Scale each factor by its first loading, which is then taken as invariant, "
        "instead of by its variance.",
    },
    page=True,
    data="data",
)  # fmt: skip
