"""Check of what is missing before the first participant comes."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from gfactor.listing import first_few
from gfactor.results import number_of
from gfactor.studies.questionnaires.paying.pay import payments
from gfactor.studies.questionnaires.results.exclusion import rule_in_words
from gfactor.studies.questionnaires.results.labels import answer_seconds, marks
from gfactor.studies.questionnaires.results.median_intervals import Floats, median_interval
from gfactor.studies.questionnaires.study.branching import branch_lines
from gfactor.studies.questionnaires.study.definition import Study
from gfactor.studies.questionnaires.study.folder import StudyFolder
from gfactor.studies.questionnaires.study.groups import CONDITION, LANGUAGE, groups_of
from gfactor.studies.questionnaires.study.languages import languages_of
from gfactor.studies.questionnaires.study.page_definitions import text_in
from gfactor.studies.questionnaires.study.pinning import options_to_pin
from gfactor.studies.questionnaires.study.settings import Conduct
from gfactor.studies.web.backing_up import MANIFEST

FEWEST_IN_PILOT = 5
LEAST_SPACE = 1_000_000_000
BACKUP_DAYS = 2.0


@dataclass(frozen=True)
class ReadinessCheck:
    """One line of the checklist.

    Parameters
    ----------
    name: name of what is checked.
    state: "ok"; "missing": required before the start; "note": worth considering. says: description
    of the present state.
    remedy: remedy; "" if nothing has to be done.
    """

    name: str
    state: Literal["ok", "missing", "note"]
    says: str
    remedy: str = ""


def check_study(
    folder: StudyFolder, public_url: str = "", backups: Path | None = None
) -> tuple[ReadinessCheck, ...]:
    """Return the checklist of a study, in the order of the steps to prepare it.

    Parameters
    ----------
    folder: the study.
    public_url: address under which browsers will reach it.
    backups: folder for backups of the study's database.
    """
    study = folder.study
    return (
        *_people(study),
        *_texts(study),
        *_quotas(study),
        *(ReadinessCheck(*line) for line in branch_lines(study.pages or ())),
        *_options(folder),
        *_pilot(folder),
        _payment(study),
        _address(public_url),
        *_machine(folder, backups),
    )


def _judged(name: str, there: bool, says: str, missing: str, remedy: str) -> ReadinessCheck:
    return (
        ReadinessCheck(name, "ok", says)
        if there
        else ReadinessCheck(name, "missing", missing, remedy)
    )


def _people(study: Study) -> Iterator[ReadinessCheck]:
    """Check who is responsible, and what participants are promised."""
    conduct = study.conduct or Conduct()
    yield _judged(
        "contact", bool(study.contact.strip()), study.contact,
        "participants cannot write to anybody", 'set contact = "..." in study.toml',
    )  # fmt: skip
    yield _judged(
        "ethics", bool(conduct.ethics.strip()), conduct.ethics,
        "there is no number of an ethics approval", 'set ethics = "..." in [conduct]',
    )  # fmt: skip
    lacking = [name for name in ("controller", "purpose") if not getattr(conduct, name)]
    yield _judged(
        "data protection", not lacking, "the page on data protection names controller and purpose",
        f"the page on data protection does not say the {' and the '.join(lacking)}",
        f"set {', '.join(lacking)} in [conduct]",
    )  # fmt: skip
    keeps = bool(study.external_id) or study.ids == "signed"
    days = study.retention_days
    yield _judged(
        "retention", not keeps or 1 <= days <= 3_650,
        f"recruiting ids are deleted after {days} days" if keeps else "no recruiting id is kept",
        f"retention_days is {days}: ids would be deleted before anybody is paid" if days < 1
        else f"recruiting ids would be kept for {days / 365:.0f} years",
        "set retention_days to what the ethics approval says",
    )  # fmt: skip
    recruited = keeps and (study.ids != "signed" or study.signature is not None)
    yield _judged(
        "completion code", not recruited or bool(study.completion_code or study.completion_url),
        study.completion_code or study.completion_url or "nobody comes from a recruiting service",
        "people of a recruiting service get no code to go back with",
        'set completion_code or completion_url; or external_id = "" if nobody is recruited',
    )  # fmt: skip
    if study.signature is not None:
        source = study.signature.keys or "the published keys"
        yield ReadinessCheck(
            "signature", "ok", f"only signed addresses of {', '.join(study.signature.studies)} at "
            f"{study.service} begin, checked by {source}",
        )  # fmt: skip


def _texts(study: Study) -> Iterator[ReadinessCheck]:
    """Check that the consent is the study's own, and that every language has every text."""
    pages = [page for page in study.pages or () if page.kind == "consent"]
    written = bool(pages) or bool(study.consent.strip())
    yield _judged(
        "consent", written, f"version {study.consent_version}",
        "the consent is still the interface's own text",
        "write your own: consent in study.toml, or a page of kind consent",
    )  # fmt: skip
    languages, conduct = languages_of(study), study.conduct or Conduct()
    texts = {f"conduct.{n}": getattr(conduct, n) for n in ("controller", "purpose")}
    texts |= {} if isinstance(study.title, str) else {"title": study.title}
    lacking = [
        f"{name} in {language}"
        for name, text in texts.items()
        for language in languages
        if text and not text_in(text, language)
    ]
    if len(languages) > 1 and study.consent.strip() and not pages:
        lacking.append("consent in more than one language")
    yield _judged(
        "languages", not lacking, ", ".join(languages), f"missing: {', '.join(lacking)}",
        'write texts as tables, {en = "...", ar = "..."}; the consent as a page of kind consent',
    )  # fmt: skip


