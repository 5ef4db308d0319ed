"""Wider grammars of number series, letter series, number grids, balance puzzles and bills."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def constant(values: Sequence[Any]) -> bool:
    """Return True if at least two values are all the same."""
    return len(values) >= 2 and len(set(values)) == 1


def differences(values: Sequence[Any]) -> list[Any]:
    return [b - a for a, b in pairwise(values)]


def ratios(values: Sequence[int]) -> list[Fraction]:
    return [Fraction(b, a) for a, b in pairwise(values)] if all(values[:-1]) else []


def regular(terms: Sequence[int], modulus: int = 0) -> Iterator[str]:
    """Name the rules that all terms follow; each is verified by two equations or more beyond none.

    A rule of one constant needs two equations that agree, and so on: `constant` of two or more
    values that are what the constant should be. With a modulus numbers go round, as letters can.
    """
    first = _round(differences(terms), modulus)
    second = _round(differences(first), modulus)
    third = _round(differences(second), modulus)
    if constant(first):
        yield "step"
    if constant(second):
        yield "growing step"
    if constant(third):
        yield "growing growth"
    for period in (2, 3):
        if _each(first, period):
            yield f"{period} steps in turn"
    if modulus:
        return
    if constant(ratios(terms)):
        yield "factor"
    if any(first) and constant(ratios(first)):
        yield "multiplied step"
    if constant(_round(differences(ratios(terms)), 0)):
        yield "growing factor"
    if _each(ratios(terms), 2):
        yield "two factors in turn"
    yield from _recurrences(terms, first)


def _round(values: Sequence[Any], modulus: int) -> list[Any]:
    return [value % modulus for value in values] if modulus else list(values)


def _each(values: Sequence[Any], period: int) -> bool:
    """Return True if every so many values are the same, each seen twice."""
    return all(constant(values[k::period]) for k in range(period))


def _recurrences(terms: Sequence[int], first: Sequence[int]) -> Iterator[str]:
    for factor in (*range(-5, 0), *range(2, 11)):
        if constant([b - factor * a for a, b in pairwise(terms)]) and len(terms) >= 4:
            yield f"times {factor} and a step"
    triples = list(zip(terms, terms[1:], terms[2:], strict=False))
    for p, q in itertools.product(range(-3, 4), repeat=2):
        rests = [c - p * b - q * a for a, b, c in triples]
        # Two factors and a rest are three constants; sums and differences are rules of one.
        if (
            constant(rests)
            and q
            and (len(rests) >= 4 or (abs(p) == abs(q) == 1 and len(rests) > 2))
        ):
            yield f"{p} times the last and {q} times the one before"
    sums = [c - a - b for a, b, c in zip(first, first[1:], first[2:], strict=False)]
    if len(sums) >= 3 and not any(sums):
        yield "steps that are sums of steps"
    operations = (_operation(list(pairwise(terms))[k::2]) for k in (0, 1))
    if all(operations):
        yield "two operations in turn"


def _operation(pairs: Sequence[tuple[int, int]]) -> bool:
    steps = [b - a for a, b in pairs]
    factors = [Fraction(b, a) for a, b in pairs if a]
    return constant(steps) or (len(factors) == len(pairs) and constant(factors))


def number_series(scene: Any, options: Sequence[int]) -> dict[int, str]:
    """Up to four streams, each with a rule of its own."""
    found = {}
    for streams in (1, 2, 3, 4):
        parts = [scene["terms"][k::streams] for k in range(streams)]
        place = len(scene["terms"]) % streams
        if not all(any(True for _ in regular(p)) for k, p in enumerate(parts) if k != place):
            continue
        shown = set(regular(parts[place]))
        for number, option in enumerate(options):
            goes_on = shown & set(regular([*parts[place], option]))
            if goes_on:
                found.setdefault(number, f"{streams} streams, {min(goes_on)}")
    return found


def letter_series(scene: Any, options: Sequence[str]) -> dict[int, str]:
    """Up to five streams of letters shown up to three times, each with a rule of its own, with or
    without going round from Z to A."""
    letters, found = scene["letters"], {}
    for often, streams, modulus in itertools.product((1, 2, 3), (1, 2, 3, 4, 5), (0, 26)):
        for number, option in enumerate(options):
            longer = letters + option
            if any(longer[k] != longer[k - k % often] for k in range(len(longer))):
                continue
            rules = [_letters(text, often, streams, modulus) for text in (letters, longer)]
            if all(all(one) for one in rules) and all(a & b for a, b in zip(*rules, strict=True)):
                found.setdefault(number, f"{streams} streams of letters, {often} times")
    return found


def _letters(text: str, often: int, streams: int, modulus: int) -> list[set[str]]:
    places = [ALPHABET.index(letter) for letter in text[::often]]
    rules = ("step", "growing step", "2 steps in turn")
    return [set(regular(places[k::streams], modulus)) & set(rules) for k in range(streams)]


def number_grids(scene: Any, options: Sequence[int]) -> dict[int, str]:
    """Rows or columns: any whole multiples of the first two, a product, a quotient, with a rest
    that the whole lines share; a rule with two factors has no rest."""
    found = {}
    for number, option in enumerate(options):
        rows = [[option if x == -1 else x for x in row] for row in scene["rows"]]
        for lines in (rows, [list(column) for column in zip(*rows, strict=True)]):
            if len(lines[0]) == 3 and len(lines) >= 3:
                for rule in _of_three(lines):
                    found.setdefault(number, rule)
    return found


def _of_three(lines: Sequence[Sequence[int]]) -> Iterator[str]:
    for p, q in itertools.product(range(-3, 4), repeat=2):
        rests = {c - p * a - q * b for a, b, c in lines}
        plain = {abs(p), abs(q)} <= {0, 1}
        if (p or q) and len(rests) == 1 and (plain or rests == {0}):
            yield f"{p} times the first and {q} times the second"
    for r in range(3):
        turned = [(*line[r:], *line[:r]) for line in lines]
        if all(a * b == c for a, b, c in turned):
            yield "product"
        if all(abs(a - b) == c for a, b, c in turned):
            yield "distance"
        if all(a + c == 2 * b for a, b, c in turned):
            yield "mean"
    if len({a * b - c for a, b, c in lines}) == 1:
        yield "product and a rest"


def balance_puzzles(scene: Any, options: Sequence[int]) -> dict[int, str]:
    """Weights that may be any real numbers: the scales alone settle the form that is asked for."""
    forms = sorted({x["form"] for s in scene["scales"] for p in s.values() for x in p["loads"]})
    rows = []
    for scale in scene["scales"]:
        row = [Fraction(0)] * (len(forms) + 1)
        for pan, sign in (("left", 1), ("right", -1)):
            for load in scale[pan]["loads"]:
                row[forms.index(load["form"])] += sign * load["count"]
            row[-1] -= sign * scale[pan]["block"]
        rows.append(row)
    asked = forms.index(scene["asked"])
    order = [k for k in range(len(forms)) if k != asked] + [asked, len(forms)]
    last = _eliminated([[row[k] for k in order] for row in rows], len(forms) - 1)
    settled = {row[1] / row[0] for row in last if row[0]}
    if not settled:
        return dict.fromkeys(range(len(options)), "weights that are no whole numbers")
    return {k: "the scales" for k, option in enumerate(options) if settled == {option}}


def _eliminated(rows: list[list[Fraction]], count: int) -> list[list[Fraction]]:
    """What rows say of the last unknown once the first `count` are eliminated."""
    for column in range(count):
        pivot = next((row for row in rows if row[column]), None)
        if pivot is None:
            continue
        rows = [
            [x - row[column] / pivot[column] * y for x, y in zip(row, pivot, strict=True)]
            for row in rows
            if row is not pivot
        ]
    return [row[count:] for row in rows if not any(row[:count])]


def bills_and_plans(scene: Any, options: Sequence[int]) -> dict[int, str]:
    """Whole lots, rounded up or down, and prices of single pieces."""
    prices = {one["form"]: one for one in scene["prices"]}
    found: dict[int, str] = {}
    for name, lots in (
        ("lots rounded up", lambda count, lot: -(-count // lot)),
        ("lots rounded down", lambda count, lot: count // lot),
        ("single pieces", Fraction),
    ):
        total = sum(
            lots(one["count"], prices[one["form"]]["pieces"]) * prices[one["form"]]["price"]
            for one in scene["bought"]
        )
        result = scene["paid"] - total if scene["paid"] else total
        for number, option in enumerate(options):
            if option == result:
                found.setdefault(number, name)
    return found


FITTING = {
    "number_series": number_series,
    "letter_series": letter_series,
    "number_grids": number_grids,
    "balance_puzzles": balance_puzzles,
    "bills_and_plans": bills_and_plans,
}
