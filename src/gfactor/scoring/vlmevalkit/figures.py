"""The figures that VLMEvalKit makes of a data set's scores, as its _acc and _score files hold them.

Every function here takes the scored replies of one examinee to one data set (`credit` from 0 to 1,
NaN where a reply is missing; `said`, the answer; the item's labels) and returns the figures by row
and name. They serve both readings, VLMEvalKit's and ours.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from gfactor.scoring.averaging import averaged
from gfactor.scoring.frames import pick
from gfactor.scoring.vlmevalkit.rules import dataset_of

Figures = dict[tuple[str, str], tuple[float, int]]
"""(row, name) -> value and number of replies (or groups of replies) behind it."""

KEY = ["examinee", "condition", "dataset", "row", "figure"]

_MME = {
    "perception": (
        *("OCR", "artwork", "celebrity", "color", "count", "existence", "landmark", "position"),
        *("posters", "scene"),
    ),
    "reasoning": (
        *("code_reasoning", "commonsense_reasoning", "numerical_calculation", "text_translation"),
    ),
}
_AMBER = {
    "discriminative-attribute-state": "Attribute",
    "discriminative-attribute-number": "Attribute",
    "discriminative-attribute-action": "Attribute",
    "discriminative-hallucination": "Existence",
    "discriminative-relation": "Relation",
    "relation": "Relation",
}
_MMBENCH = {
    "coarse_perception": "CP",
    "finegrained_perception (instance-level)": "FP-S",
    "finegrained_perception (cross-instance)": "FP-C",
    "logic_reasoning": "LR",
    "relation_reasoning": "RR",
    "attribute_reasoning": "AR",
}
"""VLMEvalKit's short names of MMBench's capabilities; CCBench's file has them too."""

_MMT = dict(
    part.split("=")
    for part in (
        "visual_recognition=VR localization=Loc ocr=OCR counting=Count hallucination=HLN "
        "image_retrieval=IR threed=3D visual_captioning=VC visual_grounding=VG "
        "doc_understanding=DU action_recognition=AR pixel_level_perception=PLP "
        "image-to-image_translation=I2IT relation_reasoning=RR intelligence_quotient_test=IQT "
        "emotion=Emo visual_illusion=VI meme_understanding=MemU visual_prompt_understanding=VPU "
        "anomaly_detection=AND keypoint_detection=KD visual_commonsense_reasoning=VCR "
        "image_evaluation_judgement=IEJ multiple_image_analysis=MIA cross_image_matching=CIM "
        "temporal_understanding=TU visual_code=VP medical_understanding=MedU "
        "autonomous_driving=AUD discipline_knowledge_reasoning=DKR embodied_ai=EA "
        "gui_navigation=GN"
    ).split()
)
"""VLMEvalKit's short names of MMT-Bench's abilities; AR is action recognition here."""

_OCR_TEXT = "Text Recognition"
_OCR = (
    *("Scene Text-centric VQA", "Doc-oriented VQA", "Key Information Extraction"),
    "Handwritten Mathematical Expression Recognition",
)
_MMVET = ("rec", "ocr", "know", "gen", "spat", "math")
_CIRCULAR = re.compile("mmbench|ccbench|circular", re.IGNORECASE)


def figures(scored: pd.DataFrame, items: pd.DataFrame) -> pd.DataFrame:
    """VLMEvalKit's figures of a scored table, whatever policy it was scored by.

    Parameters
    ----------
    scored: as `gfactor.scoring.scored` gives it.
    items: as `Journal.items` gives them; F1 needs their keys.

    Occasions of an item are averaged first; missing replies are left out, and with them the groups
    (pairs of MME, rotations of MMBench) that they belong to.

    Returns
    -------
    Columns `examinee`, `condition`, `dataset`, `row` ("" where a file has one row), `figure`,
    `value` (in VLMEvalKit's own unit: a share, per cent or points), `n`; empty where no item has
    an id DATASET/INDEX.
    """
    table = _prepared(scored, items)
    rows = []
    for key, replies in table.groupby(KEY[:3], sort=True):
        for (row, figure), (value, n) in _made_of(str(key[2]), replies).items():
            if not np.isnan(value):
                rows.append((*key, row, figure, value, n))
    return pd.DataFrame(rows, columns=[*KEY, "value", "n"])


