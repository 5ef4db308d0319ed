"""gfactor analyze efa: explore the number of factors, and their indicators.

gfactor analyze efa scores.csv
gfactor analyze efa c.db --by domain
gfactor analyze efa scores.csv --factors 3 --method minres --rotation geomin --general -o efa/
gfactor analyze efa scores.csv --factors 3 --rotation targetQ --target target.csv
"""

from gfactor.cli.tables import by_groups

command = by_groups(
    __doc__,
    "efa",
    {"method": "--method NAME", "rotation": "--rotation NAME", "target": "--target FILE"},
    without=("kaiser", "power"),
)
