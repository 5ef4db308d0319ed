"""Parallel linear forms of a calibrated bank, or of the cells of a design."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.administration.adaptive.calibrated import none_calibrated
from gfactor.api.inputs.progress_bars import counter
from gfactor.api.inputs.taking import BankLike, as_bank
from gfactor.api.scales.calibrated import entries_of
from gfactor.benchmarks.chc.build import VERSION, label_columns
from gfactor.benchmarks.chc.cells import CellItems, DesignCell
from gfactor.benchmarks.chc.family import FAMILIES
from gfactor.benchmarks.chc.items import NAME
from gfactor.benchmarks.derived import derive, in_parts, unchanged
from gfactor.errors import ParameterError
from gfactor.items import Item, ItemBank, answer_to_json, write_bank
from gfactor.parameters import Seed
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.irt.scales.calibration_files import read_calibration
from gfactor.psychometrics.irt.scales.forms import Content, FormSet, assemble_forms

_TYPED = re.compile(r"(?P<label>[^=]+)=(?P<value>.+):(?P<low>\d+)-(?P<high>\d+)")


def form(
    calibration: Calibration | Path | str,
    *,
    length: int | None = None,
    parallel: int = 1,
    target_se: float | None = None,
    anchors: int = 0,
    bank: BankLike | None = None,
    content: Content | Sequence[str] | None = None,
    theta: Sequence[float] | None = None,
    tolerance: float = 0.05,
    per_cell: int | None = None,
    respondents: int | None = None,
    seed: Seed = 0,
    language: str = "en",
    path: Path | str | None = None,
) -> FormSet:
    """Assemble parallel test forms with equal test information.

    After the forms were administered, `calibrate` links them by its option `link`, and gives the
    linking line with its standard errors. The same seed and options give the same files.

    Parameters
    ----------
    calibration : Calibration or path
        Calibration of items, or of the cells of a design.
    length : int, optional
        Number of items in each form, anchors included; by default the smallest number that reaches
        `target_se`.
    parallel : int
        Number of forms. No item is in two forms, except for the anchors.
    target_se : float, optional
        Largest standard error of ability, 1 / sqrt(information), that a form may have at `theta`.
        With `length`, forms reach it with as little information as possible, so that the best
        items are saved for later. Without a target, forms are as informative as possible.
    anchors : int
        Number of items that all forms share, at the same positions.
    bank : ItemBank or path, optional
        Bank with the calibrated items, or with items of the calibrated cells. Without a bank, each
        place in a form that a cell fills is a new item: it is generated if the cell belongs to a
        generated family; otherwise the forms list only the names of cells or items.
    content : dict of str to dict, or list of str, optional
        Smallest and largest number of items with a value of a label that every form must hold:
        {"domain": {"maze": (5, 10)}}, or ["domain=maze:5-10"].
    theta : list of float, optional
        Abilities on the scale of the calibration at which forms should be precise; by default the
        mean of the calibrated population, and one standard deviation below and above it.
    tolerance : float
        Largest relative difference of information that two forms may have at any ability within
        two standard deviations of the mean (default 0.05).
    per_cell : int, optional
        Largest number of items that a cell may have in a form, if there is no bank; by default
        twice the number that it would have if all cells had equally many.
    respondents : int, optional
        Planned number of respondents of each form. The result then has the standard errors of
        linking a new calibration by the anchors.
    seed : int
        Seed of the choice among equally good forms, of the order of items, and of generated items.
    language : str
        Language of generated items.
    path : path, optional
        Folder for `forms.csv` (with the answer keys), `information.csv` and `forms.json`. If there
        are items from a bank or generated ones, it also gets each form as a bank: `form-1.parquet`
        ...

    Returns
    -------
    FormSet
        `table` (a row per form and position), `information` (of each form by ability), `linking`
        (standard errors) and `forms`.

    Raises
    ------
    ParameterError
        If no forms meet the constraints; the message names the one that fails.

    References
    ----------
    van der Linden, W. J. (2005). Linear Models for Optimal Test Design. Springer.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["counting_circles"], sizes=[2, 6], path="pv.parquet")
    >>> who = [f"observer:limited?acuity=0.{a}&capacity={a}&seed={a}" for a in (1, 2, 3, 4)]
    >>> known = gf.calibrate(gf.run(bank, who, journal="c.db"), by="design")
    >>> both = gf.form(known, bank=bank, length=6, parallel=2, anchors=2, path="forms")
    >>> both.table.groupby("form")["anchor"].sum().to_dict()
    {'form-1': 2, 'form-2': 2}
    >>> len(gf.open_bank("forms/form-1.parquet"))
    6
    """
    loaded = calibration if isinstance(calibration, Calibration) else read_calibration(calibration)
    opened = None if bank is None else as_bank(bank)
    folder = None if path is None else Path(path)
    if content is not None and not isinstance(content, Mapping):
        content = content_of(content)
    with counter(1, "assemble", "set of forms") as bar:
        result = assemble_forms(
            loaded, length=length, parallel=parallel, target_se=target_se, anchors=anchors,
            items=None if opened is None else _items(loaded, opened), content=content, theta=theta,
            tolerance=tolerance, per_cell=per_cell, respondents=respondents, seed=seed,
        )  # fmt: skip
        bar.update()
    items = {} if opened is not None else _generated(loaded, result, seed, language)
    if items:
        table = result.table.assign(
            item=[item.id for form in items.values() for item in form],
            key=[_key_of(item) for form in items.values() for item in form],
        )
        result = replace(result, table=table)
    if folder is None:
        return result
    _write(result, folder, opened, items)
    return replace(result, folder=str(path))


def content_of(typed: Sequence[str]) -> dict[str, dict[Any, tuple[int, int]]]:
    """Parse bounds of content such as "domain=maze:5-10".

    Raises
    ------
    ParameterError
        For a text of another form.
    """
    content: dict[str, dict[Any, tuple[int, int]]] = {}
    for text in typed:
        match = _TYPED.fullmatch(text)
        if match is None:
            raise ParameterError(
                f"content {text!r} must have the form LABEL=VALUE:LEAST-MOST, such as "
                "domain=maze:5-10"
            )
        bounds = (int(match["low"]), int(match["high"]))
        content.setdefault(match["label"], {})[match["value"]] = bounds
    return content


def _items(calibration: Calibration, bank: ItemBank) -> pd.DataFrame:
    """The bank's items that the calibration knows, with their entry, labels and key."""
    frame = bank.frame().set_index("id")
    entries = entries_of(calibration, frame)
    if not entries:
        raise none_calibrated(
            calibration, list(frame.index), f"of {str(bank.path)!r}",
            "give the bank that was calibrated, or items of its cells",
        )  # fmt: skip
    chosen = frame.loc[list(entries)]
    keys = [_key(text) for text in chosen["target"]]
    labels = [name for name in bank.label_types if name in chosen]
    return chosen.filter(labels).assign(entry=list(entries.values()), key=keys)


