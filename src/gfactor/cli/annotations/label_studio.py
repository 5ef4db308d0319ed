"""gfactor annotate label-studio: write tasks for Label Studio, or take its annotations in.

gfactor annotate label-studio workspace/ -o tasks.json
gfactor annotate label-studio workspace/ --from export.json
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "annotate.label_studio", {"write": "-o JSON", "read": "--from JSON"},
    texts="annotate.texts.in_label_studio",
)  # fmt: skip
