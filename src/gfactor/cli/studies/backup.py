"""gfactor study backup: copy a study while it is served.

gfactor study backup study/ -o backups/ --keep 14
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "study.backup", texts="hosting_texts.backed_up")
