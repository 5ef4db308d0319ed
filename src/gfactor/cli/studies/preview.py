"""gfactor study preview: write every page of a study as a file.

gfactor study preview study/ -o preview/
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "study.preview", texts="study.texts.previewed")
