"""gfactor study export: write people's answers, for analysis and payment.

gfactor study export study/ -o people/
gfactor matrix people/journal.db --by type -o people.csv
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__,
    "study.export",
    {"keep_invalid": "--without-invalid", "without": "--without MARK"},
    helps={
        "keep_invalid": "Leave submissions that failed the check questions out of the journal, and "
        "no others.",
    },
)
