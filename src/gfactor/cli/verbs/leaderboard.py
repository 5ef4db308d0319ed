"""gfactor leaderboard: make a website of journals: scores, rank sets, profiles, every reply.

gfactor leaderboard c.db -o site/ --bank bank.parquet
gfactor leaderboard c.db --serve
"""

from gfactor.cli.printing import served

HEADING = "Results"

command = served(
    __doc__,
    "leaderboard",
    "{journals}: {address}",
    {
        "journals": "JOURNAL...", "folder": "-o FOLDER", "banks": "--bank FILE",
        "judge": "--judge NAME",
    },
)  # fmt: skip
