"""Functions for a study's owner: make it, change it, close it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from gfactor.api.inputs.calls import option
from gfactor.api.inputs.taking import BankLike, as_bank
from gfactor.errors import ParameterError
from gfactor.items import ItemBank
from gfactor.parameters import Count, Seed, StandardError
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import calibration_digest, read_calibration
from gfactor.results import number_of
from gfactor.studies.questionnaires import (
    Adaptive,
    Overview,
    Pay,
    Payment,
    Study,
    StudyExport,
    StudyFolder,
    export_study,
    overview,
)
from gfactor.studies.questionnaires.storing.action_log import at_the_command_line
from gfactor.studies.questionnaires.storing.owners import FIRST
from gfactor.studies.questionnaires.study.page_definitions import Page
from gfactor.studies.questionnaires.study.pinning import options_to_pin
from gfactor.studies.questionnaires.study.settings import Conduct, Rules, Signature
from gfactor.studies.questionnaires.study.study_files import read_study_file
from gfactor.studies.web.extras import installed
from gfactor.studies.web.secrets import new_password

PASSWORD = "GFACTOR_OWNER_PASSWORD"
"""The environment variable that may hold an owner's password."""

_MOST_WARNINGS = 20
"""Warnings that the summary of a new study shows."""


@dataclass(frozen=True)
class NewStudy:
    """A study that was made.

    Parameters
    ----------
    folder: folder of the study.
    study: settings of the study, as in study.toml.
    items: number of items in its bank.
    password: password of the owner; it is stored nowhere else.
    warnings: sentences about answer options that refer to other options, although their order is
        random.
    made_up: True if the password was generated here, so that it has to be shown.
    form: number of steps of each kind (item, practice, check) that a person gets in the study's
        language; empty if their number depends on the answers.
    forms: the same by language, if people of different languages get other numbers of steps.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> opened = gf.study.new(bank, "study", title="Colors")
    >>> isinstance(opened, gf.study.NewStudy), opened.items
    (True, 10)
    """

    folder: Path
    study: Study
    items: int
    password: str
    warnings: tuple[str, ...]
    made_up: bool = False
    form: Mapping[str, int] = field(default_factory=dict)
    forms: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def summary(self) -> str:
        """Return the new files, the next steps and the warnings, as text."""
        lines = [
            f"{self.folder}: a study of {self.items} items{self._form_text()}; edit study.toml, "
            "then",
            f"  gfactor study serve {self.folder}",
            *self._many_checks(),
            *(["  which needs an extra: pip install 'gfactor[web]'"] if not installed() else []),
            *(f"warning: {one}" for one in self.warnings[:_MOST_WARNINGS]),
        ]
        if self.warnings:
            left = len(self.warnings) - _MOST_WARNINGS
            more = f"and {left:,} more; " if left > 0 else ""
            lines.append(f"  {more}add to [pins] in study.toml, or begin anew with --pin found")
        if self.made_up:
            lines.append(f"owner's password (kept nowhere): {self.password}")
        return "\n".join(lines)

    def _many_checks(self) -> list[str]:
        """Return the warning that a person gets more check questions than items, if so."""
        forms = self.forms or {"": self.form}
        for language, form in forms.items():
            items, checks = form.get("item", 0), form.get("check", 0)
            if checks > items:
                counts = f"{number_of(checks, 'check question')} and {number_of(items, 'item')}"
                who = f"a person of language {language}" if language else "a person"
                return [f"warning: {who} gets {counts}; set checks lower in study.toml"]
        return []

    def _form_text(self) -> str:
        """Return what a person gets of them, if that is not all and nothing else."""
        if self.forms:
            texts = [f"in {name} {_steps_text(form)}" for name, form in self.forms.items()]
            return f" ({'; '.join(texts)})"
        items = self.form.get("item", 0)
        if not items or (items == self.items and not self.form.get("practice", 0)):
            return ""
        return f" ({_steps_text(self.form)})"

    def to_dict(self) -> dict[str, Any]:
        """Return the study for JSON, with its password if it was generated."""
        facts = {"folder": str(self.folder), "study": self.study.id, "items": self.items}
        secret = {"password": self.password} if self.made_up else {}
        return facts | {"warnings": list(self.warnings)} | secret


