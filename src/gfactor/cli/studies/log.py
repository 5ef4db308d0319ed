"""gfactor study log: show what a study's owners did.

gfactor study log study/

The exit code is 1 if a row was changed or deleted.
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "study.log")
