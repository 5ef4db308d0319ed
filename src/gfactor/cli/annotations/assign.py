"""gfactor annotate assign: assign items or responses to annotators.

gfactor annotate assign workspace/ first second third --per-item 2
gfactor annotate assign workspace/ first second third --responses --per-item 2
gfactor annotate assign workspace/ third --take-back
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "annotate.assign", {"names": "NAME..."}, texts="annotate.texts.assigned")