def new(
    bank: BankLike,
    folder: Path | str,
    *,
    title: str | None = None,
    id: str | None = None,
    pins: Mapping[str, Sequence[str]] | Sequence[str] | Literal["found"] | None = None,
    base_pay: float = 0.0,
    pay_per_right: float = 0.0,
    currency: str = "",
    time_limit: float = 0.0,
    password: str | None = None,
    adaptive: bool = False,
    calibration: Calibration | Path | str | None = None,
    max_items: Count | None = None,
    se: StandardError | None = None,
    among: Count | None = None,
    language: str | None = None,
    seed: Seed | None = None,
    per_person: int | None = None,
    blocks: str | None = None,
    shuffle: bool | None = None,
    shuffle_options: bool | None = None,
    practice: Sequence[str] | None = None,
    checks: int | None = None,
    quota: int | None = None,
    quotas: Mapping[str, int] | None = None,
    consent: str | None = None,
    consent_version: str | None = None,
    contact: str | None = None,
    retention_days: int | None = None,
    external_id: str | None = None,
    external_facts: Sequence[str] | None = None,
    ids: str | None = None,
    completion_code: str | None = None,
    completion_url: str | None = None,
    disclose: str | None = None,
    rules: Rules | None = None,
    pages: Sequence[Page] | None = None,
    conditions: Sequence[str] | None = None,
    counterbalance: Sequence[str] | None = None,
    languages: Sequence[str] | None = None,
    random_languages: Sequence[str] | None = None,
    service: str | None = None,
    codes: Mapping[str, str] | None = None,
    conduct: Conduct | None = None,
    payment: Payment | None = None,
    place_minutes: float | None = None,
    signature: Signature | None = None,
) -> NewStudy:
    """Make a study of a bank: a folder with study.toml, the items and the owner's password.

    A study file (TOML) in the place of the bank holds all settings, and the pages of the study:
    questionnaires, practice, blocks, breaks, debriefing. Everything can be changed in study.toml
    before the first participant comes: consent text, exclusion rules, retention, pay. A setting
    that is left out has the usual value of a study.

    Parameters
    ----------
    bank : ItemBank or path
        The items; or a study file, whose name ends in .toml.
    folder : path
        Folder of the study; it is created if missing.
    title : str
        Title that participants see. If `bank` is a study file, give neither title nor other
        settings except the password.
    id : str, optional
        Name of the study in exports; by default it is made from the title.
    pins : dict, list of str or "found", optional
        Options that keep their place when the order of options is random: their labels by item, or
        texts such as "q7:D". "found" takes all options about which the study warns.
    base_pay : float
        Sum that is paid for a completed study.
    pay_per_right : float
        Sum that is paid for every point earned.
    currency : str
        Currency of the sums, such as "EUR".
    time_limit : float
        Seconds per item; 0 for none.
    password : str, optional
        The owner's; by default that of the environment variable GFACTOR_OWNER_PASSWORD, or else a
        new one, which the summary shows. Only its hash is kept.
    adaptive : bool
        Choose the next item of each person by the answers so far (adaptive test); needs
        `calibration`.
    calibration : Calibration or path, optional
        Calibration of the bank, for an adaptive test.
    max_items : int, optional
        With a calibration: largest number of items per person; by default 20.
    se : float, optional
        With a calibration: standard error of ability at which the test stops, in logits of the
        calibration; by default 0.3.
    among : int, optional
        With a calibration: number of most informative items from which the next one is drawn at
        random; by default 1.
    language : str, optional
        Language of the interface, one of `gfactor.studies.questionnaires.LANGUAGES`; by default
        "en".
    seed : int, optional
        Seed of the choice of items for each person, of their order, and of the order of options.
    per_person : int, optional
        Number of items per person; 0, the default, for all.
    blocks : str, optional
        Label of the items that forms blocks: items with the same value follow each other; "" for
        no blocks.
    shuffle : bool, optional
        True if the order of items (within blocks) and of blocks is random.
    shuffle_options : bool, optional
        True if the order of options is random.
    practice : list of str, optional
        Items that come first, with feedback, and do not count.
    checks : int, optional
        Number of check questions that are put among the items; by default 5.
    quota : int, optional
        Number of completed submissions after which nobody else is admitted; 0 (default) for no
        limit.
    quotas : dict of str to int, optional
        Largest number of completed submissions of each group.
    consent : str, optional
        Text of the consent (Markdown); "" for the text of the interface.
    consent_version : str, optional
        Version of the consent text, which is stored with each consent.
    contact : str, optional
        Person to whom participants may write.
    retention_days : int, optional
        Number of days after which data that link answers to people are deleted.
    external_id : str, optional
        URL parameter with the recruiting service's id; "" for none.
    external_facts : list of str, optional
        Further URL parameters of the service that are stored.
    ids : {"optional", "required", "signed"}, optional
        Use of ids of a recruiting service: "optional" (the default), "required" (the address has
        to hold an id) or "signed" (people need a signed link).
    completion_code : str, optional
        Completion code that a person gets at the end.
    completion_url : str, optional
        Address to which a person is sent at the end.
    disclose : {"never", "closed"}, optional
        Time at which participants see the right answers: "never", the default, or "closed".
    rules : Rules, optional
        Rules that mark submissions as invalid.
    pages : list of Page, optional
        Pages of the study in their order.
    conditions : list of str, optional
        Conditions between persons; each is allocated to equally many persons.
    counterbalance : list of str, optional
        Blocks whose order differs from person to person.
    languages : list of str, optional
        Languages from which a participant chooses one.
    random_languages : list of str, optional
        Languages among which a participant is allocated at random.
    service : str, optional
        Recruiting service that sends participants; its URL parameters are stored.
    codes : dict of str to str, optional
        Codes or addresses for people who do not complete the study, by outcome.
    conduct : Conduct, optional
        Person responsible for data protection, and other facts for the page about it.
    payment : Payment, optional
        Rules that exclude a submission from payment.
    place_minutes : float, optional
        Number of minutes after which the place of a person who does not finish is given to others.
    signature : Signature, optional
        Studies at the recruiting service whose signed addresses are required; with `ids="signed"`.

    Returns
    -------
    NewStudy
        `folder`, `items`, `password`, `warnings`, `summary()`.

    Raises
    ------
    ParameterError
        If the folder already holds a study, or a setting is impossible.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> opened = gf.study.new(bank, "study", title="Colors", per_person=5, seed=7)
    >>> opened.study.id, opened.items
    ('colors', 10)
    """
    possible = {
        "language": language,
        "seed": seed,
        "per_person": per_person,
        "blocks": blocks,
        "shuffle": shuffle,
        "shuffle_options": shuffle_options,
        "practice": tuple(practice) if practice is not None else None,
        "checks": checks,
        "quota": quota,
        "quotas": quotas,
        "consent": consent,
        "consent_version": consent_version,
        "contact": contact,
        "retention_days": retention_days,
        "external_id": external_id,
        "external_facts": tuple(external_facts) if external_facts is not None else None,
        "ids": ids,
        "completion_code": completion_code,
        "completion_url": completion_url,
        "disclose": disclose,
        "rules": rules,
        "pages": tuple(pages) if pages is not None else None,
        "conditions": tuple(conditions) if conditions is not None else None,
        "counterbalance": tuple(counterbalance) if counterbalance is not None else None,
        "languages": tuple(languages) if languages is not None else None,
        "random_languages": tuple(random_languages) if random_languages is not None else None,
        "service": service,
        "codes": codes,
        "conduct": conduct,
        "payment": payment,
        "place_minutes": place_minutes,
        "signature": signature,
    }
    settings: dict[str, Any] = {k: v for k, v in possible.items() if v is not None}
    limits = {"max_items": max_items, "se": se, "among": among}
    limits = {name: value for name, value in limits.items() if value is not None}
    if isinstance(bank, str | Path) and Path(bank).suffix == ".toml":
        others = {"title": title, "id": id, "pins": pins, "currency": currency,
                  "base_pay": base_pay, "pay_per_right": pay_per_right, "time_limit": time_limit,
                  "adaptive": adaptive, "calibration": calibration, **limits}  # fmt: skip
        given = [*settings, *(name for name, value in others.items() if value)]
        if given:
            raise ParameterError(
                f"{option(given[0])} is a setting of the study, and a study file holds all "
                "settings; set it in the file"
            )
        return _of_file(Path(bank), Path(folder), password)
    if not title:
        raise ParameterError("a study needs a title, which participants see")
    if calibration is None and (adaptive or limits):
        name = option(next(iter(limits), "adaptive"))
        raise ParameterError(f"{name} needs {option('calibration')}, the calibration of the bank")
    opened = as_bank(bank)
    loaded = None if calibration is None else _calibration(calibration)
    chosen = None
    if loaded is not None:
        chosen = Adaptive(digest=calibration_digest(loaded), **{**_LIMITS, **limits})
    study = Study(
        id=id or _identifier(title),
        title=title,
        pins=_pinned(pins or {}, opened),
        time_limit_s=time_limit,
        pay=Pay(currency, base_pay, pay_per_right),
        adaptive=chosen,
        **{"payment": Payment(), **settings},
    )
    secret, made_up = owner_secret(password)
    calibrations = {chosen.calibration: loaded} if chosen and loaded else {}
    opened_study = StudyFolder.make(Path(folder), study, opened, secret, calibrations)
    return _new_study(opened_study, secret, made_up)


