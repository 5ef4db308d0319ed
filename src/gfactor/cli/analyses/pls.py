"""gfactor analyze pls: fit a path model by partial least squares (PLS).

gfactor analyze pls scores.csv --model gold.pls --bootstrap 1000 -o pls/
gfactor analyze pls scores.csv --model gold.pls --group open --permutations 1000

docs/pls.md describes the computations.
"""

from gfactor.cli.backends import jobs_option
from gfactor.cli.printing import printed
from gfactor.cli.spelling import TABLE_OPTIONS

command = printed(
    __doc__,
    "pls",
    {
        "model": "--model FILE", "data": "DATA.csv", "n_bootstrap": "--bootstrap N",
        "permutations": "--permutations N", "folds": "--predict K",
        "against": "--against MODEL", **TABLE_OPTIONS,
    },
    reads={"model": str, "against": str},
    helps={
        "model": "Lines such as  A =~ x1 + x2 (mode A),  A <~ x1 + x2 (mode B),  B ~ A (path),  "
        "G =~ A + B (second order); or these lines themselves, with ; between them.",
        "data": "Table with a row per case. Columns that the model does not name are ignored.",
    },
    options=[
        jobs_option(
            "Number of processes for --bootstrap and --predict; the result does not depend on "
            "it."
        )
    ],
    page=True,
)  # fmt: skip
