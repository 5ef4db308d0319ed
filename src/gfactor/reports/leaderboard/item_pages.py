"""A page per item, their list, their pictures, and the data files of replies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor.items import Image
from gfactor.reports.leaderboard import drawings, grids
from gfactor.reports.leaderboard.keys_to_check import keys_table, outvoted_on
from gfactor.reports.leaderboard.plan import UnfinishedSite
from gfactor.reports.leaderboard.replies import (
    MarkedReply,
    excerpt,
    fitting_length,
    key_text,
    packed,
    written_shards,
)
from gfactor.reports.leaderboard.standings import (
    EVERY,
    BenchmarkStandings,
    item_statistics,
)
from gfactor.scoring.questions import question_of

STATIC_TEXT = 4_000
"""Characters of a reply on the page of an item."""


def write_pictures(making: UnfinishedSite) -> None:
    """Write pictures of items as files, each once, from banks and from journals' samples."""
    number_of = {
        (str(content), str(name)): k
        for k, (content, name) in enumerate(
            zip(making.plan.answers.items["content_hash"], making.plan.answers.items["id"],
                strict=True)
        )
    }  # fmt: skip
    for bank in making.plan.banks:
        wanted = {name for _, name in number_of}
        for item in bank.select([name for name in bank.ids if name in wanted]):
            k = number_of.get((item.provenance.content_hash, item.id))
            if k is not None and k not in making.pictures:
                making.pictures[k] = [_picture(making, image) for image in item.images]
    for k, name in enumerate(map(str, making.plan.answers.items["id"])):
        if k not in making.pictures and name in making.plan.samples:
            making.pictures[k] = [_picture(making, image) for image in making.plan.samples[name]]


def _picture(making: UnfinishedSite, image: Image) -> str:
    ending = Path(image.path).suffix.lower()
    ending = ending if ending in (".png", ".jpg", ".jpeg", ".webp", ".gif") else ".png"
    name = f"{image.sha256[:20]}{ending}"
    if f"pictures/{name}" not in making.out.current:
        making.out.put(f"pictures/{name}", image.data)
    return name


