"""gfactor annotate agreement: measure the agreement of annotators.

gfactor annotate agreement workspace/
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "annotate.agreement", texts="annotate.texts.agreed")
