"""Guesses from what generated items show, by somebody who looks for no rule.

    python benchmarks/chc_shown.py [FAMILY ...] [--items 200] [--seed 3401] [--difficulty extreme]

Prints the table of docs/evidence/batteries-measured.md: the share of items that each guess answers
(a guess that names several options takes one of them at random).

constant
    the answer (or the position of the right option) that is right most often
shown, new
    an option that is shown in the scene as it is; one that is not
commonest, rarest
    the option whose values (form, shade, number, letter ...) are shown most often, or least;
    not for options that are kept as coordinates, which nobody sees
asked
    families whose answers are open: what is asked for is a copy of what was shown (`ASKED`)
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from gfactor.benchmarks.chc import FAMILIES
from gfactor.benchmarks.chc.items import BatteryRequest, draw
from gfactor.items import canonical_json

Record = Mapping[str, Any]


def records(name: str, items: int, seed: int, difficulty: str) -> list[Record]:
    """What provenance would keep of items, which need no picture."""
    family = FAMILIES[name]
    levels = family.preset(difficulty)
    request = BatteryRequest(
        seed=seed, cells=((difficulty, levels),), per_cell=items, language=("en",),
        answers=family.answer_types[0], twin="text",
        options=family.options[0] if family.options else 0,
    )  # fmt: skip
    scenes: set[str] = set()
    drawn = (draw(family, request, difficulty, levels, k, scenes) for k in range(items))
    return [{**json.loads(canonical_json(one.record)), "levels": dict(one.levels)} for one in drawn]


def parts(content: Any) -> Iterator[str]:
    """Everything that a scene holds, as JSON: itself, its parts, and theirs."""
    yield canonical_json(content)
    inner = content.values() if isinstance(content, dict) else content
    for part in inner if isinstance(content, dict | list) else ():
        yield from parts(part)


def values(content: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """The values of a content with the names of their attributes."""
    if isinstance(content, dict):
        for key, part in content.items():
            yield from values(part, key)
    elif isinstance(content, list):
        for part in content:
            yield from values(part, name)
    else:
        yield name, canonical_json(content)


def extreme(record: Record, best: Callable[[Sequence[int]], int]) -> list[Any]:
    """The options whose values are shown most (`max`) or least often (`min`)."""
    count = Counter(values(record["scene"]))
    by_value = Counter[str]()
    for (_, value), n in count.items():
        by_value[value] += n
    sums = [
        sum(count[name, value] if name else by_value[value] for name, value in values(option))
        for option in record["options"]
    ]
    return [o for o, n in zip(record["options"], sums, strict=True) if n == best(sums)]


def shown(record: Record, wanted: bool) -> list[Any]:
    """The options that are shown in the scene as they are, or those that are not."""
    there = set(parts(record["scene"]))
    return [o for o in record["options"] if (canonical_json(o) in there) == wanted]


GUESSES: Mapping[str, Callable[[Record], list[Any]]] = {
    "shown": lambda record: shown(record, True),
    "new": lambda record: shown(record, False),
    "commonest": lambda record: extreme(record, max),
    "rarest": lambda record: extreme(record, min),
}


def share_right(guess: Callable[[Record], list[Any]], made: Sequence[Record]) -> float:
    """Share of items that a guess among the options answers."""
    found = 0.0
    for record in made:
        named = guess(record) or record["options"]
        found += (record["answer"] in named) / len(named)
    return found / len(made)


def stream(terms: Sequence[Any], streams: int) -> Sequence[Any]:
    """The terms shown of the series that goes on with the next term."""
    return terms[len(terms) % streams :: streams]


def letters(record: Record) -> bool:
    """The letter asked for is the one before it in its series."""
    shown_letters = record["scene"]["letters"][:: record["levels"]["repeats"]]
    return stream(shown_letters, record["levels"]["streams"])[-1] == record["answer"]


def numbers(record: Record) -> bool:
    """The number asked for is the one before it in its series."""
    own = stream(record["scene"]["terms"], record["levels"]["streams"])
    return own[-1] == record["answer"]


def counters(record: Record) -> bool:
    """A counter that is asked for was never changed."""
    forms = [update["form"] for turn in record["scene"]["turns"] for update in turn]
    return any(forms.count(form) == 1 for form in record["scene"]["asked"])


def same_answers(record: Record) -> bool:
    """All answers of a conversation are the same."""
    return len(set(map(canonical_json, record["answer"]))) == 1


def digits(record: Record) -> bool:
    """The digits or places asked for are all the same, or repeat after two or three."""
    text = str(record["answer"][0])
    return any(text == (text[:period] * len(text))[: len(text)] for period in (1, 2, 3))


ASKED: Mapping[str, Callable[[Record], bool]] = {
    "letter_series": letters, "number_series": numbers, "updating": counters,
    "n_back": same_answers, "card_sorting": same_answers, "paired_associates": same_answers,
    "delayed_recognition": same_answers, "running_span": digits, "spatial_span": digits,
}  # fmt: skip


def row(name: str, made: Sequence[Record]) -> str:
    """The row of a family."""
    options = len(made[0]["options"])
    answers = [
        record["options"].index(record["answer"]) if options else canonical_json(record["answer"])
        for record in made
    ]
    constant = Counter(answers).most_common(1)[0][1] / len(made)
    cells = [f"{1 / options:.2f}" if options else "", f"{constant:.2f}"]
    named = bool(options) and not isinstance(made[0]["answer"], list)
    for guess in GUESSES:
        offered = named if guess in ("commonest", "rarest") else options
        cells.append(f"{share_right(GUESSES[guess], made):.2f}" if offered else "")
    asked = ASKED.get(name)
    cells.append(f"{sum(map(asked, made)) / len(made):.2f}" if asked else "")
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*")
    parser.add_argument("--items", type=int, default=200)
    parser.add_argument("--seed", type=int, default=3401)
    parser.add_argument("--difficulty", default="extreme")
    given = parser.parse_args()
    print(f"| family | chance | constant | {' | '.join(GUESSES)} | asked |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name in given.families or sorted(FAMILIES):
        print(row(name, records(name, given.items, given.seed, given.difficulty)), flush=True)


if __name__ == "__main__":
    main()
