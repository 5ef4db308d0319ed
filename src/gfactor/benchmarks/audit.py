"""The quality of a bank: scores of guessing, duplicates, legibility, and cues in pixels. Guessing
and duplicates are computed for every bank; a benchmark adds checks that rebuild its items
(`Hooks`). The examinee that answers from the pixels is an argument, because this room does not
import examinees.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Literal, TypeVar, get_args

import cv2

from gfactor.benchmarks.benchmark import BENCHMARKS
from gfactor.benchmarks.findings import Columns, Hooks
from gfactor.benchmarks.quality import Look, looks_of, survey
from gfactor.benchmarks.quality.bank_survey import groups_asking_the_same
from gfactor.computing import each
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.imaging import Pixels
from gfactor.items import Item, ItemBank, Watch, answer_to_json, checked_pixels
from gfactor.items.same_questions import questions

T = TypeVar("T")

Answerer = Callable[[str, tuple[Pixels, ...]], str | None]
"""(domain, decoded pictures) -> a reply, or None if the domain cannot be answered."""

Probe = Literal["features", "network"]
"""Kinds of models that learn to guess answers from cues in pictures."""

Control = Callable[[str, Sequence[Any]], Columns]


@dataclass(frozen=True)
class Audit:
    """The audit of a bank, domain by domain.

    Parameters
    ----------
    edition : str
        Edition of the bank, "" if there is only one.
    domains : dict of str to dict
        Columns by domain: `n`, `constant` and `size_aware` (accuracy of the best
        constant reply over all items, and over each size), `binary`, `answers`,
        `duplicates`, `ideal_observer`, `limits` (those broken, as sentences), and the
        benchmark's own.
    looks : dict of str to list of Look
        Appearance of the pictures by item, for `check_quality`.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.benchmarks import audit_bank
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> audit_bank(bank).domains["change_colour"]["n"]
    10
    """

    edition: str
    domains: Mapping[str, Mapping[str, Any]]
    looks: Mapping[str, tuple[Look, ...]] = field(default_factory=dict, repr=False)

    @property
    def broken(self) -> list[str]:
        """Every broken limit, with its domain."""
        return [
            f"{d}: {text}" for d, findings in self.domains.items() for text in findings["limits"]
        ]

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return the columns of each domain, ready for JSON; a value that cannot be measured is
        null."""
        return {d: {k: _plain(v) for k, v in c.items()} for d, c in self.domains.items()}


@dataclass(frozen=True)
class _Inspected:
    """Outcome of an item: the flaw that makes it unusable, the observer's correctness, the
    finding."""

    item_id: str
    flaw: str = ""
    right: bool | None = None
    finding: Any = None
    looks: tuple[Look, ...] = ()


def audit_bank(
    bank: ItemBank,
    answer_from_pixels: Answerer | None = None,
    *,
    probe: Probe = "features",
    jobs: int = 1,
    watch: Watch[Any] | None = None,
) -> Audit:
    """Audit a bank, a domain at a time.

    Parameters
    ----------
    bank : ItemBank
        The bank.
    answer_from_pixels : Answerer, optional
        The ideal observer; must pickle if `jobs` is over 1. None leaves `ideal_observer`
        empty.
    probe : {"features", "network"}
        Model that learns to guess from cues: of named features, or a convolutional network.
    jobs : int
        Number of processes.
    watch : Watch[Any], optional
        Function that shows progress over items.

    Returns
    -------
    Audit
        The columns of every domain, and the limits that are broken.

    Raises
    ------
    BankError
        If an image does not decode to the pixels that were hashed, or the benchmark cannot read an
        item.
    ParameterError
        If the benchmark has no such probe.
    MissingExtraError
        If the probe needs PyTorch, and it is not installed.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.benchmarks import audit_bank
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> audit_bank(bank).broken
    []
    """
    metadata = bank.metadata
    name = metadata["benchmark"]
    hooks = BENCHMARKS[name].hooks if name in BENCHMARKS else None
    control = _probe(hooks, probe, name)
    groups = _groups(bank)
    inspected = _inspect_all(bank, groups, hooks, answer_from_pixels, jobs, watch)
    controlled = _control(groups, inspected, control, jobs, watch)
    looks = {i: inspected[i].looks for i in bank.ids}
    repeated = _repeated(bank, looks)
    edition = str(metadata.get("edition", ""))
    domains = {}
    for name, ids in groups.items():
        of_domain = [inspected[i] for i in ids]
        columns = _guessing(bank.select(ids))
        columns["duplicates"] = sum(i in repeated for i in ids)
        judged = [o.right for o in of_domain if o.right is not None]
        columns["ideal_observer"] = fmean(judged) if judged else None
        if hooks:
            columns.update(hooks.columns(name, [o.finding for o in of_domain]))
            columns.update(controlled.get(name, {}))
        limits = hooks.limits(edition) if hooks else ()
        columns["limits"] = [text for limit in limits if (text := limit.broken(columns))]
        domains[name] = columns
    return Audit(edition, domains, looks)


def best_constant(accepted: Sequence[frozenset[str]]) -> tuple[str, float]:
    """Return the constant reply that is right most often, and its share of right answers.
    `accepted` holds the set of right replies of each item."""
    counts = Counter(reply for replies in accepted for reply in replies)
    reply = min(counts, key=lambda r: (-counts[r], r))
    return reply, counts[reply] / len(accepted)


def size_aware(accepted: Mapping[Any, Sequence[frozenset[str]]]) -> float:
    """Return accuracy of the best constant reply of each size, averaged over sizes."""
    return fmean(best_constant(replies)[1] for replies in accepted.values())


