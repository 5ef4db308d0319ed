"""gfactor analyze reliability: estimate the reliability of a sum, and what each item adds to it.

gfactor analyze reliability answers.csv -o reliability/
gfactor analyze reliability c.db
gfactor analyze reliability survey.dta --columns 'item*' --group country --json
"""

from gfactor.cli.tables import by_groups

command = by_groups(__doc__, "consistency", usual="item")
