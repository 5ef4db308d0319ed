"""One claim: what a score generalizes to, for means, differences and rank sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import sparse, stats
from scipy.sparse.csgraph import connected_components

from gfactor.errors import UnknownNameError
from gfactor.psychometrics import Sampling, all_pairs, claim_in_words, group_means, wilson
from gfactor.psychometrics.inference.claim import _joined
from gfactor.psychometrics.inference.paired import ComparisonSettings, infer_claim
from gfactor.psychometrics.inference.pairwise import compare_pairs, pair_table
from gfactor.psychometrics.planning import DifferenceAim, StandardError

DOMAINS = np.repeat(np.arange(6), [2, 3, 4, 5, 6, 10])


def one(values: object, **how: object) -> tuple[float, float, float]:
    """Mean and interval of one group."""
    x = np.asarray(values, float)
    means = group_means(np.zeros(x.size, int), x, np.ones(x.size), **how)  # pyright: ignore[reportArgumentType]
    low, high = means.interval()
    return float(means.value[0]), float(low[0]), float(high[0])


def test_entries_that_share_a_value_are_one_group_as_in_the_graph_of_both_lists() -> None:
    lot = np.random.default_rng(7)
    for _ in range(200):
        size, kinds = lot.integers(1, 40, 2)
        a, b = lot.integers(0, kinds, size), lot.integers(0, 20, size)
        links = sparse.coo_matrix((np.ones(size), (a, kinds + b)), shape=(kinds + 20, kinds + 20))
        groups = connected_components(links, directed=False)[1][a]
        # Groups are numbered by their smallest value in the first list.
        order = {group: at for at, group in enumerate(dict.fromkeys(groups[np.argsort(a)]))}
        assert _joined(a, b).tolist() == [order[group] for group in groups]
    chain = np.repeat(np.arange(50), 2)
    assert not _joined(chain[1:], chain[:-1]).any()


def test_one_domain_of_single_answers_has_wilsons_interval() -> None:
    x = [1.0] * 9 + [0.0]
    assert_allclose(one(x)[1:], [float(end) for end in wilson(9, 10)])
    assert_allclose(one(x, domains=["a"] * 10)[1:], one(x)[1:])


def test_fixed_domains_count_only_what_varies_within_them() -> None:
    x = np.array([1.0, 1, 1, 0, 1, 0, 0, 0])
    domains = np.repeat([0, 1], 4)
    found = group_means(np.zeros(8, int), x, np.ones(8), domains=domains)
    # Each domain has variance 1/4 (3/4 or 1/4 right of 4) between its items, and weight 1/2.
    assert found.se[0] == pytest.approx(np.sqrt(2 * 0.25 / 4 / 4))
    assert found.df[0] == pytest.approx(6)
    assert found.strata[0] == 2
    over = group_means(np.zeros(8, int), x, np.ones(8), domains=domains, claim="other-domains")
    assert over.se[0] == pytest.approx(np.sqrt(2 * 2 * 0.25**2 / 4))
    assert (over.units[0], over.df[0]) == (2, pytest.approx(1))


@pytest.mark.parametrize("right", [(5, 5), (5, 6), (1, 9)])
def test_other_domains_are_never_surer_than_the_same_domains(right: tuple[int, int]) -> None:
    x = np.concatenate([np.arange(10) < count for count in right]).astype(float)
    domains = np.repeat([0, 1], 10)
    same = group_means(np.zeros(20, int), x, np.ones(20), domains=domains)
    over = group_means(np.zeros(20, int), x, np.ones(20), domains=domains, claim="other-domains")
    assert over.se[0] >= same.se[0]
    # Equal domains leave items as the only spread; unequal ones are the spread.
    assert (over.se[0] == pytest.approx(same.se[0])) == (right != (1, 9))
    (low, high), (same_low, same_high) = over.interval(), same.interval()
    assert low[0] <= same_low[0] < same_high[0] <= high[0]
    assert over.df[0] == 1
    # The difference of two examinees has the same floor, alone and among all pairs.
    scores = pd.DataFrame({"a": x, "b": 1 - x[::-1]})
    pairs = {
        claim: compare_pairs(scores, sampling=Sampling.of(claim, 20, domains=domains))
        for claim in ("same-domains", "other-domains")
    }
    assert pairs["other-domains"].se[0, 1] >= pairs["same-domains"].se[0, 1]


@pytest.mark.parametrize("graded", [False, True])
def test_a_wider_claim_never_decides_more(graded: bool) -> None:
    """Domains of one to three items whose means are nearly equal by luck."""
    rng = np.random.default_rng(7)
    surer = 0
    for size in (1, 2, 3) * 4:
        domains = np.repeat(np.arange(8), size)
        x = (rng.random((domains.size, 3)) < [0.95, 0.6, 0.3]).astype(float)
        scores = pd.DataFrame(x / 2 + rng.random(x.shape) / 2 if graded else x, columns=list("abc"))
        wide = Sampling.of("other-domains", len(x), domains=domains)
        assert wide.within is not None
        one, other = (all_pairs(scores, sampling=s).table for s in (wide, wide.within))
        low, high, p = (one[name].to_numpy(float) for name in ("low", "high", "p"))
        narrow = [other[name].to_numpy(float) for name in ("low", "high", "p")]
        assert np.all(low <= narrow[0] + 1e-12)
        assert np.all(high >= narrow[1] - 1e-12)
        assert np.all(p >= narrow[2] - 1e-12)
        fast = pair_table(compare_pairs(scores, sampling=wide), scores)
        for name in ("low", "high", "p_holm"):
            assert_allclose(fast[name].to_numpy(float), one[name].to_numpy(float), atol=1e-9)
        whole = np.zeros(len(x), int)
        outer, inner = (s.means(whole, x[:, 1]).interval() for s in (wide, wide.within))
        assert outer[0] <= inner[0]
        assert outer[1] >= inner[1]
        surer += int(np.sum(p > narrow[2]))
    assert surer > 4


def test_two_items_of_each_domain_do_not_decide_for_other_domains_what_they_leave_open() -> None:
    """One is right on all 16 items but one, the other on a quarter: each domain alike by luck."""
    first = np.array([1, 1] * 7 + [1, 0])
    second = np.array([0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0])
    scores = pd.DataFrame({"a": first, "b": second}, dtype=float)
    domains = np.repeat(np.arange(8), 2)
    p = {
        claim: float(
            all_pairs(scores, sampling=Sampling.of(claim, 16, domains=domains)).table.at[0, "p"]
        )
        for claim in ("same-domains", "other-domains")
    }
    assert p["other-domains"] == pytest.approx(p["same-domains"])
    assert p["other-domains"] > 0.01


def test_items_of_one_picture_are_one_unit_under_every_claim() -> None:
    x = np.repeat([1.0, 0, 1, 1, 0, 0], 3)
    pictures, domains = np.repeat(np.arange(6), 3), np.repeat([0, 1], 9)
    grouped = group_means(np.zeros(18, int), x, np.ones(18), units=pictures, domains=domains)
    single = group_means(np.zeros(6, int), x[::3], np.ones(6), domains=domains[::3])
    assert_allclose(grouped.se, single.se)
    assert_allclose(grouped.interval(), single.interval())
    # A picture in two domains joins these.
    joined = Sampling.of("same-domains", 18, units=pictures, domains=np.repeat([0, 1], [10, 8]))
    assert len(np.unique(joined.strata)) == 1
    over = Sampling.of("other-domains", 18, units=pictures, domains=domains)
    assert len(np.unique(over.units)) == 2


def test_domains_of_one_item_are_put_together() -> None:
    x = np.array([1.0, 0, 1, 1, 0, 1])
    alone = group_means(np.zeros(6, int), x, np.ones(6), domains=np.arange(6))
    assert_allclose(alone.se, group_means(np.zeros(6, int), x, np.ones(6)).se)
    # A single one joins the smallest of the others.
    lone = group_means(np.zeros(6, int), x, np.ones(6), domains=[0, 1, 1, 2, 2, 2])
    pair = group_means(np.zeros(6, int), x, np.ones(6), domains=[1, 1, 1, 2, 2, 2])
    assert_allclose(lone.se, pair.se)


def test_these_items_vary_only_between_occasions() -> None:
    once = one([1.0, 0.0, 1.0], claim="these-items")
    assert once[0] == pytest.approx(2 / 3)
    assert np.isnan(once[1])
    thrice = group_means([0, 0], [0.5, 1.0], [1, 1], claim="these-items", answer_variance=[0.1, 0])
    assert thrice.se[0] == pytest.approx(np.sqrt(0.1) / 2)


def test_an_interval_keeps_its_width_where_all_are_right() -> None:
    for claim in ("same-domains", "other-domains"):
        value, low, high = one(np.ones(30), domains=DOMAINS, claim=claim)
        assert (value, high) == (1.0, 1.0)
        assert 0 < low < 1
    assert one(np.ones(30), domains=DOMAINS)[1] == pytest.approx(float(wilson(30, 30)[0]))


def test_the_claim_is_said_in_words() -> None:
    assert claim_in_words("same-domains", 30) == "generalizes to other items of these 30 domains"
    assert claim_in_words("same-domains", 1) == "generalizes to other items of this kind"
    assert claim_in_words("other-domains", 30, "topic") == (
        "generalizes to other topics of this kind (30 topics here)"
    )
    with pytest.raises(UnknownNameError, match="did you mean 'same-domains'"):
        claim_in_words("same-domain", 3)


@pytest.mark.parametrize("claim", ["same-domains", "other-domains", "these-items"])
@pytest.mark.parametrize("graded", [False, True])
@pytest.mark.parametrize("pictures", [1, 3])
@pytest.mark.parametrize("missing", [0.0, 0.5])
def test_all_pairs_at_once_are_those_one_by_one(
    claim: str, graded: bool, pictures: int, missing: float
) -> None:
    rng = np.random.default_rng(3)
    x = rng.random((30, 3))
    x = x if graded else (x < [0.8, 0.6, 0.2]).astype(float)
    x = np.where(rng.random(x.shape) < missing, np.nan, x)
    scores = pd.DataFrame(x, columns=list("abc"))
    sampling = Sampling.of(claim, 30, units=np.arange(30) // pictures, domains=DOMAINS)
    noise = pd.DataFrame(0.04, scores.index, scores.columns) if claim == "these-items" else None
    slow = all_pairs(scores, sampling=sampling, answer_variance=noise).table
    fast = compare_pairs(scores, sampling=sampling, answer_variance=noise)
    table = pair_table(fast, scores)
    for name in ("estimate", "low", "high", "p", "p_holm", "n"):
        assert_allclose(table[name].to_numpy(float), slow[name].to_numpy(float), atol=1e-9)


@pytest.mark.thorough
def test_the_interval_of_a_difference_excludes_zero_just_where_p_is_small() -> None:
    rng = np.random.default_rng(5)
    decided = []
    for _ in range(150):
        d = rng.choice([-1.0, 0.0, 1.0], 30, p=[0.1, 0.6, 0.3])
        found = infer_claim(d, Sampling.of("same-domains", 30, domains=DOMAINS),
                            ComparisonSettings(), binary=True)  # fmt: skip
        assert found.method == "stratified"
        decided.append(found.p < 0.05)
        assert (found.low > 0 or found.high < 0) == decided[-1]
    assert 10 < sum(decided) < 140


def covered(claim: str, chances: np.ndarray | None, size: int, runs: int = 1500) -> float:
    """The share of intervals with the truth; chances of domains, or None to draw them."""
    rng = np.random.default_rng(11)
    count = 12
    p = np.tile(chances, (runs, 1)) if chances is not None else rng.beta(4, 1.5, (runs, count))
    truth = p.mean(axis=1) if chances is not None else np.full(runs, 4 / 5.5)
    x = rng.random((runs, count, size)) < p[:, :, None]
    groups = np.repeat(np.arange(runs), count * size)
    domains = np.tile(np.repeat(np.arange(count), size), runs)
    means = group_means(groups, x.ravel(), np.ones(x.size), claim=claim, domains=domains)
    low, high = means.interval()
    return float(((low <= truth) & (truth <= high)).mean())


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("claim", "chances", "size"),
    [
        ("same-domains", np.linspace(0.05, 0.95, 12), 10),
        ("same-domains", np.linspace(0.8, 1.0, 12), 10),
        ("same-domains", np.linspace(0.8, 1.0, 12), 3),
        ("other-domains", None, 10),
    ],
)
def test_intervals_cover_what_they_claim(claim: str, chances: np.ndarray, size: int) -> None:
    # 1,500 data sets: Monte Carlo error .006.
    assert 0.93 - 0.012 <= covered(claim, chances, size) <= 0.97 + 0.012


def test_the_claims_differ_where_domains_do() -> None:
    # The interval for fixed domains does not cover the mean over other domains, by far.
    rng = np.random.default_rng(2)
    p = rng.beta(4, 1.5, (400, 12))
    x = rng.random((400, 12, 20)) < p[:, :, None]
    groups, domains = np.repeat(np.arange(400), 240), np.tile(np.repeat(np.arange(12), 20), 400)
    means = group_means(groups, x.ravel(), np.ones(x.size), domains=domains)
    low, high = means.interval()
    assert ((low <= 4 / 5.5) & (high >= 4 / 5.5)).mean() < 0.75


def test_who_follows_a_plan_gets_the_interval_that_was_planned() -> None:
    rng = np.random.default_rng(8)
    p = np.linspace(0.2, 0.9, 10)
    aim = StandardError(sd=float(np.sqrt((p * (1 - p)).mean())), domains=10)
    items = aim.needed({}, 0.02)
    assert items is not None
    each = -(-items // 10)
    domains = np.repeat(np.arange(10), each)
    widths = []
    for _ in range(40):
        x = (rng.random(domains.size) < p[domains]).astype(float)
        low, high = one(x, domains=domains)[1:]
        widths.append((high - low) / 2)
    planned = aim.half_width({"item": domains.size})
    assert np.mean(widths) == pytest.approx(planned, rel=0.02)

    pairs = DifferenceAim(sd_difference=0.5, domains=10)
    n = pairs.needed({}, 0.08)
    assert n is not None
    domains = np.arange(n) % 10
    halves = []
    for _ in range(40):
        d = rng.choice([-1.0, 0.0, 1.0], n, p=[0.105, 0.75, 0.145])
        found = infer_claim(d, Sampling.of("same-domains", n, domains=domains),
                            ComparisonSettings(), binary=True)  # fmt: skip
        halves.append((found.high - found.low) / 2)
    sd = float(np.sqrt(0.25 - 0.04**2))
    planned = DifferenceAim(sd_difference=sd, domains=10).half_width({"item": n})
    assert np.mean(halves) == pytest.approx(planned, rel=0.03)
    assert stats.t.ppf(0.975, n - 10) * sd / np.sqrt(n) == pytest.approx(planned)


def by_domain(right: Sequence[int], items: Sequence[int]) -> tuple[float, float, float]:
    """Mean and interval of domains with so many right answers of so many items."""
    answers = np.concatenate([np.arange(n) < k for k, n in zip(right, items, strict=True)])
    return one(answers.astype(float), domains=np.repeat(np.arange(len(items)), items))


def test_domains_that_are_all_right_or_all_wrong_widen_the_interval() -> None:
    # Wilson's interval of 23 of 23 begins at .8569, that of 0 of 7 ends at .3543.
    mean, low, high = by_domain([8, 7, 0, 8], [8, 7, 7, 8])
    assert_allclose([low, high], [23 / 30 * 0.8569, mean + 7 / 30 * 0.3543], atol=1e-4)
    assert_allclose([low, high], [0.657, 0.849], atol=5e-4)
    # One domain that varies has Wilson's interval, 5 of 10: .2366 to .7634.
    away = np.hypot(0.5 - 0.2366, 1 - float(wilson(10, 10)[0])) / 3
    assert_allclose(by_domain([10, 0, 5], [10] * 3), [0.5, 0.5 - away, 0.5 + away], atol=1e-4)
    # No end is nearer than that from the variance within domains.
    mean, low, high = by_domain([10, 5], [10, 10])
    means = group_means([0] * 20, [1] * 15 + [0] * 5, [1] * 20, domains=np.repeat([0, 1], 10))
    alone = replace(means, uniform=None).interval()
    assert low == pytest.approx(float(alone[0][0]))
    assert high == pytest.approx(mean + (0.7634 - 0.5) / 2, abs=1e-4)
    assert high > float(alone[1][0])
    # Many domains of two items that are right by chance are no wider than items without domains.
    answers = [1.0] * 36 + [0.0] * 4
    domains = np.concatenate([np.repeat(np.arange(16), 2), [16, 17, 18, 19, 16, 17, 18, 19]])
    means = group_means([0] * 40, answers, [1] * 40, domains=domains)
    alone = replace(means, uniform=None).interval()
    assert one(answers, domains=domains)[2] == pytest.approx(float(alone[1][0]))
    assert alone[1][0] > wilson(36, 40)[1]


def test_the_interval_holds_its_level_where_domains_are_at_floor_or_ceiling() -> None:
    def held(chances: Sequence[float], items: Sequence[int]) -> tuple[float, float]:
        """Probability that the interval holds the truth, now and from the variance alone."""
        truth = float(np.dot(chances, items)) / sum(items)
        tables = list(product(*[range(n + 1) if 0 < p < 1 else [round(p) * n]
                                for p, n in zip(chances, items, strict=True)]))  # fmt: skip
        numbers = np.concatenate([np.arange(n) for n in items])
        domains = np.repeat(np.arange(len(items)), items)
        answers = (numbers < np.array(tables)[:, domains]).astype(float)
        means = group_means(
            np.repeat(np.arange(len(tables)), sum(items)), answers.ravel(), np.ones(answers.size),
            domains=np.tile(domains, len(tables)),
        )  # fmt: skip
        likely = stats.binom.pmf(tables, items, chances).prod(axis=1)
        both = (means.interval(), replace(means, uniform=None).interval())
        now, before = (float(likely @ ((low <= truth) & (truth <= high))) for low, high in both)
        return now, before

    now, before = held([1, 1, 0.2, 1], [8, 7, 7, 8])
    assert before == pytest.approx(0.79, abs=0.005)
    assert now > 0.95
    for chances, items in (
        ([1, 1, 0.5, 1], [8] * 4), ([1, 1, 1, 1, 0.2], [20] * 5), ([0, 1, 0.5, 1], [20] * 4),
        ([0, 0.9, 0, 0.9], [20] * 4), ([1] * 29 + [0.2], [20] * 30),
    ):  # fmt: skip
        now, before = held(chances, items)
        assert now > max(0.945, before)


def test_a_score_with_all_answers_right_has_wilsons_interval_for_any_domains() -> None:
    for items in ([20], [10, 10], [5, 2, 13], [1, 19], [2] * 10):
        low, high = wilson(20, 20)
        assert_allclose(by_domain(items, items)[1:], [float(low), float(high)])
        assert_allclose(by_domain([0] * len(items), items)[1:], [0, 1 - float(low)])


@pytest.mark.thorough
@pytest.mark.parametrize("items", [[4, 4, 4], [2, 3, 8], [2, 2, 2, 2]])
def test_one_more_right_answer_never_lowers_both_ends(items: list[int]) -> None:
    ends = {k: by_domain(k, items)[1:] for k in product(*[range(n + 1) for n in items])}
    for right, (low, high) in ends.items():
        for h, n in enumerate(items):
            more = ends.get((*right[:h], right[h] + 1, *right[h + 1 :]))
            assert right[h] == n or more is not None
            assert more is None or more[0] >= low - 1e-12 or more[1] >= high - 1e-12
        # Right and wrong change places.
        mirrored = ends[tuple(n - k for n, k in zip(items, right, strict=True))]
        assert_allclose(mirrored, [1 - high, 1 - low], atol=1e-12)


def test_partial_credit_weights_and_pictures_have_wider_intervals_at_the_ceiling_too() -> None:
    x = [1.0] * 8 + [0.5, 0.25, 0.75, 0.5]
    domains = np.repeat([0, 1], [8, 4])
    part = group_means([0] * 4, x[8:], [1] * 4)
    mean, low, _ = one(x, domains=domains)
    below = (
        np.hypot(4 * (0.5 - float(part.interval()[0][0])), 8 * (1 - float(wilson(8, 8)[0]))) / 12
    )
    assert low == pytest.approx(mean - below)
    # Four questions of one picture tell as much about a domain as one question.
    pictures = np.concatenate([np.repeat([0, 1], 4), np.arange(2, 6)])
    assert one(x, domains=domains, units=pictures)[1] < low
    # Items of 1 and 9 points count as fewer than they are.
    points = np.concatenate([[1.0] * 7, [9.0], [4.0] * 4])
    means = group_means([0] * 12, points * x, points, domains=domains)
    assert means.uniform is not None
    assert means.uniform.right[0] == pytest.approx(16**2 / (7 + 81))
    # Other domains mean other items, too.
    assert one(x, domains=domains, claim="other-domains")[1] <= low
