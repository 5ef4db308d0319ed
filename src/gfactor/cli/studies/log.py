"""gfactor study log: what a study's owners did.

gfactor study log study/
"""

from gfactor.cli.printing import printed

ABOUT = "The exit code is 1 if a row was changed or deleted."

command = printed(__doc__, "study.log", about=ABOUT)
