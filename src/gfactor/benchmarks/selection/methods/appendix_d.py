"""MULTI's selection of questions for every piece of knowledge (appendix D).

The printed formulas are inconsistent; this is the implementation:

1. *Normalization.* The paper equates 1/(1/L + 1/M) with 2LM/(L² + M²), L a question's length and M
   its mean over the questions of a piece. They are different functions: the first, half the
   harmonic mean of L and M, grows with L and has the unit of L, so that characters would outweigh
   images in the sum; the second has no unit, is 1 at the mean and falls on both sides. The text
   says that the function normalizes, so the second is the default (`ratio`): it is the harmonic
   mean of L/M and M/L, for which the first was probably meant. `harmonic` is 2LM/(L + M), for
   whoever wants long questions first. Either is 0 if L is 0.
2. *Sum.* With weights 1.0, 0.1 and 0.5 for question, answer and analysis, a = b = 1, as printed.
3. *Number.* N_k = ceil(alpha lg n_k), lg to base 10, as it is read in China (2.7 million
   questions over 4,595 pieces of one size would give 9 a piece, base 2 would give 28; the release
   has 4), and at least 1, because the first question has probability 1 also if lg 1 = 0.
4. *Probabilities.* The first question in descending order: 1. Places [1:m] and [-m:]: p; the
   printed "if q = 1" cannot be a condition on a question and is left out. The others: p (N_k -
   2m)/n_k as printed, though dividing by n_k - 2m would give N_k in expectation; 0 if N_k < 2m.
   Neither p nor m is given in the paper: 1 and 1 here.

A question of several pieces is chosen if any of them picks it; one without a piece belongs to "".
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from gfactor.benchmarks.benchmark import Option
from gfactor.benchmarks.selection.candidates import Candidate, CandidatePool
from gfactor.benchmarks.selection.method import Method, Selected, register
from gfactor.benchmarks.selection.parsing import exact, one_of, whole
from gfactor.errors import ParameterError
from gfactor.items import ItemRandom
from gfactor.listing import first_few

WEIGHTS = (1.0, 0.1, 0.5)
"""Weights of question, answer and analysis."""

_LISTED = 20
"""Largest number of labels that a message lists."""

NORMALIZATIONS = ("ratio", "harmonic")


def normalized(length: float, mean: float, how: str = "ratio") -> float:
    """Return the paper's H of a length and the mean of its piece of knowledge.

    `ratio` is 2LM/(L² + M²), from 0 to 1; `harmonic` 2LM/(L + M), in the unit of L.
    """
    if length == 0 or mean == 0:
        return 0.0
    if how == "harmonic":
        return 2 * length * mean / (length + mean)
    return 2 * length * mean / (length**2 + mean**2)


def scores(
    items: Sequence[Candidate], a: float = 1, b: float = 1, how: str = "ratio"
) -> list[float]:
    """Return a content score for each item of one piece of knowledge, the weighted sum of the
    normalized lengths of question, answer and analysis; `a` weights characters, `b` images."""
    n = len(items)
    totals = [0.0] * n
    for weight, part in ((w, k) for k, w in enumerate(WEIGHTS)):
        for factor, lengths in (
            (a, [item.characters[part] for item in items]),
            (b, [item.images[part] for item in items]),
        ):
            mean = sum(lengths) / n
            for index, length in enumerate(lengths):
                totals[index] += weight * factor * normalized(length, mean, how)
    return totals


def number_of(questions: int, alpha: Fraction | float = 3) -> int:
    """Return N_k, the number of questions to choose from a piece with the given number of
    questions."""
    return max(1, math.ceil(float(alpha) * math.log10(questions) - 1e-12))


def probability(position: int, questions: int, wanted: int, p: Fraction, m: int) -> Fraction:
    """Return the probability of picking the question at this position (0: the highest score)."""
    if position == 0:
        return Fraction(1)
    if position < m or position >= questions - m:
        return p
    return min(Fraction(1), p * Fraction(max(0, wanted - 2 * m), questions))


def choose(
    pool: CandidatePool,
    seed: int,
    *,
    by: str,
    alpha: Fraction,
    p: Fraction,
    m: int,
    a: Fraction,
    b: Fraction,
    normalize: str,
) -> Selected:
    """Choose items for every value of the label `by`; each draw is keyed by seed, piece and
    item."""
    if by not in pool.labels:
        raise ParameterError(
            f"appendix-d chooses questions for every value of the label {by!r}, and the bank has "
            f"no such label; name one that it has with --by (in Python: by=...): "
            f"{first_few(sorted(pool.labels), _LISTED)}"
        )
    pieces: dict[str, list[Candidate]] = defaultdict(list)
    for item in pool.items:
        for piece in dict.fromkeys(item.values(by)):
            pieces[piece].append(item)
    chosen: dict[str, None] = {}
    expected, wanted = Fraction(0), 0
    for piece, items in sorted(pieces.items()):
        n_k = number_of(len(items), alpha)
        wanted += min(n_k, len(items))
        ranked = _ranked(items, scores(items, float(a), float(b), normalize))
        for position, item in enumerate(ranked):
            chance = probability(position, len(items), n_k, p, m)
            expected += chance
            key = {"select": "appendix-d", "seed": seed, "piece": piece, "item": item.id}
            if ItemRandom(key, 0).chance(chance.numerator, chance.denominator):
                chosen[item.id] = None
    facts: dict[str, Any] = {
        "pieces": len(pieces),
        "wanted": wanted,
        "expected_picks": round(float(expected), 3),
        "chosen": len(chosen),
    }
    return Selected(tuple(chosen), facts)


def _ranked(items: Sequence[Candidate], scores: Sequence[float]) -> list[Candidate]:
    """Descending by score; equal scores by id, so that the bank's order does not matter."""
    # Sums of the same terms may differ in the last bit; such differences must not affect the order.
    order = sorted(range(len(items)), key=lambda k: (-round(scores[k], 9), items[k].id))
    return [items[k] for k in order]


METHOD = register(
    Method(
        name="appendix-d",
        about="Questions of rich content for every piece of knowledge, as MULTI was selected.",
        source="Zhu et al. (2025), MULTI, appendix D",
        options=(
            Option("by", "knowledge", "LABEL", "The label that holds the pieces.", str),
            Option(
                "alpha",
                "3",
                "X",
                "Factor alpha of N_k = ceil(alpha lg n_k), the number of items taken from the n_k "
                "items of a piece of knowledge.",
                exact("alpha"),
            ),
            Option(
                "p",
                "1",
                "P",
                "Probability of selecting an item among the m first and the m last ones, when "
                "items are ranked by content.",
                exact("p", 1),
            ),
            Option(
                "m", "1", "M", "Number of items at each end of this ranking (see p).", whole("m", 0)
            ),
            Option(
                "a", "1", "X", "Weight of the number of characters in this ranking.", exact("a")
            ),
            Option("b", "1", "X", "Weight of the number of images in this ranking.", exact("b")),
            Option(
                "normalize",
                "ratio",
                "HOW",
                "ratio, 2LM/(L²+M²), or harmonic, 2LM/(L+M).",
                one_of("normalize", NORMALIZATIONS),
            ),
        ),
        choose=choose,
    )
)