_LIMITS: dict[str, Any] = {"max_items": 20, "se": 0.3, "among": 1}
"""Limits of an adaptive study, if nobody says."""


def owner_secret(password: str | None) -> tuple[str, bool]:
    """Return an owner's password, and True if it was generated here and has to be shown.

    It is the given password, that of the environment variable GFACTOR_OWNER_PASSWORD, or a new one.
    """
    given = os.environ.get(PASSWORD) if password is None else password
    return (new_password(), True) if given is None else (given, False)


def _pinned(
    pins: Mapping[str, Sequence[str]] | Sequence[str], bank: ItemBank
) -> dict[str, tuple[str, ...]]:
    """Labels by item, of a mapping, or of texts ITEM:LABELS and "found", what is found itself."""
    if isinstance(pins, Mapping):
        return {item: tuple(labels) for item, labels in pins.items()}
    pinned: dict[str, tuple[str, ...]] = {}
    for text in (pins,) if isinstance(pins, str) else pins:
        item, _, labels = text.rpartition(":")
        if text == "found":
            options = options_to_pin(bank)
            pinned |= {one.item: one.labels for one in options if one.item not in pinned}
        elif not item or not labels.strip():
            raise ParameterError(
                f"{option('pins')} {text!r} names no option; write ITEM:LABELS, as in q7:D"
            )
        else:
            pinned[item] = tuple(label.strip() for label in labels.split(","))
    return pinned


