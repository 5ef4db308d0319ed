"""gfactor annotate gold: set the known category of some responses.

gfactor annotate gold workspace/ known.csv
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "annotate.gold", {"table": "FILE.csv"}, texts="annotate.texts.with_gold")