def _generated(
    calibration: Calibration, result: FormSet, seed: int, language: str
) -> dict[str, list[Item]]:
    """New items for every position, by form; anchors are the same in all. None if the
    calibration is not of cells of generated families."""
    labels = {entry.name: entry.facts.get("labels") or {} for entry in calibration.entries}
    if calibration.by != "design" or not all(
        one.get("family") in FAMILIES for one in labels.values()
    ):
        return {}
    maker = CellItems(seed, language)
    used: Counter[str] = Counter()
    anchors: dict[tuple[int, str], Item] = {}
    forms: dict[str, list[Item]] = {}
    for row in result.table.to_dict("records"):
        position, name = (row["position"], row["entry"]), str(row["entry"])
        item = anchors.get(position) if row["anchor"] else None
        if item is None:
            cell = DesignCell.of_labels(labels[name], f"the calibration's cell {name!r}")
            item = maker.item(name, cell, used[name])
            used[name] += 1
        if row["anchor"]:
            anchors[position] = item
        forms.setdefault(str(row["form"]), []).append(item)
    return forms


def _key_of(item: Item) -> str | None:
    return _key(None if item.target is None else answer_to_json(item.target))


def _key(target: Any) -> str | None:
    """The right answer as a text; None if the item has none."""
    if not isinstance(target, str):
        return None
    value = json.loads(target)
    return value if isinstance(value, str) else target


def _written_before(folder: Path) -> set[str]:
    """The names of forms that the folder's forms.csv has; none if it is no table of forms."""
    try:
        table = pd.read_csv(folder / "forms.csv", usecols=["form"], dtype=str)
    except (OSError, ValueError):
        return set()
    return {name for name in table["form"] if re.fullmatch("form-[0-9]+", str(name))}


def _write(
    result: FormSet, folder: Path, bank: ItemBank | None, items: Mapping[str, list[Item]]
) -> None:
    before = _written_before(folder)
    names = before.union(result.table["form"])
    if bank is not None and bank.path.resolve() in [
        (folder / f"{name}.parquet").resolve() for name in names
    ]:
        raise ParameterError(
            f"{str(bank.path)!r} is the bank itself; write the forms into another folder"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        result.table.to_csv(folder / "forms.csv", index=False)
        result.information.to_csv(folder / "information.csv")
        text = json.dumps(result.to_dict(), ensure_ascii=False, allow_nan=False, indent=1)
        (folder / "forms.json").write_text(text + "\n", "utf-8")
    except OSError as error:
        raise ParameterError(
            f"the folder {str(folder)!r} cannot be written: {error.strerror or error}"
        ) from error
    # Banks of forms that are no more would be taken for some of these.
    for name in before - (set(result.table["form"]) if bank is not None or items else set()):
        for path in (folder / f"{name}.parquet", folder / f"{name}.croissant.json"):
            path.unlink(missing_ok=True)
    for name, rows in result.table.groupby("form", sort=False):
        step: Mapping[str, Any] = {
            "what": f"{name} of {len(result.forms)} parallel forms",
            "seed": result.request["seed"], "anchors": result.request["anchors"],
        }  # fmt: skip
        path = folder / f"{name}.parquet"
        if bank is not None:
            derive(bank, path, in_parts(list(rows["item"])), unchanged, step)
        elif items:
            of_form = items[str(name)]
            families = sorted({str(item.labels["family"]) for item in of_form})
            about = {"benchmark": NAME, "version": VERSION, "families": families, "form": step}
            columns = label_columns([FAMILIES[family] for family in families])
            write_bank(of_form, path, about, columns)
