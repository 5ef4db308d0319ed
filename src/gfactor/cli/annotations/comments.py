"""gfactor annotate comments: write the comments on items and responses.

gfactor annotate comments workspace/ -o comments.csv
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "annotate.comments", {"path": "-o CSV"}, texts="annotate.texts.commented"
)
