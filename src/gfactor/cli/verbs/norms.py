"""gfactor norms: make norms: percentiles and T scores of people by group.

gfactor norms people/ --by age=18,30,45,60 --by gender --sample "volunteers" -o norms.json
gfactor norms answers.csv --id code --columns 'item*' --by sex -o norms.json
gfactor norms people/ --calibration g.calibration.json -o abilities.norms.json
"""

from gfactor.cli.printing import printed
from gfactor.cli.spelling import TABLE_OPTIONS

HEADING = "People"

command = printed(
    __doc__,
    "norms",
    {
        "people": "PEOPLE...", "by": "--by COLUMN[=CUTS]", "path": "-o FILE",
        "labels": "--label LABEL", **TABLE_OPTIONS,
    },
    defaults={"path": "norms.json"},
    wrote="path",
)  # fmt: skip
