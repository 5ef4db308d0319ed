"""gfactor study backups: list backups, with what was deleted since each.

gfactor study backups backups/ study/
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "study.backups", {"path": "BACKUPS"})