def right_replies(target: str, accepted: Iterable[str]) -> frozenset[str]:
    """Return all right answers of an item, in canonical JSON."""
    return frozenset((target, *accepted))


def _groups(bank: ItemBank) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    whole = str(bank.metadata["benchmark"])
    for item_id, labels in bank.labels().items():
        groups.setdefault(str(labels.get("domain", whole)), []).append(item_id)
    return groups


def _guessing(bank: ItemBank) -> dict[str, Any]:
    frame = bank.frame()
    replies = [right_replies(t, a) for t, a in zip(frame["target"], frame["accepted"], strict=True)]
    reply, share = best_constant(replies)
    sizes: dict[Any, list[frozenset[str]]] = {}
    for labels, right in zip(bank.labels().values(), replies, strict=True):
        if "size" in labels:
            sizes.setdefault(labels["size"], []).append(right)
    form = next(iter(bank)).output_format
    return {
        "n": len(frame),
        "constant": share,
        "size_aware": size_aware(sizes) if sizes else None,
        "binary": form is not None and {w.casefold() for w in form.vocabulary} == {"yes", "no"},
        "answers": {"distinct": len(set(frame["target"])), "most_frequent": reply, "share": share},
        "sizes": len(sizes),
        "per_size": min(map(len, sizes.values()), default=0),
    }


def _repeated(bank: ItemBank, looks: Mapping[str, tuple[Look, ...]]) -> set[str]:
    """Return the ids of items that repeat another question of the bank.

    A generated item repeats the content or the set of pictures of an earlier one. Any other item
    repeats what the check `identical_items` finds: its content hash is of the author's making, and
    several questions may be asked about one picture.
    """
    frame = bank.frame()
    first: dict[Any, str] = {}
    repeated = set()
    # An item in another language has the same pictures on purpose.
    ids: Any = frame["id"]
    named: Any = questions(frame, ids)
    generated: Any = frame["seed"].astype(int) >= 0
    columns = (frame["id"], frame["content_hash"], frame["pixel_hashes"], named)
    for item_id, content, pixels, question in zip(*(c[generated] for c in columns), strict=True):
        keys = [content, *([tuple(pixels)] if len(pixels) else [])]
        if any([first.setdefault(key, question) != question for key in keys]):
            repeated.add(item_id)
    if not generated.all():
        for group in groups_asking_the_same(survey(bank, looks).items):
            repeated.update(item.id for item in group[1:])
    return repeated


def _inspect_all(
    bank: ItemBank,
    groups: Mapping[str, Sequence[str]],
    hooks: Hooks | None,
    answer: Answerer | None,
    jobs: int,
    watch: Watch[Any] | None,
) -> dict[str, _Inspected]:
    tasks = (
        (name, list(bank.select(part)), hooks, answer)
        for name, ids in groups.items()
        for part in _chunks(ids, 50)
    )
    run = each(_inspect, tasks, jobs=jobs, ordered=False)
    done = (one for part in run for one in part)
    by_id: dict[str, _Inspected] = {}
    for one in watch(done, len(bank), "auditing", "item") if watch else done:
        if one.flaw:
            raise bank.error(one.item_id, one.flaw)
        by_id[one.item_id] = one
    return by_id


def _probe(hooks: Hooks | None, probe: str, benchmark: str) -> Control | None:
    """Return the requested probe."""
    if probe not in get_args(Probe):
        raise UnknownNameError("probe", probe, get_args(Probe))
    if probe == "features":
        return hooks.control if hooks else None
    if hooks is None or hooks.network is None:
        raise ParameterError(
            f"the benchmark {benchmark!r} has no probe of cues by a network; leave out the probe"
        )
    hooks.network("", ())
    return hooks.network


def _control(
    groups: Mapping[str, Sequence[str]],
    inspected: Mapping[str, _Inspected],
    control: Control | None,
    jobs: int,
    watch: Watch[Any] | None,
) -> dict[str, Columns]:
    """Compute the columns of every domain from the probe of cues, if the benchmark has one."""
    if control is None:
        return {}
    findings = {name: [inspected[i].finding for i in ids] for name, ids in groups.items()}
    run = each(control, findings.items(), jobs=jobs)
    done = watch(run, len(findings), "guessing from cues", "domain") if watch else run
    return dict(zip(findings, done, strict=True))


def _chunks(things: Sequence[T], length: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(things), length):
        yield things[start : start + length]


def _inspect(
    domain: str, items: Sequence[Item], hooks: Hooks | None, answer: Answerer | None
) -> list[_Inspected]:
    # With small pictures and many processes, threads inside OpenCV would only compete.
    cv2.setNumThreads(1)
    return [_inspect_one(domain, item, hooks, answer) for item in items]


def _inspect_one(
    domain: str, item: Item, hooks: Hooks | None, answer: Answerer | None
) -> _Inspected:
    try:
        pictures = checked_pixels(item)
        finding = hooks.inspect(item, pictures) if hooks else None
    except ValueError as error:
        return _Inspected(item.id, flaw=str(error))
    reply = answer(domain, pictures) if answer and pictures else None
    right = None if reply is None else _is_right(item, reply)
    return _Inspected(item.id, "", right, finding, looks_of(item, pictures))


def _is_right(item: Item, reply: str) -> bool:
    """Return True if a reply is, to the letter, a right answer in the output format."""
    form = item.output_format
    if form is None:
        right = (item.target, *item.accepted)
        return reply in {a if isinstance(a, str) else answer_to_json(a) for a in right}
    return reply in {form.render(a) for a in (item.target, *item.accepted)}


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return round(value, 6) if isinstance(value, float) else value
