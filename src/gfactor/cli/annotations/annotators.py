"""gfactor annotate annotators: show each annotator's progress, quality and time.

gfactor annotate annotators workspace/
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "annotate.annotators", texts="annotate.texts.listed")
