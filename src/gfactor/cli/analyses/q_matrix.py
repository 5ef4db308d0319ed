"""gfactor analyze q-matrix: check whether a Q-matrix distinguishes skills, and fits answers.

gfactor analyze q-matrix q.csv
gfactor analyze q-matrix percept_v.parquet
gfactor analyze q-matrix q.csv --answers answers.csv -o audit/

docs/irt.md describes the computations.
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "audit_q_matrix", {"q": "Q", "answers": "--answers TABLE"}, page=True, data="q",
)  # fmt: skip
