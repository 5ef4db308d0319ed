"""gfactor study pay: approve, reject and pay participants through Prolific's API.

gfactor study pay study/
gfactor study pay study/ --send
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "study.pay", {"kinds": "--kind KIND"})
