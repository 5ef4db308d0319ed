"""gfactor analyze adequacy: check whether correlations suit a factor analysis.

gfactor analyze adequacy scores.csv
gfactor analyze adequacy correlations.csv --n 301 --json
gfactor analyze adequacy survey.sav --columns 'item*' --where 'age>=18' --group country
"""

from gfactor.cli.tables import by_groups

command = by_groups(__doc__, "adequacy")
