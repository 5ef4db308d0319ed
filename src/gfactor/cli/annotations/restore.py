"""gfactor annotate restore: make an annotation workspace of a backup.

gfactor annotate restore backups/ -o workspace/
"""

from gfactor.cli.hosted import RESTORED
from gfactor.cli.printing import printed

command = printed(
    __doc__, "annotate.restore", {"path": "BACKUP", "folder": "-o FOLDER"}, **RESTORED
)
