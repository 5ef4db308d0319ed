"""gfactor annotate consensus: estimate the consensus of annotators, by their reliability.

gfactor annotate consensus workspace/ -o consensus.csv
gfactor annotate consensus workspace/ --of quality --json
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "annotate.consensus", {"what": "--of", "n_bootstrap": "--draws N", "path": "-o CSV"},
    wrote="path",
)  # fmt: skip
