"""gfactor export: write the results of a journal in the format of another program.

gfactor export c.db --to eee --organization "An institute" -o eee/
gfactor export c.db --to hf --dataset org/percept-v -o results/

Accuracies follow the benchmark's own rule, with n and 95 % intervals. Facts for which a format has
no field are written into its free text fields (docs/exchange.md).
"""

from gfactor.cli.printing import printed
from gfactor.cli.values import NamedValue

HEADING = "Results"

command = printed(
    __doc__,
    "export",
    {
        "to": "--to FORMAT", "path": "-o DIR",
        "organization": "--organization NAME", "developers": "--developer MODEL=NAME...",
        "dataset": "--dataset ORGANIZATION/NAME", "banks": "--bank FILE",
    },
    reads={"developers": NamedValue("MODEL=NAME", last=True)},
)  # fmt: skip
