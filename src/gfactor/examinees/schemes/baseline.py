"""Guessing without looking: `baseline:random?seed=0`, `baseline:most`, `baseline:constant`,
`baseline:size-aware`. They learn the answers of the bank that they will answer, so their scores are
upper bounds of such guessing on new items of the same kind: with n items and n different answers,
the best reply is right for one item. If items have sizes, `constant` therefore needs five items of
every domain and `size-aware` five of every domain and size; with one it would always be right.

random: items with an output format get one of the distinct answers of their domain, each equally
    likely; an item with options one of these, and so on (`gfactor.examinees.guesses`). It knows the
    kind of answer, not the size. Every occasion is a new draw, keyed by seed, item and occasion.
most: the answer that is right most often in the whole bank, of those that the item can have.
constant: the one reply that is right most often in the item's domain (for its answer type).
size-aware: the one reply that is right most often among the items of its domain and size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.examinees.base import EXAMINEES, RenderedItem, Reply, Spec
from gfactor.examinees.guesses import (
    AnswerFacts,
    GuessDraws,
    MostFrequent,
    known_of,
    most_frequent,
    random_guess,
)
from gfactor.items import ItemBank

LEAST_ITEMS = 5
"""Fewest items of a cell from which its most frequent answer may be learned."""

Guess = Callable[[RenderedItem], str | None]
"""Function from an item to the line of its answer; None if the bank has no such item."""


class Baseline:
    """An examinee that guesses; the module's docstring describes its kinds."""

    deterministic = True
    reads = False
    in_flight = 8

    def __init__(self, name: str, guess: Guess, *, draws: bool = False) -> None:
        self.name = name
        self.draws = draws
        self._guess = guess

    async def __call__(self, item: RenderedItem) -> Reply:
        """The guess for one item; a failed attempt for an item that is not in the bank."""
        line = self._guess(item)
        if line is None:
            return Reply("", "protocol_error", detail=f"{item.item_id!r} is not in the bank")
        return Reply(line)

    async def close(self) -> None:
        """Do nothing, because a baseline keeps nothing open."""


@EXAMINEES.register("baseline")
def baseline(spec: Spec, bank: ItemBank | None = None, jobs: int = 1) -> Baseline:
    """Make an examinee that guesses: baseline:random?seed=N, :most, :constant or :size-aware.

    Its guesses may use the answer keys of `bank`.

    Raises UnknownNameError for another baseline or parameter, ParameterError for a bad seed, for
    no bank and for a bank whose items have no domain.
    """
    if spec.argument not in _LEARNERS:
        raise UnknownNameError("baseline", spec.argument, _LEARNERS)
    allowed = ("seed",) if spec.argument == "random" else ()
    for name in spec.parameters:
        if name not in allowed:
            allowance = "its only one is 'seed'" if allowed else "it has none"
            raise ParameterError(f"baseline:{spec.argument} has no parameter {name!r}; {allowance}")
    if bank is None:
        raise ParameterError(
            f"baseline:{spec.argument} learns its guesses from the items of a bank, and a profile "
            "and whatever else makes its items while it asks has none: name a model or an observer "
            "(observer:limited), or have the baseline answer a bank (gfactor run BANK --examinee "
            f"baseline:{spec.argument})"
        )
    if any("domain" not in labels for labels in bank.labels().values()):
        raise ParameterError(f"baseline:{spec.argument} needs items with a domain")
    parameters = {"seed": _seed(spec.parameters.get("seed", "0"))} if allowed else {}
    name = str(Spec("baseline", spec.argument, {k: str(v) for k, v in parameters.items()}))
    guess = _LEARNERS[spec.argument](known_of(bank), **parameters)
    return Baseline(name, guess, draws=spec.argument == "random")


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise ParameterError(f"baseline:random: seed must be a whole number from 0, got {text!r}")
    return int(text)


def _random(items: Sequence[AnswerFacts], seed: int) -> Guess:
    lines: dict[str, set[str]] = {}
    for item in items:
        if item.formatted:
            lines.setdefault(item.domain, set()).add(item.target)
    distinct = {domain: sorted(targets) for domain, targets in lines.items()}
    facts_of = {item.id: item for item in items}

    def guess(item: RenderedItem) -> str | None:
        draws, options = GuessDraws(seed, item.item_id, item.occasion), facts_of.get(item.item_id)
        if options is not None and not options.formatted:
            return random_guess(options, draws)
        answers = distinct.get(item.task)
        return None if answers is None else answers[draws.below(len(answers))]

    return guess


def _most(items: Sequence[AnswerFacts]) -> Guess:
    learned, facts_of = MostFrequent(items), {item.id: item for item in items}

    def guess(item: RenderedItem) -> str | None:
        options = facts_of.get(item.item_id)
        return None if options is None else learned.guess(options)

    return guess


def _constant(items: Sequence[AnswerFacts]) -> Guess:
    lines = _best("constant", items, lambda item: (item.domain, item.kind, None))
    kinds = {item.id: item.kind for item in items}
    # An item that is new to the baseline has an answer of its domain's first kind.
    first: dict[str, str] = {}
    for item in items:
        first.setdefault(item.domain, item.kind)

    def guess(item: RenderedItem) -> str | None:
        kind = kinds.get(item.item_id, first.get(item.task))
        return None if kind is None else lines.get((item.task, kind, None))

    return guess


def _size_aware(items: Sequence[AnswerFacts]) -> Guess:
    # A bank without sizes has one cell per domain and answer type.
    best = _best("size-aware", items, _cell)
    lines = {item.id: best[_cell(item)] for item in items}
    return lambda item: lines.get(item.item_id)


Cell = tuple[str, str, object]
"""Domain, answer type, size (None for any)."""


def _cell(item: AnswerFacts) -> Cell:
    return item.domain, item.kind, item.size


_LEARNERS: Mapping[str, Callable[..., Guess]] = {
    "random": _random,
    "most": _most,
    "constant": _constant,
    "size-aware": _size_aware,
}


def _best(
    baseline: str, items: Sequence[AnswerFacts], cell: Callable[[AnswerFacts], Cell]
) -> dict[Cell, str]:
    """Return, for every cell, the reply that is right for most of its items; raise ParameterError
    if a cell has too few.
    """
    right: dict[Cell, Counter[str]] = {}
    sizes = Counter(map(cell, items))
    for item in items:
        right.setdefault(cell(item), Counter()).update(set(item.right))
    (domain, kind, size), count = min(sizes.items(), key=lambda pair: pair[1])
    if count < LEAST_ITEMS and any(item.size is not None for item in items):
        where = "" if size is None else f" of size {size}"
        more = "" if size is None else " (percept-v: --instances 5)"
        raise ParameterError(
            f"baseline:{baseline} learns from the answers that it is judged by and needs "
            f"{LEAST_ITEMS} items of a kind, but {domain!r}{where} has {count} of type {kind!r}; "
            f"build a bank with more{more}, or take baseline:random"
        )
    return {key: most_frequent(lines) for key, lines in right.items()}
