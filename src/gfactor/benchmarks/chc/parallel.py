"""Parallel forms of MM-IQ and M3GIA: types that families parallel, in the seed's proportions.

A type of the seed (a paradigm of MM-IQ, a type of questions of M3GIA) is made by the families that
name it (`Family.mm_iq`, `Family.m3gia`), an equal share each, a third of each difficulty; a type of
several tasks (`_TASKS`) an equal share of each task first. The items are new: they share the
paradigm with the seed's items, but no picture, word or difficulty. Types that no family parallels
are not made; the bank's metadata and the build's output list them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from gfactor.benchmarks.benchmark import VECTOR, Benchmark, Option
from gfactor.benchmarks.chc.audit import columns, inspect, limits
from gfactor.benchmarks.chc.build import ABOUT, VERSION, check_request, label_columns
from gfactor.benchmarks.chc.common import FORMAT_SENTENCES
from gfactor.benchmarks.chc.family import DIFFICULTIES, FAMILIES, Family, Level
from gfactor.benchmarks.chc.items import BatteryRequest, make_items
from gfactor.benchmarks.chc.options import parse_seed, parse_words
from gfactor.benchmarks.chc.redrawing import vector_pictures
from gfactor.benchmarks.findings import Hooks
from gfactor.benchmarks.m3gia.factors import TYPES
from gfactor.benchmarks.mm_iq.paradigms import PARADIGMS
from gfactor.benchmarks.texts import LANGUAGES
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.items import BankPlan, Item, Part
from gfactor.items.schema import WORD

_ITEMS = (
    "generated items in the paradigms and proportions of those of its types that families "
    "parallel; none of its items."
)
MM_IQ = {"name": "mm-iq-parallel", "description": f"A parallel form of MM-IQ: {_ITEMS}"}
M3GIA = {"name": "m3gia-parallel", "description": f"A parallel form of M3GIA: {_ITEMS}"}

OPTIONS = 4
"""Options of an item of both seeds (MM-IQ section 4; M3GIA figure 3: A to D)."""

_ONLY: Mapping[tuple[str, str], Mapping[str, tuple[Level, ...]]] = {
    ("Logical Operation", "matrices"): {"kind": ("logic",), "grid": (3,)},
    ("Temporal Movement", "matrices"): {"kind": ("progression",)},
}
"""(Type, family) -> the levels at which the family's items are of this type."""


_TASKS: Mapping[str, tuple[tuple[str, ...], ...]] = {"Mathematics": (("figure_counts",),)}
"""Type -> the families of each of its tasks; all others of the type are one task more. MM-IQ's
section 3.2 names two tasks of mathematics without their numbers: elements of figures are counted
and calculated with, and an arithmetic expression gives a missing number."""


@dataclass(frozen=True)
class Seed:
    """A benchmark that has a parallel form.

    Parameters
    ----------
    name: name as it is built.
    title: title as it is written.
    about: name and description of the form.
    counts: type -> items in each language.
    named: field of `Family` that holds the parallel types of the benchmark, in any case of letters.
    languages: default languages of the form.
    """

    name: str
    title: str
    about: Mapping[str, str]
    counts: Mapping[str, int]
    named: str
    languages: tuple[str, ...]

    def families(self) -> dict[str, list[Family[Any]]]:
        """Return, by type, the families that parallel it, sorted by name.

        Raises UnknownNameError if a family names a type that the seed does not have.
        """
        counted = {kind.casefold() for kind in self.counts}
        result: dict[str, list[Family[Any]]] = {kind: [] for kind in self.counts}
        for name in sorted(FAMILIES):
            family = FAMILIES[name]
            wanted = {kind.casefold() for kind in getattr(family, self.named)}
            for kind in sorted(wanted - counted):
                raise UnknownNameError(
                    f"type of {self.title} that the family {name!r} parallels", kind,
                    sorted(self.counts),
                )  # fmt: skip
            if "choice" in family.answer_types and OPTIONS in family.options:
                for kind in self.counts:
                    if kind.casefold() in wanted:
                        result[kind].append(family)
        return result


SEEDS: Mapping[str, Seed] = {
    seed.name: seed
    for seed in (
        Seed(
            "mm-iq",
            "MM-IQ",
            MM_IQ,
            {p.name: p.released for p in PARADIGMS.values()},
            "mm_iq",
            ("en",),
        ),
        Seed(
            "m3gia",
            "M3GIA",
            M3GIA,
            {kind.name: kind.per_language for kind in TYPES.values()},
            "m3gia",
            LANGUAGES,
        ),
    )
}