def _of_file(path: Path, folder: Path, password: str | None) -> NewStudy:
    """A study of a study file."""
    given = read_study_file(path)
    secret, made_up = owner_secret(password)
    study = replace(given.study, payment=given.study.payment or Payment())
    opened = StudyFolder.make(folder, study, given.bank, secret, given.calibrations, given.files)
    return _new_study(opened, secret, made_up)


def _steps_text(form: Mapping[str, int]) -> str:
    """Return in words the steps of each kind that a person gets."""
    practiced, checks = form.get("practice", 0), form.get("check", 0)
    parts = [f"a person answers {form.get('item', 0)}"]
    parts += [f"practices {practiced}"] if practiced else []
    parts += [f"gets {number_of(checks, 'check question')}"] if checks else []
    return ", ".join(parts)


def _new_study(folder: StudyFolder, secret: str, made_up: bool) -> NewStudy:
    """Return what was made, with warnings about options and about checks."""
    study, warnings = folder.study, _to_pin(folder.study, folder.bank)
    form: dict[str, int] = {}
    if study.adaptive is None and not folder.plan.open:
        form = dict(Counter(step.kind for step in folder.plan.start(0)))
    forms = {
        language: dict(Counter(step.kind for step in plan.start(0)))
        for language, plan in folder.plans.items() if form and not plan.open
    }  # fmt: skip
    if all(other == form for other in forms.values()):
        forms = {}
    return NewStudy(folder.path, study, len(folder.bank), secret, warnings, made_up, form, forms)


def _to_pin(study: Study, bank: ItemBank) -> tuple[str, ...]:
    """Sentences about options that speak of others and may change their position."""
    pins = {**study.pins, **{k: v for page in study.pages or () for k, v in page.pins.items()}}
    unpinned = [one for one in options_to_pin(bank) if not one.is_pinned(pins)]
    return tuple(one.sentence for one in unpinned) if study.shuffle_options else ()


def amend(folder: Path | str, reason: str) -> list[dict[str, object]]:
    """Record a change of study.toml that was made after the first participant had begun.

    A study is frozen when its first participant begins: a changed study.toml is then refused until
    the change is undone or recorded here. All exports hold the date of the change and its reason.
    The bank cannot be changed. A running server uses the changed study from the next request on.

    Parameters
    ----------
    folder : path
        Folder of the study.
    reason : str
        Reason for the change; every export contains it.

    Returns
    -------
    list of dict
        The changes: `setting`, `before`, `after`.

    Raises
    ------
    ParameterError
        If the reason is empty, the bank was changed, or no form for participants can be made from
        the changed study.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> gf.study.amend("study", "nobody has come yet")
    []
    """
    opened = StudyFolder.open(Path(folder))
    if not reason.strip():
        raise ParameterError("the reason is empty; say why the study is changed")
    for plan in opened.plans.values():
        plan.start(0)
    with closing(opened.store_as_it_is()) as store:
        return list(store.amend(opened.declaration, reason.strip()))


