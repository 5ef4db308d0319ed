"""gfactor study appeal: pay a participant whom the study's rule excludes.

gfactor study appeal study/ p7h3kq9xw2 --reason "the questions were known from the pilot"
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "study.appeal",
    {"person": "PERSON", "reason": "--reason TEXT", "uphold": "--reject"},
    sentences=lambda excluded, person, uphold, **_: (
        f"{person}: {'paid' if uphold else 'not paid'}; by the rule excluded for "
        f"{', '.join(excluded)}"
    ),
    document=lambda excluded, person, uphold, **_: {
        "person": person, "paid": uphold, "excluded_by_rule": [*excluded],
    },
)  # fmt: skip
