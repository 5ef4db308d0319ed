"""gfactor study status: show the progress of a study.

gfactor study status study/
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "study.status")
