"""gfactor study jspsych: write a study as a static experiment.

gfactor study jspsych study/ -o experiment/ --forms 80
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "study.jspsych", {"library": "--library URL"},
    sentences=lambda count, path, forms, **_: (
        f"{path}: {forms} forms of {count:,} items; open index.html through a web server"
    ),
    document=lambda count, forms, **_: {"forms": forms, "items": count},
)  # fmt: skip
