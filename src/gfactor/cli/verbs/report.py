"""gfactor report: make the report of a journal: tables, figures and one page to open.

gfactor report c.db -o report/
gfactor report c.db -o report/ --judge openai:gpt-4o-mini --condition default
gfactor report c.db -o report/ --by difficulty --labels labels.csv --models models.csv

The numbers are the same as those of gfactor score.
"""

from gfactor.cli.printing import printed
from gfactor.cli.spelling import ITEMS_OF_BANK

HEADING = "Results"

command = printed(
    __doc__, "report", {"folder": "-o DIR", "by": "--by LABEL", **ITEMS_OF_BANK}, judged=True,
)  # fmt: skip
