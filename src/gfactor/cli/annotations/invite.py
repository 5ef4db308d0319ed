"""gfactor annotate invite: give people a password to log in with.

gfactor annotate invite workspace/ first second
gfactor annotate invite workspace/ third --adjudicator
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "annotate.invite", {"names": "NAME..."},
    sentences=lambda links, **_: "\n".join(map("{0[0]}: {0[1]}".format, links.items())),
)  # fmt: skip
