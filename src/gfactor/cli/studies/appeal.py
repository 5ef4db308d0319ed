"""gfactor study appeal: pay a participant whom the study's rule excludes.

gfactor study appeal study/ p7h3kq9xw2 --reason "the questions were known from the pilot"
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "study.appeal",
    {"person": "PERSON", "reason": "--reason TEXT", "uphold": "--reject"},
    helps={"uphold": "Revoke an earlier decision to pay."},
    texts="study.texts.appealed",
)  # fmt: skip
