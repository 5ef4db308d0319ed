"""Sounds and films of a study's pages: files beside study.toml, with the digests declared there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.study.page_definitions import Page, text_in
from gfactor.studies.web.backing_up import file_digest

SOUNDS: Mapping[str, str] = {
    ".mp3": "audio/mpeg", ".m4a": "audio/mp4", ".ogg": "audio/ogg", ".opus": "audio/ogg",
    ".flac": "audio/flac", ".wav": "audio/wav",
}  # fmt: skip
FILMS: Mapping[str, str] = {".mp4": "video/mp4", ".webm": "video/webm"}
KINDS: Mapping[str, str] = {**SOUNDS, **FILMS}
"""Types of files that browsers play, by the ends of their names."""

CAPTIONS = ".vtt"
"""End of the name of a file with captions (WebVTT), which is otherwise that of the recording."""


@dataclass(frozen=True)
class Recording:
    """The sound or film of a page in one language.

    Parameters
    ----------
    name: name of its file.
    captions: name of the file with its captions; "" for none.
    once: True if it is played once at most.
    autoplay: True if it begins by itself.
    """

    name: str
    captions: str
    once: bool
    autoplay: bool

    @property
    def type(self) -> str:
        """Media type of the file."""
        return KINDS[_end(self.name)]

    @property
    def is_film(self) -> bool:
        """Return True if there are pictures to it."""
        return _end(self.name) in FILMS


def recording_of(page: Page, language: str, files: Iterable[str]) -> Recording | None:
    """Return the recording of a page in a language; None if it has none.

    Parameters
    ----------
    files: names of the files that the study declares.
    """
    name = text_in(page.media, language)
    if not name:
        return None
    captions = captions_of(name)
    return Recording(name, captions if captions in set(files) else "", page.once, page.autoplay)


def recording_names(pages: Sequence[Page]) -> tuple[str, ...]:
    """Return the names of all recordings of a study's pages, in their order."""
    named: dict[str, None] = {}
    for page in pages:
        given = [page.media] if isinstance(page.media, str) else page.media.values()
        named |= dict.fromkeys(name for name in given if name)
    return tuple(named)


def captions_of(name: str) -> str:
    """Return the name that the captions of a recording have."""
    return str(PurePosixPath(name).with_suffix(CAPTIONS))


def is_recording_name(name: str) -> bool:
    """Return True if a recording may have this file name and browsers can play it."""
    plain = name.isprintable() and not set(name) & {"/", "\\"} and not name.startswith(".")
    return plain and _end(name) in KINDS


def check_recordings(pages: Sequence[Page], declared: Mapping[str, str], folder: Path) -> None:
    """Raise ParameterError if a recording is missing, or differs from the declared one."""
    for name in {*recording_names(pages), *declared}:
        path = folder / name
        if not path.is_file():
            raise ParameterError(f"{name} is missing; put it into {str(folder)!r}")
        if (digest := file_digest(path)) != declared.get(name):
            raise ParameterError(
                f"{name} of the study has the digest {digest}, and [media] of study.toml declares "
                f"{declared.get(name)!r}; bring the file back, or, before the first participant, "
                "declare the new digest"
            )


def _end(name: str) -> str:
    return PurePosixPath(name).suffix.lower()
