"""gfactor study restore: restore a study from a backup.

gfactor study restore backups/ -o study/
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "study.restore", {"path": "BACKUP", "folder": "-o FOLDER"},
    texts="hosting_texts.restored",
)  # fmt: skip
