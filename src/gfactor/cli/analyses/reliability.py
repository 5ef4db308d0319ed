"""gfactor analyze reliability: alpha, omega, the greatest lower bound, and what each item adds.

gfactor analyze reliability answers.csv -o reliability/
gfactor analyze reliability c.db
gfactor analyze reliability survey.dta --columns 'item*' --group country --json
"""

from gfactor.cli.tables import by_groups

command = by_groups(__doc__, "consistency", usual="item")
