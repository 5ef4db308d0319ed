"""gfactor analyze cfa: fit a confirmatory factor analysis or structural equation model.

gfactor analyze cfa scores.csv --model "g =~ raven + series + geometry"
gfactor analyze cfa scores.csv --model m.lav --estimator MLR --missing fiml -o cfa

The output begins with diagnostics. docs/cfa.md describes the computations.
"""

from gfactor.cli.backends import jobs_option
from gfactor.cli.printing import printed
from gfactor.cli.spelling import TABLE_OPTIONS

command = printed(
    __doc__,
    "cfa",
    {
        "model": "--model FILE", "data": "DATA.csv", "model_type": "--type",
        "sampling_weights": "--weights COLUMN", "cluster": "--cluster COLUMN",
        "ordered": "--ordered COLUMN...", "options": "--lavaan-options FILE",
        "scores_path": "--scores FILE", "n_bootstrap": "--bootstrap N",
        "kind": "--bootstrap-type", **TABLE_OPTIONS,
    },
    reads={"model": str},
    helps={
        "model": "File with the model in lavaan's syntax, or the model itself.",
        "ordered": "An ordinal variable, or several separated by commas; 'all' for all variables "
        "of the model.",
    },
    options=[jobs_option("Number of processes for --bootstrap; the result does not depend on it.")],
    page=True,
    twins=["sem"],
)  # fmt: skip