def close(folder: Path | str) -> str:
    """Close a study: nobody can begin or answer any more.

    A running server closes the study at once. If study.toml has `disclose = "closed"`,
    participants who come back see the right answers from now on, and the study cannot be opened
    again. All other studies can.

    Parameters
    ----------
    folder : path
        Folder of the study.

    Returns
    -------
    str
        Time at which the study was closed (UTC, ISO 8601).

    Raises
    ------
    ParameterError
        If the folder holds no study.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> gf.study.close("study")[:2]
    '20'
    """
    with closing(StudyFolder.open(Path(folder)).store()) as store:
        return store.end()


def password(folder: Path | str, password: str | None = None) -> str:
    """Set a new password for the owner; a running server has to be started again.

    Parameters
    ----------
    folder : path
        Folder of the study.
    password : str, optional
        New password; by default that of the environment variable GFACTOR_OWNER_PASSWORD, or else a
        random one. Only its hash is stored.

    Returns
    -------
    str
        The password.

    Raises
    ------
    ParameterError
        If the folder holds no study, or the password is too short.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> opened = gf.study.new(bank, "study", title="Colors")
    >>> gf.study.password("study") == opened.password
    False
    """
    opened = StudyFolder.open(Path(folder))
    secret, _ = owner_secret(password)
    opened.set_password(secret)
    with closing(opened.store_as_it_is()) as store:
        store.log.add(at_the_command_line(), "password set", FIRST)
    return secret


def export(
    folder: Path | str,
    path: Path | str,
    *,
    keep_invalid: bool = True,
    finished_only: bool = False,
    without: Sequence[str] = (),
    identifiers: bool = False,
    pilot: bool = False,
) -> StudyExport:
    """Write journal.db (people as examinees), a Psych-DS data set, bonus.csv, declaration.json.

    The journal can be used like a journal of models: with `gf.score`, `gf.matrix`, `gf.report`. To
    add people to a journal of models, export into its folder, in which it must be called
    journal.db.

    Parameters
    ----------
    folder : path
        Folder of the study.
    path : path
        Folder to write to; it is created if missing.
    keep_invalid : bool
        True (the default) to include submissions that failed the check questions in the journal.
    finished_only : bool
        Leave unfinished submissions out of the journal.
    without : list of str
        Marks whose submissions stay out of the journal: "invalid", "speeding", "straight_lining",
        "distracted", "incomplete".
    identifiers : bool
        Write the ids of the recruiting service into bonus.csv, the only file that holds them.
    pilot : bool
        Export the pilot's answers, which are in no other export.

    Returns
    -------
    StudyExport
        `files`, `people` and `answers` (their numbers), and `amendments` (recorded changes of the
        study).

    Raises
    ------
    ParameterError
        If the folder holds no study, or study.toml was changed after the study began and the
        change is not recorded.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> gf.study.export("study", "people").people
    0
    """
    opened = StudyFolder.open(Path(folder), pilot=pilot)
    exported = export_study(
        opened,
        Path(path),
        keep_invalid=keep_invalid,
        finished_only=finished_only,
        without=without,
        identifiers=identifiers,
    )
    with closing(opened.store()) as store:
        what = "with recruiting ids" if identifiers else "without recruiting ids"
        store.log.add(at_the_command_line(), "exported", what)
    return exported


def status(folder: Path | str, *, pilot: bool = False) -> Overview:
    """Return the progress of a study: submissions, quotas, marks, and where people dropped out.

    Parameters
    ----------
    folder : path
        Folder of the study.
    pilot : bool
        Report the status of the pilot, not of the study.

    Returns
    -------
    Overview
        `facts` (pairs of name and number), `dropout` (a row per page) and `people` (a row per
        person).

    Raises
    ------
    ParameterError
        If the folder holds no study.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> _ = gf.study.new(bank, "study", title="Colors")
    >>> len(gf.study.status("study").people)
    0
    """
    opened = StudyFolder.open(Path(folder), pilot=pilot)
    with closing(opened.store()) as store:
        return overview(store, opened.study, plans=opened.plans)


def _calibration(given: Calibration | Path | str) -> Calibration:
    return given if isinstance(given, Calibration) else read_calibration(given)


def _identifier(title: str) -> str:
    """Letters and digits of a title, "study" if it has none of the Latin ones."""
    words = "".join(c if c.isascii() and c.isalnum() else " " for c in title.lower()).split()
    return "-".join(words)[:40] or "study"
