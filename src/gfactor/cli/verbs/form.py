"""gfactor form: assemble parallel test forms with equal information from a calibrated bank.

gfactor form bank.calibration.json --bank bank.parquet --length 60 --parallel 4 -o forms
gfactor form bank.calibration.json --target-se 0.3 --anchors 10 --parallel 2 -o forms
"""

from gfactor.cli.printing import printed

HEADING = "Banks"


command = printed(
    __doc__,
    "form",
    {
        "calibration": "CALIBRATION",
        "bank": "--bank BANK",
        "content": "--content LABEL=VALUE:LEAST-MOST...",
        "theta": "--theta X,...",
        "target_se": "--target-se SE",
        "tolerance": "--tolerance SHARE",
        "language": "--language TAG",
    },
    reads={"content": list},
    helps={
        "content": "Smallest and largest number of items with a value of a label that every form "
        "must hold, such as domain=maze:5-10.",
    },
    required=["path"],
)
