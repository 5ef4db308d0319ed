"""gfactor annotate agreement: measure the agreement of annotators.

gfactor annotate agreement workspace/
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "annotate.agreement",
    sentences=lambda table, **_: "\n".join(table["what"] + ": " + table["said"]),
)  # fmt: skip
