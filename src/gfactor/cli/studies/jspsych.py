"""gfactor study jspsych: write a study as a static experiment.

gfactor study jspsych study/ -o experiment/ --forms 80
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "study.jspsych", {"library": "--library URL"}, texts="study.texts.for_jspsych"
)