def write_items(making: UnfinishedSite) -> None:
    """Write the list of items, and a page per item."""
    plan, lines, item_grids = making.plan, {}, []
    for board in plan.boards:
        if board.condition == EVERY:
            continue
        table = item_statistics(plan.answers, board)
        setting = plan.condition_of(board)
        ids = plan.answers.items["id"].iloc[table["item"]].tolist()
        frame = table.drop(columns="item")
        frame.insert(0, "id", ids)
        making.out.table(f"items-{board.number}", frame)
        suspects = outvoted_on(plan.answers, board)
        if suspects.outvoted:
            item_grids.append(keys_table(suspects, board, setting, plan))
        item_grids.append(_item_grid(board, table, ids, setting, plan.item_pages))
        for row in table.to_dict("records"):
            lines.setdefault(int(row["item"]), []).append(_item_line(row, board, setting))
    making.page("items.html", "items", "Items", grids=item_grids)
    twins, rows = _twins(making), plan.answers.items.to_dict("records")
    for shard, numbers in groupby(range(len(rows)), key=lambda k: k // plan.spool.per_shard):
        replies = plan.spool.of(shard) if making.static and shard in plan.spool.shards else {}
        entries = [
            _entry(making, k, rows[k], replies.get(k, []), lines.get(k, []), twins.get(k))
            for k in numbers
        ]
        sheet = f"replies-{shard}"
        if plan.in_sheets:
            first, last = entries[0]["name"], entries[-1]["name"]
            path = f"items/{plan.item_pages[entries[0]['number']].partition('#')[0]}"
            _item_page(making, path, f"{first} to {last}", entries, sheet)
            continue
        for entry in entries:
            path = f"items/{plan.item_pages[entry['number']]}"
            _item_page(making, path, entry["name"], [entry], sheet)


def _item_page(
    making: UnfinishedSite, path: str, title: str, entries: list[dict[str, Any]], shard: str
) -> None:
    making.page(
        path, "item", title, entries=entries, shard=shard, sheet=making.plan.in_sheets,
        static=making.static,
    )  # fmt: skip


def _entry(
    making: UnfinishedSite,
    k: int,
    item: Mapping[Any, Any],
    given: list[tuple[int, MarkedReply]],
    statistics: list[str],
    twin: int | None,
) -> dict[str, Any]:
    """Return the template's values of an item; `replies` is None if they are in a data file."""
    plan = making.plan
    labels = [("benchmark", item["benchmark"])] + [
        (name, ", ".join(value) if isinstance(value, tuple | list) else value)
        for name in plan.answers.labels[item["benchmark"]]
        if grids.is_present(value := item.get(name))
    ]
    replies = [
        {"name": plan.names[run], "page": plan.pages[run], "shown": excerpt(one, STATIC_TEXT)}
        for run, one in given
    ]
    items = plan.answers.items
    texts = None if twin is None else {
        "question": items["question"].iloc[twin], "page": plan.item_pages[twin]
    }  # fmt: skip
    return {
        "id": plan.anchors[k], "name": str(item["id"]), "labels": labels, "number": k,
        "question": item["question"], "choices": item["choices"], "twin": texts,
        "key": key_text(question_of(item, "default")), "pictures": making.pictures.get(k, []),
        "statistics": statistics, "replies": replies if making.static else None,
        **_curve(making, k),
    }  # fmt: skip


def _curve(making: UnfinishedSite, k: int) -> dict[str, str]:
    """The file of the item's curve and what it shows; empty if there is no calibration."""
    calibration, entry = making.plan.calibration, making.plan.entries.get(k)
    if calibration is None or entry is None:
        return {"curve": "", "curve_alt": ""}
    theta = np.linspace(-4, 4, 33)
    of_entry = calibration.entries[calibration.position[entry]]
    share = np.asarray(of_entry.scores) / (of_entry.scores[-1] or 1.0)
    curve = share @ np.exp(calibration.curves(entry, theta).value)
    abilities = {run: at[0] for one in making.beside.values() for run, at in one.abilities.items()}
    points = [(at, float(x)) for run, at in abilities.items()
              if not math.isnan(x := making.plan.answers.scores[k, run])]  # fmt: skip
    name = f"item-{making.plan.anchors[k]}.svg"
    making.out.put(f"figures/{name}", drawings.curve(
        "Expected score against ability", theta.tolist(), curve.tolist(), points
    ))  # fmt: skip
    row = calibration.table.iloc[calibration.position[entry]]
    parameters = f"a {row['a']:.2f}, b {row['b']:.2f} (SE {row['se_b']:.2f})" * bool(
        np.isfinite(row["b"])
    )
    return {"curve": name, "curve_alt": f"Curve of {entry}: {parameters}"}


def _twins(making: UnfinishedSite) -> dict[int, int]:
    """The text twin of every item with a picture that has one, by their numbers."""
    items = making.plan.answers.items
    if "twin" not in items:
        return {}
    scenes = items["scene"] if "scene" in items else [None] * len(items)
    stems = [
        (benchmark, scene if isinstance(scene, str) else str(name).removesuffix("-text"))
        for benchmark, scene, name in zip(items["benchmark"], scenes, items["id"], strict=True)
    ]
    texts = {stem: k for k, (stem, kind) in enumerate(zip(stems, items["twin"], strict=True))
             if kind == "text"}  # fmt: skip
    return {k: texts[stem] for k, (stem, kind) in
            enumerate(zip(stems, items["twin"], strict=True))
            if kind == "picture" and stem in texts}  # fmt: skip


def write_replies(making: UnfinishedSite) -> None:
    """Write the data files of replies, cut to the remaining size of the site."""
    plan = making.plan
    names = {
        "runs": [plan.names[k] for k in sorted(plan.names)],
        "pages": [plan.pages[k] for k in sorted(plan.pages)],
        "items": [str(name) for name in plan.answers.items["id"]],
        "itemPages": plan.item_pages,
    }
    making.out.put("data/names.js", packed("names", names))
    making.most = fitting_length(plan.spool, plan.max_bytes - making.out.bytes - 100_000)
    for shard, content in written_shards(plan.spool, making.most):
        making.out.put(f"data/replies-{shard}.js", content)


def _item_grid(
    board: BenchmarkStandings,
    table: pd.DataFrame,
    ids: Sequence[Any],
    setting: str,
    pages: Sequence[str],
) -> grids.PageTable:
    people = bool(table["people_n"].any())
    heads = [
        "right (%)",
        "n",
        "correlation with the rest",
        *["people right (%)", "n people"] * people,
    ]
    columns = (grids.PageColumn("item"), *(grids.PageColumn(text, True) for text in heads))
    rows = []
    for name, row in zip(ids, table.to_dict("records"), strict=True):
        cells = [
            grids.PageCell(str(name), href=f"items/{pages[int(row['item'])]}"),
            grids.PageCell(grids.percent(row["difficulty"])),
            grids.PageCell(grids.number(row["n"])),
            grids.PageCell(grids.number(row["rest"], 2)),
        ]  # fmt: skip
        if people:
            share = row["people_right"] / row["people_n"] if row["people_n"] else math.nan
            cells += [
                grids.PageCell(grids.percent(share)),
                grids.PageCell(grids.number(row["people_n"])),
            ]
        rows.append(grids.PageRow(tuple(cells)))
    name = f"items-{board.number}"
    return grids.PageTable(
        name, f"{board.benchmark}, condition {setting}", columns, tuple(rows), (), name
    )


def _item_line(row: Mapping[Any, Any], board: BenchmarkStandings, setting: str) -> str:
    rest = "" if math.isnan(row["rest"]) else f", correlation with the rest {row['rest']:.2f}"
    people = f"; people: {row['people_right']} of {row['people_n']}" * bool(row["people_n"])
    return (
        f"Condition {setting}: right by {row['right']:g} of {row['n']} ranked "
        f"examinees{rest}{people}."
    )
