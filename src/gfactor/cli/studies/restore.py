"""gfactor study restore: make a study of a backup.

gfactor study restore backups/ -o study/
"""

from gfactor.cli.deriving import printed
from gfactor.cli.hosted import RESTORED

command = printed(__doc__, "study.restore", {"path": "BACKUP", "folder": "-o FOLDER"}, **RESTORED)
