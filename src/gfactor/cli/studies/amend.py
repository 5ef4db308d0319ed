"""gfactor study amend: record a change of study.toml after the first participant.

gfactor study amend study/ --reason "Quota raised from 100 to 150 before any analysis"
"""

from contextlib import closing
from pathlib import Path

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "study.amend", {"reason": "--reason TEXT"})
def command(folder: Path, reason: str, as_json: bool) -> None:
    from gfactor.studies.questionnaires import StudyFolder

    changes = study.amend(folder, reason)
    if as_json:
        put_json({"changes": changes, "digest": StudyFolder.open(folder).declaration.digest})
        return
    for one in changes:
        say(f"{one['setting']}: {one['before']!r} -> {one['after']!r}")
    if changes:
        say("recorded; a running server follows it from the next request on")
        return
    with closing(StudyFolder.open(folder).store()) as store:
        say(store.nothing_to_amend())
