"""gfactor annotate restore: restore an annotation workspace from a backup.

gfactor annotate restore backups/ -o workspace/
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "annotate.restore", {"path": "BACKUP", "folder": "-o FOLDER"},
    texts="hosting_texts.restored",
)  # fmt: skip
