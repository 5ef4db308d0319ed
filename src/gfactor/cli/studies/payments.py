"""gfactor study payments: write the file by which a recruiting service pays participants.

gfactor study payments study/ --service prolific -o pay.csv
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__,
    "study.payments",
    {"path": "-o CSV", "kind": "--kind KIND"},
)