def _made_of(dataset: str, replies: pd.DataFrame) -> Figures:
    for pattern, make in _MADE_BY:
        if pattern.search(dataset):
            return make(replies)
    if not _CIRCULAR.search(dataset) or "circular_set" not in replies:
        return _accuracies(replies)
    whole = _accuracies(_circular(replies))
    first = pick(replies, replies["index_"] == _set_of(replies))
    return whole | {
        (f"{name}_{row}", figure): found
        for name, own in (
            ("circular", whole),
            ("vanilla_0", _accuracies(first)),
            ("vanilla_all", _accuracies(replies)),
        )
        for (row, figure), found in own.items()
    }


def _prepared(scored: pd.DataFrame, items: pd.DataFrame) -> pd.DataFrame:
    keys = ["examinee", "condition", "item_id", "item_hash"]
    whole = scored.drop_duplicates(keys)
    # A missing reply keeps its row: the group that it belongs to cannot be counted.
    counted = averaged(scored)
    credit = counted.assign(credit=counted["points"] / counted["points_possible"])
    table = whole.merge(pick(credit, [*keys, "credit"]), on=keys, how="left")
    index = table["item_id"].str.partition("/")[2]
    targets = dict(zip(items["content_hash"], items["target"], strict=True))
    return table.assign(
        target=[targets[name] for name in table["item_hash"]],
        dataset=[dataset_of(i) for i in table["item_id"]],
        index_=index,
        place=pd.to_numeric(index, errors="coerce"),
        said=[json.loads(a) if isinstance(a, str) else None for a in table["answer"]],
    ).sort_values(["place", "index_"], kind="stable")


def _mean(credit: pd.Series, scale: float = 1.0) -> tuple[float, int]:
    n = int(credit.notna().sum())
    return (float(credit.mean()) * scale if n else np.nan), n


def _groups(replies: pd.DataFrame, label: str) -> list[tuple[str, pd.DataFrame]]:
    if label not in replies:
        return []
    return [(str(name), own) for name, own in replies.groupby(label, sort=True)]


def _all_right(replies: pd.DataFrame, by: Sequence[str]) -> pd.Series:
    """Per group whether all is right, NaN where a reply of it is missing."""
    groups = replies.groupby(list(by), sort=False)["credit"]
    return groups.agg(lambda c: np.nan if c.isna().any() else float((c == 1).all()))


def _circular(replies: pd.DataFrame) -> pd.DataFrame:
    """CircularEval: of each set of rotations the first, right where all of them are."""
    group = _set_of(replies)
    right = _all_right(replies.assign(group=group), ["group"])
    first = pick(replies, replies["index_"] == group)
    return first.assign(credit=[right[name] for name in first["index_"]])


def _set_of(replies: pd.DataFrame) -> pd.Series:
    """The set of rotations that each reply is to; an item without rotations is its own set."""
    return replies["circular_set"].fillna(replies["index_"]).astype(str)


