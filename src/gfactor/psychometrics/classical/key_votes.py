"""Keys that most examinees reject: items on which most of them chose the same other option.

No correlation is needed, so a few models are enough. An item is listed if at least `LEAST`
examinees chose an option of it, more than half of them the same one that is not the key, and that
is too many for two explanations in which the key is right. First, that all guess: the probability
that any one wrong option of k gets so many of n choices is at most (k - 1) P(X >= m), X binomial
with n and 1 / k; it has to be at most `LEVEL`. Second, that as many find the key as fall for
the option: the one-sided sign test of the two has to be at most `SIGN_LEVEL`. The number of items
that are listed by chance is computed for examinees who guess; those who know something choose the
key more often, so it is a bound where wrong choices spread evenly. Examinees who share an error
(one family of models) are no independent votes, so a listed item is one to look at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from scipy.stats import binom

from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic

LEAST = 5
"""Least number of readable choices of an item; with fewer, three who err alike are a majority."""
LEVEL = 0.01
"""Largest probability of so many equal wrong choices if everybody guesses, of each item."""
SIGN_LEVEL = 0.05
"""Largest probability of the sign test of the option against the key."""
OUTVOTED_KEY = "outvoted_key"
REMEDY = "Look at the items and correct the keys that are wrong; models may share an error."

Votes = Mapping[str, int]
"""Option -> number of examinees that chose it."""


@dataclass(frozen=True)
class OutvotedKey:
    """An item whose key most examinees reject.

    Parameters
    ----------
    item: name of the item.
    option, key: the option that most chose, and the keyed one.
    for_option, for_key, n: numbers of examinees that chose each, and any option.
    p: probability of so many choices of one wrong option if everybody guesses.
    """

    item: str
    option: str
    key: str
    for_option: int
    for_key: int
    n: int
    p: float

    @property
    def sentence(self) -> str:
        """Return the option that most chose, and the key, without the name of the item."""
        return (
            f"{self.for_option} of {self.n} chose {self.option}; the key is {self.key}, which "
            f"{self.for_key} chose"
        )


@dataclass(frozen=True)
class KeyVotes:
    """Result of `outvoted_keys`.

    Parameters
    ----------
    outvoted: items whose key most examinees reject, the clearest first.
    n_items: number of items with enough choices.
    expected: number of items that would be listed by chance if everybody guessed.
    """

    outvoted: tuple[OutvotedKey, ...]
    n_items: int
    expected: float

    @property
    def diagnostic(self) -> Diagnostic | None:
        """Return one sentence on all items that are listed; None if there are none."""
        if not self.outvoted:
            return None
        named = first_few(f"{one.item} ({one.sentence})" for one in self.outvoted)
        return Diagnostic(
            OUTVOTED_KEY,
            "warning",
            f"On {len(self.outvoted)} of {self.n_items:,} items, most chose the same option, which "
            f"is not the key: {named}. {self.by_chance}",
            REMEDY,
            tuple(one.item for one in self.outvoted),
            {"expected": self.expected},
        )

    @property
    def by_chance(self) -> str:
        """Return a sentence on the number of items that chance explains."""
        bound = f"{self.expected:.1f}" if self.expected >= 0.1 else "0.1"
        return (
            f"If all keys were right, at most {bound} would be listed by chance, even if "
            "everybody guessed."
        )


def outvoted_keys(
    votes: Mapping[str, Votes], key: Mapping[str, str], options: Mapping[str, int] | None = None
) -> KeyVotes:
    """Find items on which most examinees chose the same option, which is not the key.

    Parameters
    ----------
    votes : mapping of str to mapping of str to int
        Number of examinees that chose each option, by item; those whose choice could not be read
        are not in it.
    key : mapping of str to str
        Keyed option of each item; items without one are left out.
    options : mapping of str to int, optional
        Number of options of each item; by default, the number of those that occur.

    Returns
    -------
    KeyVotes
        The items, and the number expected by chance.

    Examples
    --------
    >>> found = outvoted_keys({"q": {"A": 7, "C": 1, "E": 1}}, {"q": "E"}, {"q": 5})
    >>> [one.sentence for one in found.outvoted]
    ['7 of 9 chose A; the key is E, which 1 chose']
    """
    outvoted: list[OutvotedKey] = []
    n_items, expected = 0, 0.0
    for item, of_item in votes.items():
        n = sum(of_item.values())
        if item not in key or n < LEAST:
            continue
        keyed = key[item]
        k = max((options or {}).get(item, 0), len({*of_item, keyed}), 2)
        n_items += 1
        expected += _chance_of_being_listed(n, k)
        wrong = {option: m for option, m in of_item.items() if option != keyed}
        if not wrong:
            continue
        option = min(wrong, key=lambda one: (-wrong[one], one))
        m, for_key = wrong[option], of_item.get(keyed, 0)
        p = _so_many_by_guessing(m, n, k)
        if 2 * m > n and p <= LEVEL and _sign_test(m, for_key) <= SIGN_LEVEL:
            outvoted.append(OutvotedKey(item, option, keyed, m, for_key, n, p))
    outvoted.sort(key=lambda one: (one.p, one.item))
    return KeyVotes(tuple(outvoted), n_items, expected)


def _so_many_by_guessing(m: int, n: int, k: int) -> float:
    """Return the probability that any wrong one of k options gets m of n choices by guessing."""
    return min(1.0, (k - 1) * float(binom.sf(m - 1, n, 1 / k)))


def _sign_test(m: int, for_key: int) -> float:
    return float(binom.sf(m - 1, m + for_key, 0.5))


@lru_cache(maxsize=1024)
def _chance_of_being_listed(n: int, k: int) -> float:
    """Return the probability that an item with k options is listed if n examinees guess."""
    listed = 0.0
    for m in range(n // 2 + 1, n + 1):
        if _so_many_by_guessing(m, n, k) <= LEVEL:
            few = [j for j in range(n - m + 1) if _sign_test(m, j) <= SIGN_LEVEL]
            if few:  # No two options have more than half of the choices, so that chances add up.
                beside = (
                    float(binom.cdf(few[-1], n - m, 1 / (k - 1)))
                    if k > 2
                    else float(few[-1] >= n - m)
                )
                listed += (k - 1) * float(binom.pmf(m, n, 1 / k)) * beside
    return listed
