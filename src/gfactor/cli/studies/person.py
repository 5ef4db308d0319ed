"""gfactor study person: show, export or delete a participant's data, by receipt code.

gfactor study person study/ abcde-fghjk-mnpqr-stuvw --export data.json
gfactor study person study/ abcde-fghjk-mnpqr-stuvw --delete
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "study.person", {"receipt": "RECEIPT", "path": "--export FILE"},
    texts="study.texts.of_person",
)  # fmt: skip
