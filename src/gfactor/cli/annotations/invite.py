"""gfactor annotate invite: give people a password to log in with.

gfactor annotate invite workspace/ first second
gfactor annotate invite workspace/ third --adjudicator
"""

from gfactor.cli.deriving import printed

command = printed(
    __doc__, "annotate.invite", {"names": "NAME..."}, document=lambda links, **_: links,
    shown=lambda links, **_: "\n".join(f"{name}: {password}" for name, password in links.items()),
)  # fmt: skip
