"""gfactor study status: how a study goes.

gfactor study status study/
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "study.status")