def _quotas(study: Study) -> Iterator[ReadinessCheck]:
    """Check that the quotas can be met together."""
    total, quotas = study.quota, groups_of(study)
    choices = {q.name: {option.value for option in q.options} for page in study.pages or ()
               for q in page.questions if q.kind == "single"}  # fmt: skip
    # With numbers or several answers, a person may belong to two groups, so that sums are not
    # defined.
    exclusive = {
        **choices, LANGUAGE: set(languages_of(study)), CONDITION: set(study.conditions or ()),
    }  # fmt: skip
    wrong = False
    for name, values in exclusive.items():
        quota_of = {group.value: group.quota for group in quotas if group.variable == name}
        allotted, plural = (
            sum(quota_of.values()),
            f"{name}s" if name in (LANGUAGE, CONDITION) else name,
        )
        if total and allotted > total:
            says = f"the quotas of {plural} are {allotted} together, and the study's is {total}"
            yield ReadinessCheck(
                "quotas", "missing", says, f"raise quota to {allotted}, or lower the others"
            )
        elif total and quota_of and set(quota_of) == values and allotted < total:
            says = f"every {name} has a quota, {allotted} together, so {total} are never reached"
            yield ReadinessCheck(
                "quotas", "missing", says, f"lower quota to {allotted}, or raise the others"
            )
        else:
            continue
        wrong = True
    if not total and not quotas:
        yield ReadinessCheck(
            "quotas", "note", "there is none: people may come until the study is closed"
        )
    elif not wrong:
        by_group = ", ".join(f"{name} {quota}" for name, quota in (study.quotas or {}).items())
        place_text = f"a place is kept for {study.place_s / 60:g} minutes after the last answer"
        texts = f"{total or 'any number'} in all", by_group or "any language", place_text
        yield ReadinessCheck("quotas", "ok", "; ".join(texts))
    if (groups := len(study.conditions or ())) and total % groups:
        says = f"a quota of {total} cannot be divided evenly among {groups} conditions"
        yield ReadinessCheck("conditions", "note", says, f"make quota a multiple of {groups}")


def _options(folder: StudyFolder) -> Iterator[ReadinessCheck]:
    """Check items in the languages of the study, and options that refer to others and may precede
    them."""
    study = folder.study
    there = set(folder.bank.frame()["language"])
    lacking = [name for name in languages_of(study) if name not in there]
    if lacking:
        says = (
            f"no item is in {', '.join(lacking)}; who chooses it reads {', '.join(sorted(there))}"
        )
        yield ReadinessCheck("items", "note", says, "add items in it, or leave the language out")
    pinned = set(study.pins) | {item for page in study.pages or () for item in page.pins}
    loose = [one.item for one in options_to_pin(folder.bank) if one.item not in pinned]
    if study.shuffle_options and loose:
        says = f"options of {len(loose)} items speak of others and may change their place"
        yield ReadinessCheck("options", "note", f"{says} ({first_few(loose)})", "pin them: [pins]")


def _pilot(folder: StudyFolder) -> Iterator[ReadinessCheck]:
    """Check that the study was tried, and what is paid per hour by the median time."""
    trial, study = folder.as_pilot(), folder.study
    there = (folder.path / trial.database).exists()
    minutes, sums, simulated = _pilot_times(trial) if there else (np.array([]), [], False)
    n, kind = len(minutes), "bots" if simulated else "people"
    yield _judged(
        "pilot", n >= FEWEST_IN_PILOT, f"{n} {kind} have finished the pilot",
        f"{number_of(n, 'person has', 'people have')} finished the pilot",
        f"let {FEWEST_IN_PILOT} or more take it: gfactor study serve FOLDER --pilot",
    )  # fmt: skip
    least = (study.conduct or Conduct()).minimum_per_hour
    if not (study.pay.base or study.pay.per_right):
        says = "nobody is paid, and there is no minimum"
        yield _judged("pay", not least, says, "nothing is paid", "set [pay]")
        return
    if n < FEWEST_IN_PILOT or not least:
        lacks = "no minimum_per_hour is set" if not least else "the pilot has too few people"
        remedy = "set minimum_per_hour in [conduct]" if not least else "run the pilot"
        yield ReadinessCheck("pay", "missing", f"{lacks}, so pay per hour cannot be judged", remedy)
        return
    yield _pay_per_hour(study, minutes, np.array(sums), least)


