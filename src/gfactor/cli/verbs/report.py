"""gfactor report: make the report of a journal: tables, figures and one page to open.

gfactor report c.db -o report/
gfactor report c.db -o report/ --judge openai:gpt-4o-mini --condition default
gfactor report c.db -o report/ --labels labels.csv --models models.csv

The numbers are the same as those of gfactor score.
"""

from gfactor.cli.printing import printed

HEADING = "Results"

command = printed(
    __doc__, "report", {"folder": "-o DIR"}, judged=True,
)  # fmt: skip
