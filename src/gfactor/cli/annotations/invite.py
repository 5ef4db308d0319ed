"""gfactor annotate invite: give people a password to log in with.

gfactor annotate invite workspace/ first second
gfactor annotate invite workspace/ third --adjudicator
"""

from gfactor.cli.printing import printed

command = printed(__doc__, "annotate.invite", {"names": "NAME..."}, texts="annotate.texts.invited")
