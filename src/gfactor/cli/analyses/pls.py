"""gfactor analyze pls: fit a path model by partial least squares (PLS).

gfactor analyze pls scores.csv --model gold.pls --bootstrap 1000 -o pls/
gfactor analyze pls scores.csv --model gold.pls --group open --permutations 1000

docs/pls.md says how everything is computed.
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
        "data": "One row per case, columns as in the model; others are ignored.",
    },
    options=[
        jobs_option(
            "Number of processes for --bootstrap and --predict; the result does not depend on "
            "it."
        )
    ],
    page=True,
)  # fmt: skip
