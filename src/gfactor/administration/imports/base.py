"""Import formats: functions that read answered items and flaws from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from gfactor.examinees import Reply
from gfactor.items import Item, canonical_json, text_hash
from gfactor.registry import Registry


@dataclass(frozen=True)
class Naming:
    """Facts about a file that a user gives; "" for facts that are read from the file itself.

    Parameters
    ----------
    examinee: name of the examinee.
    condition: key of the condition under which it was asked.
    bank: items by id, if the user named some.
    examinee_column: column of a table with the examinee of each row; "" if a file has one examinee.
    beside: all files of the same import, whose names may tell what the file's own leaves open.
    """

    examinee: str = ""
    condition: str = ""
    bank: Mapping[str, Item] | None = None
    examinee_column: str = ""
    # No fact that a user gave: two namings that differ only here are equal.
    beside: tuple[Path, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Answered:
    """An item with what an examinee replied.

    Parameters
    ----------
    item: item, as far as the file contains it.
    examinee, condition: names as in the journal's key.
    occasion: number of the attempt in this file, from 0.
    reply: reply of the examinee; a failed attempt has a failed outcome, never a wrong answer.
    created: time of the reply, UTC, ISO 8601.
    """

    item: Item
    examinee: str
    condition: str
    occasion: int
    reply: Reply
    created: str


@dataclass(frozen=True)
class Flaw:
    """A part of a file that cannot be imported.

    Parameters
    ----------
    where: position of the part, in words ("row 7", "samples/3_epoch_1.json").
    what: description of the problem.
    """

    where: str
    what: str


@dataclass(frozen=True)
class Remark:
    """A note on a part of a file that was imported in spite of a problem.

    Parameters
    ----------
    where: the part, as in `Flaw`.
    what: content that was imported differently from the file.
    """

    where: str
    what: str


@dataclass(frozen=True)
class LeftOut:
    """A file that the harness derived from others, which is not imported.

    Parameters
    ----------
    why: reason in words, and the files to import instead.
    """

    why: str


@dataclass(frozen=True)
class JournalFile:
    """A file that is a journal itself, so that all of it is copied.

    Parameters
    ----------
    path: the file.
    """

    path: Path


@dataclass(frozen=True)
class Verdict:
    """Verdict of a harness's judge on a reply.

    Parameters
    ----------
    item_id, examinee, condition, occasion: key of the reply.
    judge: the judge's name.
    said: notes of the harness on the reply: text by name.
    created: time of the verdict, UTC, ISO 8601.
    """

    item_id: str
    examinee: str
    condition: str
    occasion: int
    judge: str
    said: Mapping[str, str]
    created: str

    @property
    def key(self) -> str:
        """The hash that identifies the verdict in a journal, as an item's hash identifies an
        item."""
        return verdict_key(self.item_id, self.examinee, self.condition, self.occasion)


def verdict_key(item_id: str, examinee: str, condition: str, occasion: int) -> str:
    """Return the hash that identifies a harness's verdict on a reply in a journal, made of the
    reply's key."""
    return text_hash(canonical_json(["verdict", item_id, examinee, condition, occasion]))


def judge_name(format_name: str, judge: str) -> str:
    """Return the examinee's name under which a journal stores the verdicts of a harness's judge."""
    return f"{format_name}-judge:{judge}"


def harness_of_pack(pack: str) -> str:
    """Return the import format whose harness asked with a prompt pack; "" for a pack of ours.

    A harness's pack has the name of its format, or the declared name, perhaps followed by a hash.

    Examples
    --------
    >>> harness_of_pack("lm-eval-0f3a21bc"), harness_of_pack("percept-v")
    ('lm-eval', '')
    """
    names = {traits_of(name).pack or name: name for name in IMPORTS}
    return names.get(pack) or names.get(pack.rpartition("-")[0], "")


def states_prompt(pack: str) -> bool:
    """Return True if logs with this prompt pack state with which prompt their items were asked.

    A hash in a pack's name is one of the settings of the prompt.

    Examples
    --------
    >>> states_prompt("lm-eval-0f3a21bc"), states_prompt("vlmevalkit"), states_prompt("lmms-eval")
    (True, False, True)
    """
    name = harness_of_pack(pack)
    return bool(name) and (traits_of(name).whole_prompt or pack not in (name, traits_of(name).pack))


JUDGE_CONDITION = "judge"
"""Key of the condition under which a journal stores verdicts."""


@dataclass(frozen=True)
class FolderLogs:
    """Search for the logs of a format in a folder.

    Parameters
    ----------
    names: regular expression of the files' names.
    words: name of the files, for a message.
    after_folder: True if a file counts only if its name begins with that of a folder around it;
        in a folder without such files, those count that `dataset` names.
    dataset: function of a file and of all files of the folder that returns the data set in the
        file's name, "" if it is not clear.
    otherwise: advice for a folder without logs, which follows "name the files".
    """

    names: str
    words: str
    after_folder: bool = False
    otherwise: str = ""
    dataset: Callable[[Path, Sequence[Path]], str] | None = None


@dataclass(frozen=True)
class Traits:
    """Declaration of the properties of a format's files, in addition to the function that reads
    one.

    Parameters
    ----------
    logs: search for its logs in a folder; None for a format that reads files alone, or folders
        itself.
    takes_folders: True if it reads a folder as one run, for formats with several files per run.
    examinee_column: True if `Naming.examinee_column` may name a column of its tables.
    pack: prompt pack in conditions of its answers, if its name is not that of the format.
    whole_prompt: True if the text of its items is the whole prompt, with all instructions.
    """

    logs: FolderLogs | None = None
    takes_folders: bool = False
    examinee_column: bool = False
    pack: str = ""
    whole_prompt: bool = False


_TRAITS: dict[str, Traits] = {}


def declare(name: str, traits: Traits) -> None:
    """Declare the traits of a format; a format without traits reads single files of one examinee.

    Parameters
    ----------
    name: name of the format in `IMPORTS`.
    traits: traits of the format.
    """
    _TRAITS[name] = traits


def traits_of(name: str) -> Traits:
    """Return what a format declared."""
    _ = IMPORTS[name]  # A format's module declares its traits when it is imported.
    return _TRAITS.get(name, Traits())


Source: TypeAlias = Callable[
    [Path, Naming], Iterator[Answered | Verdict | LeftOut | Flaw | Remark | JournalFile]
]
"""Function that reads a file part by part. It raises ParameterError if the file as a whole is not
of its format or does not name the examinee, and MissingExtraError if the file needs an optional
dependency.
"""

IMPORTS: Registry[Source] = Registry(
    "import format", home="gfactor.administration.imports.formats", group="gfactor.imports"
)
"""Every format; a new one is a module in `formats`, or an entry point of another package."""


def utc(moment: str | float) -> str:
    """Return a moment (ISO 8601, or seconds since the epoch) as the journal writes it.

    ISO 8601 without an offset is taken as UTC; ValueError if it is not a time.
    """
    if isinstance(moment, str):
        read = datetime.fromisoformat(moment)
        read = read if read.tzinfo else read.replace(tzinfo=UTC)
    else:
        read = datetime.fromtimestamp(moment, UTC)
    return read.astimezone(UTC).isoformat(timespec="milliseconds")
