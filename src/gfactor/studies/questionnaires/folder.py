"""A study on disk: its definition, its items, its answers, its secrets, in one folder."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.studies.questionnaires.dealing import Dealer
from gfactor.studies.questionnaires.definition import Study
from gfactor.studies.questionnaires.store import Store
from gfactor.studies.web import Secrets


@dataclass(frozen=True)
class StudyFolder:
    """`study.toml`, `bank.parquet`, `answers.db`, and `secrets.json`, for its owner's eyes."""

    path: Path

    @classmethod
    def make(cls, path: Path, study: Study, bank: ItemBank, password: str) -> StudyFolder:
        """Start a study; ParameterError where the folder holds one or a setting does not fit."""
        folder = cls(path)
        if folder._file("study.toml").exists():
            raise ParameterError(f"{str(path)!r} holds a study already; name another folder")
        Dealer(study, bank).form(0)
        secrets = Secrets.make(password)
        try:
            path.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(bank.path, folder._file("bank.parquet"))
            secrets.save(folder._file("secrets.json"))
            folder._file("study.toml").write_text(study.to_toml(), "utf-8")
        except OSError as error:
            raise ParameterError(
                f"cannot make a study in {str(path)!r}: {error.strerror}"
            ) from error
        return folder

    @classmethod
    def open(cls, path: Path) -> StudyFolder:
        """A study that `make` started.

        Raises ParameterError where there is none or its definition cannot be read, BankError where
        its bank cannot: nothing is made in a folder that is no study.
        """
        folder = cls(path)
        for name in ("study.toml", "bank.parquet"):
            if not folder._file(name).exists():
                raise ParameterError(
                    f"{str(path)!r} holds no study ({name} is missing); make one with "
                    "`gfactor study new BANK -o FOLDER`"
                )
        _ = folder.study, folder.bank
        return folder

    @cached_property
    def study(self) -> Study:
        return Study.from_toml(self._file("study.toml"))

    @cached_property
    def bank(self) -> ItemBank:
        return ItemBank.open(self._file("bank.parquet"))

    @property
    def secrets(self) -> Secrets:
        return Secrets.load(self._file("secrets.json"))

    def set_password(self, password: str) -> None:
        """Give the owner a new password; open forms and sessions end."""
        Secrets.make(password).save(self._file("secrets.json"))

    def store(self) -> Store:
        """The answers; close it."""
        return Store(self._file("answers.db"))

    def _file(self, name: str) -> Path:
        return self.path / name