def _payment(study: Study) -> ReadinessCheck:
    """Check whose finished submissions are not paid."""
    says, wrong = rule_in_words(study), study.rules.checks_wrong
    checks = study.checks if study.pages is None else sum(page.checks for page in study.pages)
    if "attention" in study.excludes and checks <= wrong:
        says += f"; {checks} check questions are asked, so attention excludes nobody"
        return ReadinessCheck(
            "payment", "note", says, "raise checks, or lower checks_wrong in [rules]"
        )
    return ReadinessCheck("payment", "ok", says)


def _pay_per_hour(study: Study, minutes: Floats, sums: Floats, least: float) -> ReadinessCheck:
    middle, (low, high) = float(np.median(minutes)), median_interval(minutes)
    paid, currency = float(np.median(sums)), study.pay.currency
    rate, slow = 60 * paid / middle, 60 * paid / high if high else float("nan")
    says = (
        f"{rate:.2f} {currency} per hour at the pilot's median of {middle:.1f} minutes "
        f"(n = {len(minutes)}, "
        + (f"95 % interval {low:.1f} to {high:.1f}" if high else "too few for an interval")
        + f") and median pay of {paid:.2f}; the minimum is {least:.2f}"
    )
    if rate < least:
        need = least * middle / 60
        return ReadinessCheck(
            "pay", "missing", says, f"pay {need:.2f} {currency} or more per person"
        )
    if not high or slow < least:
        return ReadinessCheck("pay", "note", says, "the interval reaches below the minimum")
    return ReadinessCheck("pay", "ok", says)


def _pilot_times(trial: StudyFolder) -> tuple[Floats, list[float], bool]:
    """Minutes and pay of those who finished the pilot, and True if they were bots, whose minutes
    are the ones that they report."""
    with closing(trial.store_as_it_is()) as store:
        people, answers = store.frame("participants"), store.frame("answers")
    done = people.loc[people["finished"].notna()]
    answers = answers.loc[answers["code"].isin(done["code"])]
    simulated = bool(len(answers)) and bool(answers["server_seconds"].isna().all())
    if simulated:
        seconds = answers.assign(said=answer_seconds(answers)).groupby("code")["said"].sum()
        minutes = seconds.to_numpy(float) / 60
    else:
        spent = pd.to_datetime(done["finished"]) - pd.to_datetime(done["started"])
        minutes = spent.dt.total_seconds().to_numpy(float) / 60
    rows = payments(trial.study.pay, answers, marks(answers, done, trial.study.rules), {})
    return minutes, [float(row["total"]) for row in rows], simulated


def _address(public_url: str) -> ReadinessCheck:
    return _judged(
        "address", public_url.startswith("https://"), public_url,
        f"{public_url} is not HTTPS" if public_url else "no public address is named",
        "serve it behind a proxy with HTTPS, and give --public-url https://...",
    )  # fmt: skip


def _machine(folder: StudyFolder, backups: Path | None) -> Iterator[ReadinessCheck]:
    """Space, permissions, backups."""
    free = shutil.disk_usage(folder.path).free
    yield _judged(
        "disk", free >= LEAST_SPACE, f"{free / 1e9:.0f} GB free",
        f"{free / 1e9:.2f} GB free", "make room: 1 GB or more",
    )  # fmt: skip
    files = [path for path in folder.path.glob("*") if path.name in ("secrets.json", "answers.db")]
    opened = [path.name for path in files if path.stat().st_mode & 0o077]
    yield _judged(
        "permissions", not opened, "secrets and answers are readable for their owner alone",
        f"others can read {', '.join(opened)}", "chmod 600 on these files",
    )  # fmt: skip
    # The study's own database is no copy of it; without participants there is no database yet.
    copies = [path for kind in ("*.db", MANIFEST) for path in (backups or folder.path).rglob(kind)
              if backups and path.parent.resolve() != folder.path.resolve()]  # fmt: skip
    age = min((time.time() - path.stat().st_mtime for path in copies), default=float("inf"))
    days = age / 86_400
    yield _judged(
        "backup", days <= BACKUP_DAYS, f"the newest copy is {days:.1f} days old",
        f"the newest copy is {days:.0f} days old" if copies else "no copy of it is named",
        "back up the folder every day, and give --backups FOLDER",
    )  # fmt: skip
