"""Writing a leaderboard's site: pages, data, tables, figures and pictures in a folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from gfactor.errors import ParameterError
from gfactor.reports.answers.group_rates import CHANCE_NOTE, PEOPLE_NOTE, RATE_NOTE
from gfactor.reports.leaderboard.beside_people import fewer_items
from gfactor.reports.leaderboard.comparisons import write_comparisons
from gfactor.reports.leaderboard.grids import other_items
from gfactor.reports.leaderboard.item_pages import (
    STATIC_TEXT,
    write_items,
    write_pictures,
    write_replies,
)
from gfactor.reports.leaderboard.overview import write_boards, write_models
from gfactor.reports.leaderboard.plan import FOLDERS, SitePlan, UnfinishedSite, Writer
from gfactor.reports.leaderboard.standings import BenchmarkStandings
from gfactor.reports.writing.parts import style

MARKER = "state.json"
"""The file by which a folder is known as a leaderboard's; a served page asks for it."""


@dataclass(frozen=True)
class Site:
    """Summary of a site that was written.

    Parameters
    ----------
    path : Path
        Path of the first page.
    models : int
        Number of examinees with a page.
    items : int
        Number of items with a page.
    pages : int
        Number of HTML files.
    bytes, picture_bytes : int
        Size without pictures, and that of pictures.
    digest : str
        Digest of the journals' answers.
    most_characters : int
        Largest number of characters of a reply in the data files.
    warnings : tuple of str
        Sentences on examinees and people that cannot be compared with the others.
    """

    path: Path
    models: int
    items: int
    pages: int
    bytes: int
    picture_bytes: int
    digest: str
    most_characters: int
    warnings: tuple[str, ...] = ()


def write_site(
    plan: SitePlan, folder: Path | str, watch: Callable[[str], None] = lambda _: None
) -> Site:
    """Write a leaderboard's site.

    Parameters
    ----------
    plan : SitePlan
        Content of the site.
    folder : path
        Folder of the site, made if it does not exist. Files of an earlier leaderboard are replaced.
    watch : callable
        Function that is called with each step's name.

    Returns
    -------
    Site
        Numbers of examinees, items and pages, and the size in megabytes.

    Raises
    ------
    ParameterError
        If the folder cannot be written or holds another page.
    MissingExtraError
        If jinja2 is missing.
    """
    folder = Path(folder)
    again = (folder / MARKER).exists()
    if not again and (folder / "index.html").exists():
        raise ParameterError(
            f"{str(folder)!r} holds a page index.html that no leaderboard wrote; name another "
            "folder, or remove the page"
        )
    try:
        for name in ("", "assets", *FOLDERS):
            (folder / name).mkdir(parents=True, exist_ok=True)
        if not again:
            # So that what a stopped call leaves is known as a leaderboard's.
            (folder / MARKER).write_text("{}\n", "utf-8")
    except OSError as error:
        raise ParameterError(
            f"cannot write a leaderboard to {str(folder)!r}: {error.strerror}; name a folder that "
            "you may write to"
        ) from error
    making = UnfinishedSite(plan, Writer(folder))
    for name, act in STEPS.items():
        watch(name)
        act(making)
    if again:
        making.out.clear()
    models = len({run.examinee for run in plan.answers.runs})
    return Site(
        folder / "index.html", models, len(plan.answers.items), making.out.pages, making.out.bytes,
        making.out.pictures, plan.digest, making.most,
        tuple(filter(None, (
            *map(other_items, plan.boards),
            *(fewer_items(plan.answers, board) for board in plan.boards),
        ))),
    )  # fmt: skip


def write_rest(making: UnfinishedSite) -> None:
    """Write the search, the methods, and the files that all pages need."""
    plan = making.plan
    shards = [f"replies-{shard}" for shard in plan.spool.shards]
    remarks = left_out(making.most, making.static, STATIC_TEXT, plan.answers.repeated)
    pairs = [("Journals", ", ".join(plan.answers.sources)), ("Digest", plan.answers.digest)]
    searchable = remarks[0].rstrip(".").lower()
    making.page("search.html", "search", "Search replies", shards=shards, held=searchable)
    making.page(
        "about.html", "about", "Methods", pairs=pairs, notes=[*methods(plan.boards), *remarks],
        references=REFERENCES,
    )  # fmt: skip
    room = files("gfactor.reports").joinpath("templates", "leaderboard")
    making.out.put("assets/site.css", (style() + room.joinpath("leaderboard.css").read_text(
        "utf-8")).encode())  # fmt: skip
    making.out.put("assets/site.js", room.joinpath("leaderboard.js").read_text("utf-8").encode())
    total = sum(run.answers + run.missing for run in plan.answers.runs)
    state = {"kind": "gfactor leaderboard", "digest": plan.digest, "answers": total}
    making.out.put(MARKER, f"{json.dumps(state)}\n".encode())


STEPS: Mapping[str, Callable[[UnfinishedSite], None]] = {
    "pictures": write_pictures,
    "boards": write_boards,
    "models": write_models,
    "comparisons": write_comparisons,
    "items": write_items,
    "replies": write_replies,
    "search and methods": write_rest,
}
"""Steps of writing, in this order: replies get the room that is left."""


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


def methods(boards: Sequence[BenchmarkStandings]) -> list[str]:
    """Return sentences about the computation of the numbers."""
    claims = sorted({f"{board.benchmark} {board.sampling.words}" for board in boards})
    return [
        "Ranked are models; where a board has none, the limited observers. The ideal observer, "
        "the limited observers beside models, people and trivial baselines are references and "
        "have no rank.",
        "A rank set holds the places that the paired differences on common items leave open, all "
        "sets together with a probability of 95 %.",
        "Every interval, difference and rank set is under one claim, what a score generalizes to: "
        + "; ".join(claims)
        + ". Items that share a picture, a problem or a translation are one "
        "unit. In fixed domains the variance is that between units within them; other domains are "
        "judged by a cluster-robust t over domains.",
        "The order is that of scores. Conditions and benchmarks are boards of their own; where an "
        "examinee was asked under several conditions, a further board has all of them. Nothing is "
        "compared over two benchmarks.",
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
    """Return sentences on contents that were left out; the first is about replies."""
    sentences = [
        "Replies are there as a whole."
        if most >= 100_000
        else f"Replies are there up to {most:,} characters around what was read."
        if most
        else "Of replies only what was read in them and what they came to is there."
    ]
    if static:
        sentences.append(f"Pages of items show up to {on_page:,} characters of a reply.")
    else:
        sentences.append(
            "Pages of items show replies with their script, from data files: there are too many "
            "to stand on the pages themselves."
        )
    sentences.append(
        "Reasoning that a model wrote beside its reply, replies to earlier turns, and failed "
        "attempts that were repeated later are in the journal, not here."
    )
    if repeated:
        sentences.append(
            f"{repeated:,} answers that an earlier journal holds too were left out of a later one."
        )
    return sentences
