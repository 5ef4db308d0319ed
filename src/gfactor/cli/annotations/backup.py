"""gfactor annotate backup: copy an annotation workspace while it is served.

gfactor annotate backup workspace/ -o backups/ --keep 14
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "annotate.backup", texts="hosting_texts.backed_up")
