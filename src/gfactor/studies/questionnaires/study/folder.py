"""A study on disk: its definition, its items, its answers, its secrets, in one folder."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.items.shards import bank_files, copy_bank
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import (
    calibration_digest,
    read_calibration,
    write_calibration,
)
from gfactor.studies.questionnaires.order.sequencing import FormPlan, adaptive_blocks
from gfactor.studies.questionnaires.storing.declaration import (
    StudyDeclaration,
    check_unchanged,
    keeps_pages,
)
from gfactor.studies.questionnaires.storing.participants import External
from gfactor.studies.questionnaires.storing.store import Store
from gfactor.studies.questionnaires.study.definition import Study
from gfactor.studies.questionnaires.study.languages import plans_of
from gfactor.studies.web import Secrets
from gfactor.studies.web.database import WAIT_S

LINK = "link"
"""The URL parameter that holds a signed id."""

BOT_HEADER = "x-study-bot"
"""The header by which `study simulate` shows that it has the study's secrets."""

PILOT = "pilot.db"
"""The file with the answers of a pilot."""

RESUME = "resume"
"""Purpose of the token in an owner's link with which a participant continues."""

RESUME_DAYS = 30

RESULTS_DAYS = 30
"""Days for which a link to somebody's results is valid."""


LONGEST_ID = 200


_PLACEHOLDER = re.compile(r"\{\{.*\}\}|\$\{.*\}|%[A-Z_]+%")


def is_placeholder(text: str) -> bool:
    """Return True if an address still has the placeholder that a recruiting service replaces by an
    id: "{{%PROLIFIC_PID%}}", "${workerId}", "%SURVEY_CODE%".
    """
    return _PLACEHOLDER.fullmatch(text.strip()) is not None


def can_be_kept(text: str) -> bool:
    """Return True if an id can be stored: it has characters other than control characters and
    replacement characters (U+FFFD, for bytes that are no UTF-8).
    """
    printable = len(text) <= LONGEST_ID and text.isprintable() and "\ufffd" not in text
    return printable and bool(text.strip())