def _splits(replies: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    has = "split" in replies and replies["split"].notna().any()
    return _groups(replies, "split") if has else [("none", replies)]


def _accuracies(replies: pd.DataFrame) -> Figures:
    """A row per split; the accuracy of all, of l2-categories and of categories."""
    found: Figures = {}
    for split, own in _splits(replies):
        found[split, "Overall"] = _mean(own["credit"])
        for label in ("l2_category", "category"):
            for name, part in _groups(own, label):
                found[split, _MMBENCH.get(name, name)] = _mean(part["credit"])
    return found


def _mmt(replies: pd.DataFrame) -> Figures:
    """As accuracies; an ability is the mean of its tasks, and a row ALL is over all splits."""
    found: Figures = {}
    for split, own in [*_splits(replies), ("ALL", replies)]:
        found[split, "Overall"] = _mean(own["credit"])
        for name, part in _groups(own, "category"):
            found[split, name] = _mean(part["credit"])
        for name, part in _groups(own, "l2_category"):
            tasks = [_mean(task["credit"])[0] for _, task in _groups(part, "category")]
            found[split, _MMT.get(name, name)] = float(np.mean(tasks)), _mean(part["credit"])[1]
    return found


def _mme(replies: pd.DataFrame) -> Figures:
    """Per task accuracy plus acc+ (both questions on a picture right), in per cent; their sums."""
    found: Figures = {}
    for name, own in _groups(replies, "category"):
        single, n = _mean(own["credit"], 100)
        pairs = _all_right(own, ["image_path" if "image_path" in own else "index_"])
        found["", name] = single + _mean(pairs, 100)[0], n
        found["", f"{name} acc"] = single, n
        found["", f"{name} acc+"] = _mean(pairs, 100)
    for whole, tasks in _MME.items():
        own = [found["", task] for task in tasks if ("", task) in found]
        if len(own) == len(tasks):
            found["", whole] = sum(value for value, _ in own), sum(n for _, n in own)
    return found


def _hallusion(replies: pd.DataFrame) -> Figures:
    """Of questions (aAcc), and of figures and questions whose every answer is right (fAcc, qAcc)."""
    parts = replies["index_"].str.split("_")
    table = replies.assign(
        set_=parts.str[3], figure_=parts.str[4], question_=parts.str[5]
    ).assign(kind=replies["l2_category"] if "l2_category" in replies else "")
    found: Figures = {}
    for row, own in (
        ("Overall", table), *_groups(table, "category"), *_groups(table, "l2_category")
    ):  # fmt: skip
        found[row, "aAcc"] = _mean(own["credit"], 100)
        found[row, "fAcc"] = _mean(_all_right(own, ["kind", "set_", "figure_"]), 100)
        found[row, "qAcc"] = _mean(_all_right(own, ["kind", "set_", "question_"]), 100)
    return found


def _pope(replies: pd.DataFrame) -> Figures:
    """F1 (VLMEvalKit calls it Overall), accuracy, precision and recall of "Yes", in per cent.

    A question of several categories counts once in each, also in the whole.
    """
    table = pick(replies, replies["credit"].notna())
    right_is_yes = [(t == '"Yes"') for t in table["target"]]
    table = table.assign(yes=right_is_yes, says=table["said"] == "Yes")
    if "category" in table:
        table = table.assign(category=table["category"].str.split(",")).explode("category")
    found: Figures = {}
    for row, own in (("Overall", table), *_groups(table, "category")):
        both = int((own["yes"] & own["says"]).sum())
        precision = both / said if (said := int(own["says"].sum())) else 0.0
        recall = both / true if (true := int(own["yes"].sum())) else 0.0
        f1 = 2 * precision * recall / (precision + recall) if both else 0.0
        values = {"Overall": f1, "precision": precision, "recall": recall}
        found |= {(row, name): (100 * value, len(own)) for name, value in values.items()}
        found[row, "acc"] = _mean(own["credit"], 100)
    return found


def _amber(replies: pd.DataFrame) -> Figures:
    kinds = replies["category"].map(lambda name: _AMBER.get(name, name))
    found = {("", k): _mean(own["credit"], 100) for k, own in replies.groupby(kinds)}
    mean = float(np.mean([value for value, _ in found.values()]))
    return {**found, ("", "Avg ACC"): (mean, sum(n for _, n in found.values()))}


def _mmvp(replies: pd.DataFrame) -> Figures:
    """Of questions (Average), and of pairs of neighbouring ones that are both right (Overall)."""
    pairs = replies.assign(pair=np.arange(len(replies)) // 2)
    return {
        ("", "Average"): _mean(replies["credit"]),
        ("", "Overall"): _mean(_all_right(pairs, ["pair"])),
    }


def _vqa(replies: pd.DataFrame) -> Figures:
    found = {("", "Overall"): _mean(replies["credit"], 100)}
    parts = _groups(replies, "split") or _groups(replies, "category")
    return found | {("", name): _mean(own["credit"], 100) for name, own in parts}


def _mtvqa(replies: pd.DataFrame) -> Figures:
    parts = [*_groups(replies, "category"), ("Average", replies)]
    return {("", name): _mean(own["credit"], 100) for name, own in parts}


def _ocr(replies: pd.DataFrame) -> Figures:
    """Points: one per right reply, by kind of task; the norm is of 1,000 points, in per cent."""
    kinds = replies["category"].where(replies["category"].isin(_OCR), _OCR_TEXT)
    found = {("", kind): (0.0, 0) for kind in (_OCR_TEXT, *_OCR)}
    for kind, own in replies.groupby(kinds):
        found["", str(kind)] = float(own["credit"].sum()), int(own["credit"].notna().sum())
    total, n = sum(v for v, _ in found.values()), sum(n for _, n in found.values())
    return found | {("", "Final Score"): (total, n), ("", "Final Score Norm"): (total / 10, n)}


def _hits(parts: Sequence[tuple[str, pd.DataFrame]]) -> Figures:
    """Rows with how many there are, how many are right, and the share in per cent."""
    found: Figures = {}
    for row, own in parts:
        share, n = _mean(own["credit"], 100)
        found[row, "tot"], found[row, "hit"] = (float(n), n), (float(own["credit"].sum()), n)
        found[row, "acc"] = share, n
    return found


def _visulogic(replies: pd.DataFrame) -> Figures:
    return _hits([("Overall", replies), *_groups(replies, "category")])


def _mathvista(replies: pd.DataFrame) -> Figures:
    """By task and by skill; `prefetch` is how many replies VLMEvalKit read without its judge."""
    parts = [("Overall", replies), *_groups(replies, "task")]
    skills = [_listed(text) for text in replies["skills"]] if "skills" in replies else []
    for skill in dict.fromkeys(name for names in skills for name in names):
        parts.append((skill, pick(replies, [skill in names for names in skills])))
    found = _hits(parts)
    for row, own in parts:
        if (own["policy"] == "vlmevalkit").all():
            early = float((own["rule"] == "MathVista").sum())
            found[row, "prefetch"] = early, len(own)
            found[row, "prefetch_rate"] = 100 * early / len(own), len(own)
    return found


def _mmvet(replies: pd.DataFrame) -> Figures:
    parts = [(c, pick(replies, replies["category"].str.contains(c))) for c in _MMVET]
    found: Figures = {}
    for row, own in [*((c, own) for c, own in parts if len(own)), ("Overall", replies)]:
        found[row, "tot"] = float(len(own)), len(own)
        found[row, "acc"] = _mean(own["credit"], 100)
    return found


def _listed(text: Any) -> list[str]:
    try:
        found = ast.literal_eval(str(text))
    except (ValueError, SyntaxError):
        return [str(text)]
    return list(map(str, found)) if isinstance(found, list) else [str(text)]


def _single(name: str, scale: float) -> Callable[[pd.DataFrame], Figures]:
    return lambda replies: {("", name): _mean(replies["credit"], scale)}


_MADE_BY: Sequence[tuple[re.Pattern[str], Callable[[pd.DataFrame], Figures]]] = tuple(
    (re.compile(pattern), make)
    for pattern, make in (
        (r"^MME$", _mme),
        (r"^HallusionBench$", _hallusion),
        (r"^POPE$", _pope),
        (r"^AMBER$", _amber),
        (r"^MMVP$", _mmvp),
        (r"^MMT-Bench", _mmt),
        (r"^(TextVQA|ChartQA|OCRVQA|DocVQA|InfoVQA)", _vqa),
        (r"^MTVQA_TEST$", _mtvqa),
        (r"^OCRBench$", _ocr),
        (r"^CountBenchQA$", _single("accuracy", 100)),
        (r"^TallyQA$", _single("TallyQA", 1)),
        (r"^MathVista", _mathvista),
        (r"^VisuLogic$", _visulogic),
        (r"^MMVet", _mmvet),
    )
)
"""Names of data sets, as regular expressions, and what makes their figures; else accuracies."""

HEADLINES: Mapping[str, Sequence[str]] = {
    "MME": ("perception", "reasoning"),
    "HallusionBench": ("Overall|aAcc", "Overall|fAcc", "Overall|qAcc"),
    "POPE": ("Overall|Overall", "Overall|acc"),
    "AMBER": ("Avg ACC",),
    "MMVP": ("Average", "Overall"),
    "MTVQA_TEST": ("Average",),
    "OCRBench": ("Final Score",),
    "CountBenchQA": ("accuracy",),
    "TallyQA": ("TallyQA",),
    "MathVista_MINI": ("Overall|acc",),
    "VisuLogic": ("Overall|acc",),
    "MMVet": ("Overall|acc",),
}
"""The figures that stand for a data set, ROW|FIGURE or FIGURE; else every row's Overall."""


def headline(dataset: str, row: str, figure: str) -> bool:
    """Whether a figure is one of those that stand for its data set."""
    known = HEADLINES.get(dataset)
    if known is None:
        return figure == "Overall"
    return (f"{row}|{figure}" if row else figure) in known
