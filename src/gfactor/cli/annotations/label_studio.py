"""gfactor annotate label-studio: write tasks for Label Studio, or take its annotations in.

gfactor annotate label-studio workspace/ -o tasks.json
gfactor annotate label-studio workspace/ --from export.json
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "annotate.label_studio", {"write": "-o JSON", "read": "--from JSON"},
    sentences=lambda count, write, **_: (
        f"{write}: {count:,} tasks" if write else f"{count:,} annotations taken in"
    ),
    document=lambda count, write, **_: {"tasks" if write else "annotations": count},
)  # fmt: skip
