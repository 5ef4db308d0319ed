"""gfactor study amend: record a change of study.toml after the first participant.

gfactor study amend study/ --reason "Quota raised from 100 to 150 before any analysis"
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "study.amend", {"reason": "--reason TEXT"}, texts="study.texts.amended")