@dataclass(frozen=True)
class StudyFolder:
    """The folder of a study, with `study.toml`, `bank.parquet`, `answers.db`, calibrations of
    adaptive blocks, and `secrets.json`, which only its owner may read.

    `database` is the file of the answers; a pilot (`PILOT`) has its own.
    """

    path: Path
    database: str = "answers.db"

    @classmethod
    def make(
        cls,
        path: Path,
        study: Study,
        bank: ItemBank,
        password: str,
        calibrations: Mapping[str, Calibration] | None = None,
        files: Sequence[Path] = (),
    ) -> StudyFolder:
        """Start a study; raise ParameterError if the folder already holds one or a setting does not
        fit.

        `calibrations` are those of its adaptive blocks, by file name; `files` are other files that
        it names, which are copied.
        """
        folder = cls(path)
        if folder._file("study.toml").exists():
            raise ParameterError(f"{str(path)!r} already holds a study; name another folder")
        loaded = {} if calibrations is None else calibrations
        for plan in plans_of(study, bank, loaded).values():
            plan.start(0)
        secrets = Secrets.make(password)
        try:
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            copy_bank(bank.path, folder._file("bank.parquet"))
            secrets.save(folder._file("secrets.json"))
            for name, calibration in loaded.items():
                write_calibration(calibration, folder._file(name))
            for file in files:
                shutil.copyfile(file, folder._file(file.name))
            folder._file("study.toml").write_text(study.to_toml(), "utf-8")
        except OSError as error:
            raise ParameterError(
                f"cannot make a study in {str(path)!r}: {error.strerror}"
            ) from error
        return folder

    @classmethod
    def open(cls, path: Path, *, pilot: bool = False) -> StudyFolder:
        """Return a study that `make` started; with `pilot` its pilot.

        Raises ParameterError if there is none or its definition cannot be read, BankError if its
        bank cannot be read; nothing is made in a folder that is not a study.
        """
        folder = cls(path)
        for name in ("study.toml", "bank.parquet"):
            files = bank_files(path / name) if name == "bank.parquet" else (path / name,)
            if not files[0].exists():
                raise ParameterError(
                    f"{str(path)!r} holds no study ({name} is missing); make one with "
                    "`gfactor study new BANK -o FOLDER`"
                )
        _ = folder.study, folder.bank
        return folder.as_pilot() if pilot else folder

    @cached_property
    def study(self) -> Study:
        return Study.from_toml(self._file("study.toml"))

    @cached_property
    def bank(self) -> ItemBank:
        return ItemBank.open(self._file("bank.parquet"))

    @cached_property
    def calibrations(self) -> dict[str, Calibration]:
        """The calibrations of adaptive blocks, by file name.

        Raises ParameterError if one is missing, or is not the one that was declared.
        """
        calibrations = {}
        for adaptive in adaptive_blocks(self.study):
            calibration = read_calibration(self._file(adaptive.calibration))
            if (digest := calibration_digest(calibration)) != adaptive.digest:
                raise ParameterError(
                    f"{adaptive.calibration} of the study has the digest {digest}, and study.toml "
                    f"declares {adaptive.digest!r}; bring the file back, or, before the first "
                    "participant, declare the new digest"
                )
            calibrations[adaptive.calibration] = calibration
        return calibrations

    @cached_property
    def plans(self) -> dict[str, FormPlan]:
        """Return the plans of participants' forms, by language."""
        return plans_of(self.study, self.bank, self.calibrations)

    @property
    def plan(self) -> FormPlan:
        """Return the plan of participants' forms in the study's own language."""
        return self.plans[self.study.language]

    @cached_property
    def secrets(self) -> Secrets:
        return Secrets.load(self._file("secrets.json"))

    @cached_property
    def declaration(self) -> StudyDeclaration:
        """The declaration of the study by its current files."""
        digest = hashlib.sha256()
        for name in bank_files(self._file("bank.parquet")):
            with name.open("rb") as file:
                while piece := file.read(2**20):
                    digest.update(piece)
        return StudyDeclaration(self.study.to_json(), digest.hexdigest())

    def stamp(self) -> tuple[int, int]:
        """Return modification time and size of study.toml, by which changes are detected; zeros if
        it is missing."""
        try:
            file = self._file("study.toml").stat()
        except OSError:
            return 0, 0
        return file.st_mtime_ns, file.st_size

    def set_password(self, password: str) -> None:
        """Give the owner a new password; a server that is running has to be started again. Links
        that were sent out stay valid."""
        try:
            secrets = self.secrets.with_password(password)
        except ParameterError:  # no key is left that could be kept
            secrets = Secrets.make(password)
        secrets.save(self._file("secrets.json"))

    def store(self, wait_s: float = WAIT_S) -> Store:
        """Return the database of answers, which the caller closes.

        Raises ParameterError if the study is not as it was declared at the first participant. A
        pilot may change: it is noted in its database.
        """
        opened = self.store_as_it_is(wait_s)
        try:
            if self.pilot:
                self._note_change(opened)
            check_unchanged(opened.declared(), self.declaration)
        except BaseException:
            opened.close()
            raise
        return opened

    def _note_change(self, trial: Store) -> None:
        """Record in a pilot's database that the study has changed."""
        declared = trial.declared()
        now, what = self.declaration, ""
        if declared is not None and declared.bank != now.bank:
            what = "the bank was changed"
        elif declared is not None and not keeps_pages(declared, now):
            what = "pages were removed, renamed or put before others"
        if what:
            raise ParameterError(
                f"{what} since the pilot began; move {PILOT} out of the study's folder, and let "
                "the pilot begin anew"
            )
        trial.amend(self.declaration, "changed during the pilot")

    def store_as_it_is(self, wait_s: float = WAIT_S) -> Store:
        """Open the answers to amend a study whose files may have changed; close it after use."""
        return Store(self._file(self.database), wait_s)

    @property
    def pilot(self) -> bool:
        """Return True if this is the study's pilot."""
        return self.database == PILOT

    def purge(self, opened: Store | None = None) -> None:
        """Delete external ids whose storage time is over, of the study (whose database may be
        open), and of its pilot, which may no longer be served."""
        if opened is not None:
            opened.purge(self.study.retention_days)
        for folder in (self, self.as_pilot())[opened is not None :]:
            if folder._file(folder.database).exists():
                with closing(folder.store_as_it_is(wait_s=0.0)) as store:
                    store.purge(self.study.retention_days)

    def as_pilot(self) -> StudyFolder:
        """Return the study with the answers of its pilot."""
        return replace(self, database=PILOT)

    def external(self, external_id: str, *, signed: bool, facts: Any = ()) -> External:
        """Return the person with an id that a recruiting service or the owner gave."""
        hashed = self.secrets.sign("id", external_id)
        return External(external_id, hashed, tuple(facts), signed)

    def link(self, external_id: str, base: str = "") -> str:
        """Return the address at which one person takes part, signed."""
        return f"{base.rstrip('/')}/?{LINK}={self.secrets.token('participant', external_id)}"

    def resume_link(self, code: str, base: str = "") -> str:
        """Return the address at which one participant can continue, on any device, for
        `RESUME_DAYS`."""
        return f"{base.rstrip('/')}/move/{self.secrets.token(RESUME, code, dated=True)}"

    @property
    def bot_pass(self) -> str:
        """Return the token that bots show in the header `BOT_HEADER`."""
        return self.secrets.token("bot", self.study.id)

    def results_link(self, code: str, base: str = "") -> str:
        """Return the signed address that shows one participant's answers beside the right ones, for
        `RESULTS_DAYS`."""
        return f"{base.rstrip('/')}/results/{self.secrets.token('results', code, dated=True)}"

    def _file(self, name: str) -> Path:
        return self.path / name
