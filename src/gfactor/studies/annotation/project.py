"""A project on disk: its items, its people, its history, in one folder."""

from __future__ import annotations

import json
import secrets as random_secrets
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items import ItemBank, ItemRandom
from gfactor.items.shards import copy_bank
from gfactor.studies.annotation.schemes import SCHEMES
from gfactor.studies.annotation.store import AnnotationStore
from gfactor.studies.web import Secrets
from gfactor.studies.web.database import WAIT_S
from gfactor.studies.web.secrets import hashed_password, new_password

ROLES = ("annotator", "adjudicator")
GUIDELINES = "guidelines.md"


def read_guidelines(path: Path) -> str:
    """Return the text of a Markdown file; raise ParameterError if it cannot be read."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ParameterError(f"{str(path)!r} cannot be read as text in UTF-8: {error}") from error


def _check_name(name: str) -> None:
    """Raise ParameterError if a text cannot be a person's name."""
    if not name or len(name) > 60 or not name.isprintable():
        raise ParameterError(
            f"an annotator's name has 1 to 60 printable characters, not {name[:60]!r}"
        )


@dataclass(frozen=True)
class Project:
    """An annotation project: a folder with `project.json`, `bank.parquet`, `history.db`, and
    `secrets.json`, which only its owner may read."""

    path: Path

    @classmethod
    def make(
        cls, path: Path, bank: ItemBank, title: str, scheme: str, guidelines: str = ""
    ) -> Project:
        """Start a project; raise ParameterError if the folder already holds one."""
        project = cls(path)
        if (path / "project.json").exists():
            raise ParameterError(f"{str(path)!r} already holds a project; name another folder")
        if scheme not in SCHEMES:
            raise UnknownNameError("scheme of error labels", scheme, SCHEMES)
        try:
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            copy_bank(bank.path, path / "bank.parquet")
            Secrets.make(random_secrets.token_urlsafe(24)).save(path / "secrets.json")
            facts = {"title": title, "scheme": scheme}
            if guidelines:
                (path / GUIDELINES).write_text(guidelines, "utf-8")
            (path / "project.json").write_text(json.dumps(facts, ensure_ascii=False), "utf-8")
        except OSError as error:
            raise ParameterError(
                f"cannot make a project in {str(path)!r}: {error.strerror}"
            ) from error
        return project

    @classmethod
    def open(cls, path: Path) -> Project:
        """Return a project that `make` started.

        Raises ParameterError if the folder holds no project or its settings cannot be read, and
        BankError if its bank cannot be read. The folder is not changed.
        """
        if not (path / "project.json").exists():
            raise ParameterError(
                f"{str(path)!r} holds no annotation project; make one with "
                "`gfactor annotate new BANK -o FOLDER`"
            )
        opened = cls(path)
        _ = opened.title, opened.scheme, opened.bank
        return opened

    @cached_property
    def _facts(self) -> dict[str, str]:
        path = self.path / "project.json"
        try:
            facts = json.loads(path.read_text("utf-8"))
            return {"title": str(facts["title"]), "scheme": str(facts["scheme"])}
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise ParameterError(
                f"{str(path)!r} cannot be read as a project: it needs a JSON object with title and "
                "scheme; bring it back from a copy"
            ) from error

    @property
    def title(self) -> str:
        return self._facts["title"]

    @property
    def scheme(self) -> str:
        """The name of the scheme of error labels."""
        name = self._facts["scheme"]
        if name not in SCHEMES:
            raise UnknownNameError("scheme of error labels", name, SCHEMES)
        return name

    @cached_property
    def bank(self) -> ItemBank:
        return ItemBank.open(self.path / "bank.parquet")

    @cached_property
    def secrets(self) -> Secrets:
        return Secrets.load(self.path / "secrets.json")

    def store(self, wait_s: float = WAIT_S) -> AnnotationStore:
        """Return the history, which the caller closes."""
        return AnnotationStore(self.path / "history.db", wait_s)

    @property
    def guidelines(self) -> str:
        """Return the guidelines of annotators (Markdown, `guidelines.md` of the folder), or ""."""
        path = self.path / GUIDELINES
        return read_guidelines(path) if path.exists() else ""

    def invite(self, name: str, role: str = "annotator", *, again: bool = False) -> str:
        """Add an annotator or an adjudicator; return the new password, which is not stored.

        Raises as `invite_all`.
        """
        return self.invite_all([name], role, again=again)[name]

    def invite_all(
        self, names: Sequence[str], role: str = "annotator", *, again: bool = False
    ) -> dict[str, str]:
        """Add annotators or adjudicators; return the new passwords by name, which are not stored.

        Raises ParameterError for an invalid name, and for a person who was invited before, unless
        `again` replaces the password; nobody is then added.
        """
        if role not in ROLES:
            raise UnknownNameError("role", role, ROLES)
        for name in names:
            _check_name(name)
        with closing(self.store()) as store:
            annotators = set() if again else set(store.annotators())
            before = next((name for name in names if name in annotators), None)
            if before is not None:
                raise ParameterError(
                    f"{before!r} was invited before and has a password; to replace it invite them "
                    "with --again (from Python: again=True)"
                )
            passwords = {name: new_password() for name in names}
            for name, password in passwords.items():
                salt = random_secrets.token_bytes(16)
                store.invite(name, role, salt, hashed_password(password, salt))
        return passwords

    def assign(
        self, names: Sequence[str], per_item: int = 2, seed: int = 0, *, responses: bool = False
    ) -> int:
        """Assign every item to `per_item` annotators, with equal numbers of items per annotator;
        return the number of assignments.

        With `responses`, the responses to be labeled are assigned instead of the items.

        The assignment is drawn by the seed: annotators take turns in random order, so that every
        pair shares some items. Items with enough annotators are not changed.

        Raises ParameterError if somebody was not invited, or too few are named.
        """
        store = self.store()
        try:
            annotators = store.annotators()
            for name in names:
                if name not in annotators:
                    raise UnknownNameError("annotator", name, annotators)
            if not 1 <= per_item <= len(set(names)):
                raise ParameterError(
                    f"each item needs {per_item} annotators, but {len(set(names))} are named; "
                    "name more"
                )
            units = [*self.bank.ids]
            if responses:
                units = [response_unit(n) for n in sorted(map(int, store.responses()["id"]))]
            pairs = _balanced(units, sorted(set(names)), per_item, store.assignments(), seed)
            store.assign(pairs)
        finally:
            store.close()
        return len(pairs)

    def take_back(self, names: Sequence[str], *, responses: bool = False) -> int:
        """Remove the assignments that people have not worked on; return their number.

        Assignments of items that the person has drafted (with `responses`: responses that the
        person has labeled) stay. Removed items can be assigned to others, and their removed drafts
        are no longer expected.

        Raises UnknownNameError for somebody who was not invited.
        """
        with closing(self.store()) as store:
            annotators = store.annotators()
            for name in names:
                if name not in annotators:
                    raise UnknownNameError("annotator", name, annotators)
            prefix = response_unit(0)[:-1]
            done = {
                (f"{prefix}{unit}" if responses else unit, name)
                for unit, name in store.latest("label" if responses else "draft")
            }
            pairs = [
                (unit, name)
                for unit, name in store.assignments()
                if name in names
                and unit.startswith(prefix) == responses
                and (unit, name) not in done
            ]
            store.take_back(pairs)
        return len(pairs)


def response_unit(number: int) -> str:
    """Return the name of a response in assignments, which differs from any item's id."""
    return f"response:{number}"


def _balanced(
    units: Sequence[str], names: Sequence[str], per_unit: int, given: Sequence[tuple[str, str]],
    seed: int,
) -> list[tuple[str, str]]:  # fmt: skip
    """Missing pairs of unit and annotator, with equal numbers for all annotators."""
    have: dict[str, set[str]] = {}
    for unit, name in given:
        have.setdefault(unit, set()).add(name)
    load = dict.fromkeys(names, 0)
    pairs = []
    for unit in ItemRandom({"assign": seed}, 0).shuffled(units):
        order = ItemRandom({"assign": seed, "item": unit}, 0).shuffled(sorted(load))
        free = sorted((n for n in order if n not in have.get(unit, ())), key=load.__getitem__)
        for name in free[: max(0, per_unit - len(have.get(unit, ())))]:
            load[name] += 1
            pairs.append((unit, name))
    return pairs
