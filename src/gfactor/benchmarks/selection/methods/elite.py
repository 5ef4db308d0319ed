"""A hard subset: difficult by people's labels, of high quality, and answered wrongly by models.

MULTI's Elite has 500 objective questions "more evenly distributed across various educational levels
and subjects", high in difficulty and quality, for which "the performance of several early-released
models" was taken into consideration (section 3.3). The paper gives no formula. Here every item gets
the mean of the mid-ranks (0 to 1) of its difficulty, its quality and its share of wrong answers,
weighted; the best of every stratum are taken, the strata as equal as they allow.
"""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

from gfactor.benchmarks.benchmark import Option
from gfactor.benchmarks.selection.allocation import ALLOCATIONS, allocate
from gfactor.benchmarks.selection.candidates import Candidate, CandidatePool
from gfactor.benchmarks.selection.method import Method, Selected, register
from gfactor.benchmarks.selection.parsing import exact, one_of, whole, words
from gfactor.errors import ParameterError
from gfactor.items import ANSWER_TYPES, ItemRandom
from gfactor.listing import first_few

OBJECTIVE = ("choice", "choices", "blanks")


def choose(
    pool: CandidatePool,
    seed: int,
    *,
    n: int,
    by: tuple[str, ...],
    types: tuple[str, ...],
    difficulty: str,
    quality: str,
    weights: tuple[Fraction, ...],
    allocation: str,
) -> Selected:
    """Return the `n` items with the highest scores, stratum by stratum; ties are broken at random
    by the seed.

    Raises ParameterError if nothing is known by which items could be ranked.
    """
    pool.check_labels(by)
    items = [item for item in pool.items if item.answer_type in types]
    if not items:
        had = sorted({item.answer_type for item in pool.items})
        raise ParameterError(
            f"the bank has no items of the types {', '.join(types)}, from which this method "
            f"chooses; name those that it has with --types (in Python: types=...): {', '.join(had)}"
        )
    measures = {
        name: (weight, values)
        for name, weight, values in (
            ("difficulty", weights[0], _label(items, difficulty)),
            ("quality", weights[1], _label(items, quality)),
            ("errors", weights[2], pool.errors.shares),
        )
        if weight and any(item.id in values for item in items)
    }
    if not measures:
        raise ParameterError(
            f"nothing ranks the items: no item has a whole number as its label {difficulty!r} or "
            f"{quality!r}{_words_among(items, (difficulty, quality))}, and no journal was given "
            "with --errors (in Python: errors=...); give one with answers to these items"
        )
    scores = _scores(items, measures)
    strata: dict[tuple[str, ...], list[Candidate]] = defaultdict(list)
    for item in items:
        strata[item.stratum(by)].append(item)
    given = allocate({key: len(strata[key]) for key in sorted(strata)}, n, allocation)
    chosen = []
    for key, count in given.items():
        ranked = sorted(strata[key], key=lambda i: (-scores[i.id], _tie(seed, i.id), i.id))
        chosen += [item.id for item in ranked[:count]]
    facts = {
        "chosen": len(chosen),
        "of": len(items),
        "ranked_by": {name: str(weight) for name, (weight, _) in measures.items()},
        "without": {
            name: sum(i.id not in values for i in items) for name, (_, values) in measures.items()
        },
        "guided_by": list(pool.errors.examinees) if "errors" in measures else [],
        "strata": [
            {"stratum": dict(zip(by, key, strict=True)), "of": len(strata[key]), "n": given[key]}
            for key in given
        ],
    }
    return Selected(tuple(chosen), facts, tuple(_warnings(facts, n)))


def _warnings(facts: Mapping[str, object], n: int) -> list[str]:
    warnings = []
    guides = facts["guided_by"]
    if isinstance(guides, list) and guides:
        warnings.append(
            f"The errors of {', '.join(guides)} guided the selection: their figures on this bank "
            "are biased downward, and those of models that err alike with them; report them "
            "marked, and compare others with each other only."
        )
    if isinstance(facts["chosen"], int) and facts["chosen"] < n:
        warnings.append(f"Only {facts['chosen']:,} items can be chosen, {n:,} were asked for.")
    return warnings


def _words_among(items: Sequence[Candidate], names: Sequence[str]) -> str:
    """Return the labels' values, in brackets; "" if the bank has none of them."""
    values = {
        name: sorted({str(item.labels[name]) for item in items if name in item.labels})
        for name in dict.fromkeys(names)
    }
    phrases = [f"{name} is {first_few(listed, 3)}" for name, listed in values.items() if listed]
    return f" ({'; '.join(phrases)})" if phrases else ""


def _label(items: Sequence[Candidate], name: str) -> dict[str, float]:
    values = ((item.id, item.labels.get(name)) for item in items)
    return {item_id: float(value) for item_id, value in values if isinstance(value, int)}


def _scores(
    items: Sequence[Candidate], measures: Mapping[str, tuple[Fraction, Mapping[str, float]]]
) -> dict[str, Fraction]:
    """Weighted means of mid-ranks; an item that lacks a measure gets the middle rank."""
    total = sum(weight for weight, _ in measures.values())
    scores = dict.fromkeys((item.id for item in items), Fraction(0))
    for weight, values in measures.values():
        ordered = sorted(values[item.id] for item in items if item.id in values)
        for item in items:
            rank = Fraction(1, 2)
            if item.id in values:
                below = bisect.bisect_left(ordered, values[item.id])
                rank = Fraction(
                    below + bisect.bisect_right(ordered, values[item.id]), 2 * len(ordered)
                )
            scores[item.id] += weight * rank / total
    return scores


def _tie(seed: int, item_id: str) -> int:
    return ItemRandom({"select": "elite", "seed": seed, "item": item_id}, 0).integer(0, 2**31)


def _types(text: str) -> tuple[str, ...]:
    types = words(text)
    for name in types:
        if name not in ANSWER_TYPES:
            raise ParameterError(f"types: {name!r} is none of {', '.join(ANSWER_TYPES)}")
    return types


def _weights(text: str) -> tuple[Fraction, ...]:
    weights = tuple(map(exact("weights"), words(text)))
    if len(weights) != 3:
        raise ParameterError(
            f"weights must be three numbers (difficulty,quality,errors), not {text!r}"
        )
    return weights


METHOD = register(
    Method(
        name="elite",
        about="A hard subset, by difficulty, quality and the errors of models (--errors JOURNAL).",
        source="after Zhu et al. (2025), MULTI, section 3.3",
        options=(
            Option("n", "500", "N", "Number of items to choose.", whole("n", 1)),
            Option("by", "", "A,B", "Labels over which the items are spread.", words),
            Option("types", ",".join(OBJECTIVE), "A,B", "Answer types to choose from.", _types),
            Option("difficulty", "difficulty", "LABEL", "The label with the difficulty.", str),
            Option("quality", "quality", "LABEL", "The label with the quality.", str),
            Option(
                "weights", "1,1,1", "D,Q,E", "Weights of difficulty, quality and errors.", _weights
            ),
            Option(
                "allocation",
                "equal",
                "HOW",
                "equal over the values of --by, or proportional.",
                one_of("allocation", ALLOCATIONS),
            ),
        ),
        choose=choose,
        uses_errors=True,
    )
)
