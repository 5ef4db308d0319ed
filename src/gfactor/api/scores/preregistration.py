"""A plan as a dated, hashed document, and what a journal did differently.

The document is Markdown that a person reads, with a block for machines; its last line is the
SHA-256 of everything above, so that a changed document is recognized. The hash proves that the
document was not edited, not when it was written: keep it if others can see its date (a
repository, a registry).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

import gfactor
from gfactor.administration import Journal
from gfactor.errors import GfactorError, ParameterError, UnknownNameError
from gfactor.frames import pick
from gfactor.items import ItemBank
from gfactor.psychometrics.planning import Plan
from gfactor.results import plain
from gfactor.scoring import choose

KIND = "gfactor-plan"
SCHEMA = 1
DECLARED = ("examinee", "condition", "bank", "policy", "judge", "cluster", "analysis")
"""Facts that may be declared beside the plan."""

_REPEATED = ("examinee", "condition", "analysis")
_START, _END = "```json\n", "\n```\n"
_HASH = "sha256: "


@dataclass(frozen=True)
class Preregistration:
    """Content of a preregistration document.

    Parameters
    ----------
    document : mapping
        The block for machines.
    sha256 : str
        SHA-256 of the text above the last line.
    path : Path
        Path of the document.
    """

    document: Mapping[str, Any]
    sha256: str
    path: Path

    @property
    def date(self) -> str:
        return str(self.document["date"])

    @property
    def declared(self) -> Mapping[str, Any]:
        return self.document["declared"]


def preregister(
    plan: Plan, path: Path | str, declared: Iterable[tuple[str, str]] = (), date: str | None = None
) -> str:
    """Write a plan as a document, and return its SHA-256.

    Parameters
    ----------
    declared : pairs of name and value
        Facts named in `DECLARED`; of a bank's file, the number of items and the digest are stored.
    date : str, optional
        ISO 8601 with time zone; now if left out.

    Raises ParameterError if the file exists, or a declaration is unknown or given twice.
    """
    path = Path(path)
    if plan.chosen is None:
        raise ParameterError(
            "no design of the plan reaches the target, so there is none to preregister; change "
            "the target or the numbers tried"
        )
    declarations = _declared(declared)
    document = {
        "kind": KIND,
        "schema": SCHEMA,
        "gfactor": gfactor.__version__,
        "date": date or datetime.now(UTC).isoformat(timespec="seconds"),
        "declared": declarations,
        "plan": plan.to_dict(),
    }
    block = json.dumps(plain(document), indent=2, ensure_ascii=False)
    text = (
        "\n".join(_plan_lines(plan, document)) + f"\n\n## For machines\n\n{_START}{block}{_END}\n"
    )
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(f"{text}{_HASH}{digest}\n")
    except FileExistsError as error:
        raise ParameterError(
            f"{str(path)!r} exists; a preregistered plan is never overwritten; name another file"
        ) from error
    except OSError as error:
        raise ParameterError(f"{str(path)!r} cannot be written: {error}") from error
    return digest


def read_preregistration(path: Path | str) -> Preregistration:
    """Read a preregistration document and check its digest.

    Raises ParameterError if it cannot be read or was changed after it was written.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ParameterError(f"plan {str(path)!r} cannot be read: {error}") from error
    body, marker, rest = text.rpartition(_HASH)
    if not marker or _START not in body:
        raise ParameterError(
            f"{str(path)!r} is not a preregistered plan; gfactor plan --prereg FILE writes one"
        )
    digest = hashlib.sha256(body.encode("utf-8")).hexdigest()
    if digest != rest.strip():
        raise ParameterError(
            f"plan {str(path)!r} was changed after it was written: its text does not have the "
            f"hash {rest.strip()[:12]}; take the original"
        )
    document = json.loads(body.partition(_START)[2].rpartition(_END)[0])
    if document.get("kind") != KIND or document.get("schema") != SCHEMA:
        raise ParameterError(
            f"plan {str(path)!r} has the schema {document.get('schema')}; this version reads "
            f"{SCHEMA}"
        )
    return Preregistration(document, digest, path)


def deviations(
    plan: Preregistration, journal: Journal, answers: pd.DataFrame, *, policy: str, judge: str
) -> pd.DataFrame:
    """Compare the journal with the plan, line by line.

    Parameters
    ----------
    answers : the scored table of what is reported.
    policy, judge : policy and judge of the scores.

    Returns
    -------
    DataFrame
        `what`, `planned`, `done`, `as_planned` ("yes", "no", or "not declared").
    """
    declarations, chosen = plan.declared, plan.document["plan"]["chosen"]
    rows = [_who(declarations, "examinee", answers), _who(declarations, "condition", answers)]
    who = len(set(answers["examinee"]))
    rows.append(_number("examinees", chosen.get("examinee"), [who]))
    given = answers.groupby(["examinee", "condition"])
    rows.append(_number("items of each", chosen.get("item"), given["item_hash"].nunique().tolist()))
    times = answers.groupby(["examinee", "condition", "item_hash"])["occasion"].nunique()
    rows.append(_number("occasions", chosen.get("occasion", 1), times.tolist()))
    if "condition" in chosen:
        conditions = len(set(answers["condition"]))
        rows.append(_number("conditions", chosen["condition"], [conditions]))
    rows.append(_bank(declarations.get("bank"), answers))
    for name, used in (("policy", policy), ("judge", judge)):
        planned = declarations.get(name)
        same = "not declared" if planned is None else _yes(planned == used)
        rows.append((name, planned or "", used or "none", same))
    rows.append(_dates(plan.date, journal, answers))
    for analysis in declarations.get("analysis", ()):
        rows.append(("analysis", analysis, "for the reader to compare", "not declared"))
    table = pd.DataFrame(rows, columns=["what", "planned", "done", "as_planned"])
    table.attrs["notes"] = (
        f"The plan was written {plan.date} (SHA-256 {plan.sha256}); its aim: "
        f"{plan.document['plan']['measure']}.",
    )
    return table


