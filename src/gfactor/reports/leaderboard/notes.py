"""What a leaderboard says of its methods, and of what it leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.reports.leaderboard.standings import Board
from gfactor.reports.rates import CHANCE_NOTE, PEOPLE_NOTE, RATE_NOTE

REFERENCES = (
    "Mogstad, M., Romano, J. P., Shaikh, A. M., Wilhelm, D. (2024). Inference for ranks with "
    "applications to mobility across neighbourhoods and academic achievement across countries. "
    "Review of Economic Studies 91, 476-518.",
    "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian "
    "Journal of Statistics 6, 65-70.",
    "Cameron, A. C., Miller, D. L. (2015). A practitioner's guide to cluster-robust inference. "
    "Journal of Human Resources 50, 317-372.",
    "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. "
    "Journal of the American Statistical Association 22, 209-212.",
    "Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions "
    "for the paired-sample design. Statistics in Medicine 17, 891-908.",
)


def methods(boards: Sequence[Board]) -> list[str]:
    """How the numbers were made."""
    clusters = sorted({board.cluster for board in boards if board.cluster})
    how = (
        f"items of one {' or '.join(clusters)} are not taken as independent (cluster-robust t)"
        if clusters
        else "items are taken as independent (McNemar's exact test and Tango's interval for right "
        "and wrong, else a paired t)"
    )
    return [
        "Ranked are models; where a board has none, the limited observers. The ideal observer, "
        "the limited observers beside models, people and trivial baselines are references and "
        "have no rank.",
        "A rank set holds the places that the paired differences on common items leave open, all "
        f"sets together with a probability of 95 %; {how}.",
        "Conditions and benchmarks are boards of their own; nothing is compared over two.",
        "Accuracy is the share of items right as a whole by the benchmark's own rule; leniently: "
        "with replies read leniently, which shows how much of a score is format. Failed attempts "
        "and filtered replies do not count.",
        RATE_NOTE,
        CHANCE_NOTE,
        "The most frequent answer of each domain is computed from the key: it knows how often each "
        "answer is right and sees nothing. It is an upper bound of such guessing.",
        "People are shown together, never one by one, and their replies are not on the site. "
        + PEOPLE_NOTE,
        "The correlation of an item with the rest is that of its scores with the mean of all other "
        "items of the board, over ranked examinees.",
    ]


def left_out(most: int, static: bool, on_page: int, repeated: int) -> list[str]:
    """What the site does not hold; the first sentence says how much of replies is there."""
    said = [
        "Replies are there as a whole."
        if most >= 100_000
        else f"Replies are there up to {most:,} characters around what was read."
        if most
        else "Of replies only what was read in them and what they came to is there."
    ]
    if static:
        said.append(f"Pages of items show up to {on_page:,} characters of a reply.")
    else:
        said.append(
            "Pages of items show replies with their script, from data files: there are too many "
            "to stand on the pages themselves."
        )
    said.append(
        "Reasoning that a model wrote beside its reply, replies to earlier turns, and failed "
        "attempts that were repeated later are in the journal, not here."
    )
    if repeated:
        said.append(
            f"{repeated:,} answers that an earlier journal holds too were left out of a later one."
        )
    return said
