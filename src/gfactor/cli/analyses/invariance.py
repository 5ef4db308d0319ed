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
        "ordered": "Ordinal variables; 'all' for all.",
        "std_lv": "Fix each factor's first loading to be invariant.",
    },
    page=True,
    data="data",
)  # fmt: skip
