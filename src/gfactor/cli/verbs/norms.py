"""gfactor norms: make norms: percentiles and T scores of people by group.

gfactor norms people/ --by age=18,30,45,60 --by gender --sample "volunteers" -o norms.json
gfactor norms people/ --calibration g.calibration.json -o abilities.norms.json
"""

from gfactor.cli.printing import printed

HEADING = "People"

command = printed(
    __doc__,
    "norms",
    {
        "people": "PEOPLE...", "by": "--by COLUMN[=CUTS]", "path": "-o FILE",
        "labels": "--label LABEL",
    },
    defaults={"path": "norms.json"},
    wrote="path",
)  # fmt: skip
