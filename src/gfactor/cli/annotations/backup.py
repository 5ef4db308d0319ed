"""gfactor annotate backup: copy an annotation workspace while it is served.

gfactor annotate backup workspace/ -o backups/ --keep 14
"""

from gfactor.cli.deriving import printed
from gfactor.cli.hosted import BACKUP

command = printed(__doc__, "annotate.backup", {"path": "-o FOLDER"}, **BACKUP)