def _yes(same: bool) -> str:
    return "yes" if same else "no"


def _who(
    declarations: Mapping[str, Any], name: str, answers: pd.DataFrame
) -> tuple[str, str, str, str]:
    planned, done = list(declarations.get(name, ())), {str(v) for v in answers[name]}
    if not planned:
        return f"which {name}s", "", ", ".join(sorted(done)), "not declared"
    fitting = {one: _fitting(one, name, answers) for one in planned}
    missing = sorted(one for one, fits in fitting.items() if not fits)
    more = sorted(done - set().union(*fitting.values()))
    findings = [
        f"{len(planned) - len(missing)} as planned",
        *([f"missing: {', '.join(missing)}"] if missing else []),
        *([f"not planned: {', '.join(more)}"] if more else []),
    ]
    same = _yes(not missing and not more)
    return f"which {name}s", ", ".join(sorted(planned)), "; ".join(findings), same


def _fitting(planned: str, name: str, answers: pd.DataFrame) -> set[str]:
    """Return the examinees (as `score` names them) or conditions that a planned name stands for."""
    if name == "condition":
        return {planned} & set(answers["condition"])
    try:
        return {str(v) for v in choose(answers, [planned])["examinee"]}
    except GfactorError:
        return set()


def _number(what: str, planned: float | None, done: list[int]) -> tuple[str, str, str, str]:
    low, high = min(done), max(done)
    observed = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    if planned is None:
        return what, "", observed, "not declared"
    return what, f"{planned:,.0f}", observed, _yes(low == high == planned)


def _bank(planned: Mapping[str, Any] | None, answers: pd.DataFrame) -> tuple[str, str, str, str]:
    answered = {str(v) for v in answers["item_hash"]}
    if planned is None:
        return "which items", "", f"{len(answered):,} items", "not declared"
    planned_hashes = set(planned["hashes"])
    strange, left = len(answered - planned_hashes), len(planned_hashes - answered)
    done = f"{len(answered & planned_hashes):,} of them asked"
    done += f", {left:,} never" * bool(left) + f", {strange:,} others" * bool(strange)
    return (
        "which items",
        f"{len(planned_hashes):,} of {planned['name']}",
        done,
        _yes(not strange and not left),
    )


def _dates(date: str, journal: Journal, answers: pd.DataFrame) -> tuple[str, str, str, str]:
    given = journal.responses()
    rows: Any = pick(given, given["examinee"].isin(list(set(answers["examinee"]))))
    moments = pd.to_datetime(rows["created"], utc=True, format="ISO8601")
    early = int((moments < pd.Timestamp(date)).sum())
    observed = f"{early:,} of {len(rows):,} answers are older than the plan" if early else (
        f"all {len(rows):,} answers are younger")  # fmt: skip
    return "asked after the plan", date, observed, _yes(not early)


def _declared(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    declarations: dict[str, Any] = {}
    for name, value in pairs:
        if name not in DECLARED:
            raise UnknownNameError("declaration", name, DECLARED)
        if name in _REPEATED:
            declarations.setdefault(name, []).append(value)
        elif name in declarations:
            raise ParameterError(f"{name} is declared twice")
        elif name == "bank":
            bank = ItemBank.open(value)
            hashes = [str(h) for h in bank.frame()["content_hash"]]
            declarations[name] = {
                "name": Path(value).name,
                "digest": bank.scene_digest,
                "hashes": hashes,
            }
        else:
            declarations[name] = value
    return declarations


def _plan_lines(plan: Plan, document: Mapping[str, Any]) -> list[str]:
    """The part for people."""
    lines = [
        "# Preregistered plan",
        "",
        f"Written {document['date']} by gfactor {document['gfactor']}. The last line is the "
        "SHA-256 of all that stands above it; `gfactor report JOURNAL --prereg FILE` refuses a "
        "changed document and lists deviations from this one.",
        "",
        "## What is planned",
        "",
        *[f"    {line}".rstrip() for line in plan.summary().splitlines()],
        "",
        "## What is declared",
        "",
    ]
    for name in DECLARED:
        value = document["declared"].get(name)
        if value is None:
            lines.append(f"- {name}: not declared")
        elif name == "bank":
            lines.append(
                f"- bank: {value['name']}, {len(value['hashes']):,} items, {value['digest']}"
            )
        else:
            text = "; ".join(value) if isinstance(value, list) else value
            lines.append(f"- {name}: {' '.join(str(text).split())}")
    return lines
