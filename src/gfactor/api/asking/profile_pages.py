"""Folders of the pages of profiles: one for each examinee, none of which replaces another's."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.scores.profiles import Profile
from gfactor.reports.leaderboard.answers import slug
from gfactor.reports.pages.joint_profiles import write_profiles
from gfactor.reports.writing.report_folder import Written


@dataclass(frozen=True)
class ProfilePages:
    """The folder into which profiles are written.

    Parameters
    ----------
    output: the folder.
    owner: examinee whose profile lies in it already; "" if there is none.
    """

    output: Path
    owner: str

    @classmethod
    def of(cls, output: Path, examinees: Sequence[str]) -> ProfilePages:
        """Return the pages of a folder, before anybody is asked.

        Raises ParameterError if it has the profile of another model than the only one. The options
        of a specification are not compared: they are known only when the examinee is made.
        """
        pages = cls(output, _owner(output))
        first = examinees[0]
        if len(set(examinees)) == 1 and pages.owner.split("?")[0] not in ("", first.split("?")[0]):
            raise pages._replacing(first)
        return pages

    def folders(self, profiles: Collection[Profile]) -> dict[Path, Profile]:
        """Return profiles by the folder of their page: the output, or one below it by name.

        Raises ParameterError if the output has the profile of another examinee.
        """
        if len(profiles) > 1:
            return {self.output / slug(one.examinee): one for one in profiles}
        (alone,) = profiles
        if self.owner not in ("", alone.examinee):
            raise self._replacing(alone.examinee)
        return {self.output: alone}

    def write_together(self, folders: dict[Path, Profile]) -> Written | None:
        """Write the page of several profiles, unless the folder already has the page of a single
        one."""
        if len(folders) < 2 or self.owner:
            return None
        return write_profiles({path.name: one for path, one in folders.items()}, self.output)

    def _replacing(self, examinee: str) -> ParameterError:
        return ParameterError(
            f"{str(self.output)!r} holds the profile of {self.owner}, which that of {examinee} "
            "would replace; name another folder with -o"
        )


def _owner(folder: Path) -> str:
    """Return the examinee whose profile the folder holds; "" if there is none."""
    try:
        return str(json.loads((folder / "profile.json").read_text("utf-8"))["examinee"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""