def plan(
    of: str, seed: int = 0, language: Sequence[str] = (), items: int = 0, vector: bool = False
) -> BankPlan:
    """Return the plan of a parallel form: a part for each type and family.

    Parameters
    ----------
    of: a key of `SEEDS`.
    seed: 0 or more.
    language: tags; the seed's own if empty. Every scene is put into each.
    items: about how many items a language has, in the seed's proportions; 0 for as many as it has.
    vector: True to write the pictures as SVG too, beside the bank.

    Raises ParameterError before any work.
    """
    form = SEEDS[of]
    languages = tuple(language) or form.languages
    check_request(seed, (), None, 1, languages, "", "picture")
    whole = sum(form.counts.values())
    if not 0 <= items <= whole:
        raise ParameterError(f"items must be from 0 (all) to {whole} for {form.title}, not {items}")
    counts = {
        kind: n if not items else max(1, round(n * items / whole))
        for kind, n in form.counts.items()
    }
    families = form.families()
    missing = {kind: n * len(languages) for kind, n in counts.items() if not families[kind]}
    about = {"benchmark": form.about["name"], "version": VERSION}
    shared = {"seed": seed, "language": list(languages), "items_asked": items}
    parts, used, begun = [], {}, {}
    for kind, makers in families.items():
        for family, count in _shared(kind, counts[kind], makers):
            first = begun.get(family.name, 0)
            begun[family.name] = first + count
            used[family.name] = family
            job = _Job(form, kind, family.name, first, count, seed, languages)
            parameters = {
                **about, "type": kind, "family": family.name, "first": first, "count": count,
                "family_version": family.version, **shared,
            }  # fmt: skip
            if count:
                name = f"{kind}-{family.name}".lower().replace(" ", "-").replace("'", "")
                parts.append(Part(name, parameters, partial(_make, job)))
    built = {kind: [f.name for f in makers] for kind, makers in families.items() if makers}
    return BankPlan(
        parts=parts,
        labels={**label_columns(list(used.values())), "type": WORD, "parallel_of": WORD},
        metadata={**about, **shared, "families": built, "not_generated": missing},
        about={**ABOUT, **form.about},
        vector=vector_pictures if vector else None,
    )


def _shared(
    kind: str, count: int, makers: Sequence[Family[Any]]
) -> Iterator[tuple[Family[Any], int]]:
    """The families of a type with their numbers of items, task by task."""
    tasks = [[f for f in makers if f.name in names] for names in _TASKS.get(kind, ())]
    named = {family.name for task in tasks for family in task}
    tasks = [t for t in ([f for f in makers if f.name not in named], *tasks) if t]
    for task, part in zip(tasks, _shares(count, len(tasks)), strict=True):
        yield from zip(task, _shares(part, len(task)), strict=True)


def _shares(count: int, among: int) -> list[int]:
    """A whole number in parts that differ by one at most."""
    return [count // among + (k < count % among) for k in range(among)]


@dataclass(frozen=True)
class _Job:
    """A part of the work: `count` items of a family for one question type, in every language.

    Items are numbered; `first` is the number of the first one.
    """

    form: Seed
    kind: str
    family: str
    first: int
    count: int
    seed: int
    languages: tuple[str, ...]


def _make(job: _Job) -> Iterator[Item]:
    """Yield the items of a type by a family; numbers before `first` belong to other types."""
    family, only = FAMILIES[job.family], _ONLY.get((job.kind, job.family), {})
    presets = [(d, {**family.presets[d], **only}) for d in DIFFICULTIES]
    cells = tuple((label, allowed) for label, allowed in presets if family.cells(allowed))
    per_cell = -(-(job.first + job.count) // len(cells))
    request = BatteryRequest(job.seed, cells, per_cell, job.languages, "choice", "picture", OPTIONS)
    wanted = range(job.first, job.first + job.count)
    return (_labeled(item, job) for item in make_items(job.family, request, wanted))


def _labeled(item: Item, job: _Job) -> Item:
    name = job.form.about["name"]
    labels = {**item.labels, "domain": job.kind, "type": job.kind, "parallel_of": job.form.name}
    kind = job.kind.lower().replace(" ", "-").replace("'", "")
    source = replace(item.provenance, source=f"gfactor {name}")
    return replace(item, id=f"{kind}-{item.id}", benchmark=name, labels=labels, provenance=source)


def _count(text: str) -> int:
    if not text.isdecimal():
        raise ParameterError(f"items must be a whole number of 0 or more, not {text!r}")
    return int(text)


def benchmark(of: str, *, name: str, description: str) -> Benchmark:
    """Return the parallel form of a seed as a benchmark to register, with the name and description
    that help shows."""
    form = SEEDS[of]
    tags = ",".join(form.languages)
    return Benchmark(
        name=name,
        version=VERSION,
        description=description,
        license=ABOUT["license"],
        citation=ABOUT["citation"],
        options=(
            Option("seed", "0", "N", "Seed of the items.", parse_seed),
            Option(
                "language",
                tags,
                "|".join(LANGUAGES),
                "Languages, separated by commas; each item is made in every language.",
                partial(parse_words, "language", LANGUAGES),
            ),
            Option(
                "items",
                "0",
                "N",
                "Approximate number of items per language, in the proportions of the original; "
                "0 for its own number.",
                _count,
            ),
            VECTOR,
        ),
        plan=partial(plan, of),
        hooks=Hooks(inspect=inspect, columns=columns, limits=limits),
        format_sentences=lambda _: FORMAT_SENTENCES,
    )
