"""The figures that VLMEvalKit makes of a data set's scores, as its _acc and _score files hold them.

Every function here takes the scored replies of one examinee to one data set (`credit` from 0 to 1,
NaN if a reply is missing; `said`, the answer; the item's labels) and returns the figures by row
and name. They are used for both readings, VLMEvalKit's and gfactor's.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.frames import pick
from gfactor.scoring.averaging import averaged
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
    re.findall(
        r"(\S+)=(\S+)",
        "visual_recognition=VR localization=Loc ocr=OCR counting=Count hallucination=HLN "
        "image_retrieval=IR threed=3D visual_captioning=VC visual_grounding=VG "
        "doc_understanding=DU action_recognition=AR pixel_level_perception=PLP "
        "image-to-image_translation=I2IT relation_reasoning=RR intelligence_quotient_test=IQT "
        "emotion=Emo visual_illusion=VI meme_understanding=MemU visual_prompt_understanding=VPU "
        "anomaly_detection=AND keypoint_detection=KD visual_commonsense_reasoning=VCR "
        "image_evaluation_judgement=IEJ multiple_image_analysis=MIA cross_image_matching=CIM "
        "temporal_understanding=TU visual_code=VP medical_understanding=MedU "
        "autonomous_driving=AUD discipline_knowledge_reasoning=DKR embodied_ai=EA "
        "gui_navigation=GN",
    )
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
    """Return VLMEvalKit's figures of a table that was scored by any policy.

    Parameters
    ----------
    scored: scored responses, from `gfactor.scoring.scored`.
    items: items, from `Journal.items`; F1 needs their keys.

    Occasions of an item are averaged first; missing replies are left out, and with them the groups
    (pairs of MME, rotations of MMBench) that they belong to.

    Returns
    -------
    Columns `examinee`, `condition`, `dataset`, `row` ("" if a file has one row), `figure`,
    `value` (in VLMEvalKit's own unit: a share, per cent or points), `n`; empty if no item has
    an id DATASET/INDEX.
    """
    table = _prepared(scored, items)
    rows = []
    keys = list(zip(*(_column(table, name) for name in KEY[:3]), strict=True))
    for key in sorted(set(keys)):
        replies = pick(table, [k == key for k in keys])
        for (row, figure), (value, n) in _made_of(key[2], replies).items():
            if not np.isnan(value):
                rows.append((*key, row, figure, value, n))
    return pd.DataFrame(rows, columns=[*KEY, "value", "n"])


def _made_of(dataset: str, replies: pd.DataFrame) -> Figures:
    for pattern, make in _MAKERS:
        if pattern.search(dataset):
            return make(replies)
    if not _CIRCULAR.search(dataset) or "circular_set" not in replies:
        return _accuracies(replies)
    whole = _accuracies(_circular(replies))
    return whole | {
        (f"{name}_{row}", figure): value
        for name, figures in (
            ("circular", whole),
            ("vanilla_0", _accuracies(_firsts(replies))),
            ("vanilla_all", _accuracies(replies)),
        )
        for (row, figure), value in figures.items()
    }


def _prepared(scored: pd.DataFrame, items: pd.DataFrame) -> pd.DataFrame:
    keys = ["examinee", "condition", "item_id", "item_hash"]
    whole = scored.drop_duplicates(keys)
    # A missing reply keeps its row: the group that it belongs to cannot be counted.
    counted = averaged(scored)
    credit = counted.assign(credit=counted["points"] / counted["points_possible"])
    table = whole.merge(pick(credit, [*keys, "credit"]), on=keys, how="left")
    names = _column(table, "item_id")
    index = [name.partition("/")[2] for name in names]
    targets = dict(zip(items["content_hash"], items["target"], strict=True))
    return table.assign(
        target=[targets[name] for name in _column(table, "item_hash")],
        dataset=[dataset_of(name) for name in names],
        index_=index,
        place=[float(i) if i.isdecimal() else np.nan for i in index],
        said=[json.loads(a) if isinstance(a, str) else None for a in _column(table, "answer")],
    ).sort_values(["place", "index_"], kind="stable")


def _credit(replies: pd.DataFrame) -> NDArray[np.float64]:
    return replies["credit"].to_numpy(dtype=float)


def _column(replies: pd.DataFrame, name: str) -> list[Any]:
    """The values of a column; "" for each reply if there is none."""
    return replies[name].tolist() if name in replies else [""] * len(replies)


def _mean(credit: NDArray[np.float64], scale: float = 1.0) -> tuple[float, int]:
    defined = credit[~np.isnan(credit)]
    return (float(defined.mean()) * scale if len(defined) else np.nan), len(defined)


def _groups(replies: pd.DataFrame, label: str) -> list[tuple[str, pd.DataFrame]]:
    if label not in replies:
        return []
    return [(str(name), group) for name, group in replies.groupby(label, sort=True)]


def _all_right(replies: pd.DataFrame, groups: Sequence[Hashable]) -> dict[Hashable, float]:
    """Per group, 1 if all replies are right, else 0; NaN if a reply is missing."""
    by_group: dict[Hashable, float] = {}
    for group, credit in zip(groups, _credit(replies), strict=True):
        right = np.nan if np.isnan(credit) else float(credit == 1)
        by_group[group] = by_group.get(group, 1.0) * right
    return by_group


def _mean_of_groups(
    replies: pd.DataFrame, groups: Sequence[Hashable], scale: float = 1.0
) -> tuple[float, int]:
    return _mean(np.array(list(_all_right(replies, groups).values())), scale)


def _circular(replies: pd.DataFrame) -> pd.DataFrame:
    """Apply CircularEval: keep the first of each set of rotations; it is right if all are."""
    right = _all_right(replies, _sets(replies))
    first = _firsts(replies)
    return first.assign(credit=[right[name] for name in _column(first, "index_")])


def _firsts(replies: pd.DataFrame) -> pd.DataFrame:
    indices = _column(replies, "index_")
    return pick(replies, [a == b for a, b in zip(indices, _sets(replies), strict=True)])


def _sets(replies: pd.DataFrame) -> list[str]:
    """The set of rotations that each reply is to; an item without rotations is its own set."""
    pairs = zip(_column(replies, "circular_set"), _column(replies, "index_"), strict=True)
    return [name if isinstance(name, str) else index for name, index in pairs]


def _splits(replies: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    return _groups(replies, "split") or [("none", replies)]


def _accuracies(replies: pd.DataFrame) -> Figures:
    """Return a row per split with the accuracy overall, by l2-category and by category."""
    figures: Figures = {}
    for split, group in _splits(replies):
        figures[split, "Overall"] = _mean(_credit(group))
        for label in ("l2_category", "category"):
            for name, part in _groups(group, label):
                figures[split, _MMBENCH.get(name, name)] = _mean(_credit(part))
    return figures


def _mmt(replies: pd.DataFrame) -> Figures:
    """As accuracies; an ability is the mean of its tasks, and a row ALL is over all splits."""
    figures: Figures = {}
    for split, group in [*_splits(replies), ("ALL", replies)]:
        figures[split, "Overall"] = _mean(_credit(group))
        for name, part in _groups(group, "category"):
            figures[split, name] = _mean(_credit(part))
        for name, part in _groups(group, "l2_category"):
            tasks = [_mean(_credit(task))[0] for _, task in _groups(part, "category")]
            share, n = _mean(_credit(part))
            figures[split, _MMT.get(name, name)] = float(np.mean(tasks)) if tasks else share, n
    return figures


def _mme(replies: pd.DataFrame) -> Figures:
    """Return accuracy plus acc+ (both questions on a picture right) by task, in percent; sums."""
    figures: Figures = {}
    for name, group in _groups(replies, "category"):
        single, n = _mean(_credit(group), 100)
        pictures = _column(group, "image_path" if "image_path" in group else "index_")
        pairs = _mean_of_groups(group, pictures, 100)
        figures["", name] = single + pairs[0], n
        figures["", f"{name} acc"] = single, n
        figures["", f"{name} acc+"] = pairs
    for whole, tasks in _MME.items():
        group = [figures["", task] for task in tasks if ("", task) in figures]
        if len(group) == len(tasks):
            figures["", whole] = sum(value for value, _ in group), sum(n for _, n in group)
    return figures


def _hallusion(replies: pd.DataFrame) -> Figures:
    """Return shares right: of questions (aAcc), of figures and questions as wholes (fAcc, qAcc)."""
    figures: Figures = {}
    for row, group in (
        *(("Overall", replies),), *_groups(replies, "category"), *_groups(replies, "l2_category")
    ):  # fmt: skip
        # hb_VD_illusion_SET_FIGURE_QUESTION
        names = [str(index).split("_") for index in _column(group, "index_")]
        figures[row, "aAcc"] = _mean(_credit(group), 100)
        figures[row, "fAcc"] = _mean_of_groups(group, [(*n[2:4], *n[4:5]) for n in names], 100)
        figures[row, "qAcc"] = _mean_of_groups(group, [(*n[2:4], *n[5:6]) for n in names], 100)
    return figures


def _pope(replies: pd.DataFrame) -> Figures:
    """F1 (VLMEvalKit calls it Overall), accuracy, precision and recall of "Yes", in per cent.

    A question of several categories counts once in each, also in the whole.
    """
    rows: dict[str, list[tuple[bool, bool, float]]] = {"Overall": []}
    names = _column(replies, "category")
    pairs = zip(_column(replies, "target"), _column(replies, "said"), strict=True)
    for name, (target, answer), credit in zip(names, pairs, _credit(replies), strict=True):
        for category in [] if np.isnan(credit) else str(name).split(","):
            row = (target == '"Yes"', answer == "Yes", credit)
            rows["Overall"].append(row)
            rows.setdefault(category, []).append(row)
    figures: Figures = {}
    for name, group in rows.items():
        both = sum(yes and says for yes, says, _ in group)
        precision = both / n_yes if (n_yes := sum(says for _, says, _ in group)) else 0.0
        recall = both / true if (true := sum(yes for yes, _, _ in group)) else 0.0
        f1 = 2 * precision * recall / (precision + recall) if both else 0.0
        values = {"Overall": f1, "precision": precision, "recall": recall}
        figures |= {(name, figure): (100 * value, len(group)) for figure, value in values.items()}
        figures[name, "acc"] = _mean(np.array([credit for *_, credit in group]), 100)
    return figures


def _amber(replies: pd.DataFrame) -> Figures:
    kinds = [_AMBER.get(name, name) for name in _column(replies, "category")]
    figures = {
        ("", k): _mean(_credit(group), 100)
        for k, group in _groups(replies.assign(kind=kinds), "kind")
    }
    mean = float(np.mean([value for value, _ in figures.values()]))
    return {**figures, ("", "Avg ACC"): (mean, sum(n for _, n in figures.values()))}


def _mmvp(replies: pd.DataFrame) -> Figures:
    """Return shares right: of questions (Average), of pairs with both right (Overall)."""
    pairs = [k // 2 for k in range(len(replies))]
    return {
        ("", "Average"): _mean(_credit(replies)),
        ("", "Overall"): _mean_of_groups(replies, pairs),
    }


def _vqa(replies: pd.DataFrame) -> Figures:
    figures = {("", "Overall"): _mean(_credit(replies), 100)}
    parts = _groups(replies, "split") or _groups(replies, "category")
    return figures | {("", name): _mean(_credit(group), 100) for name, group in parts}


def _mtvqa(replies: pd.DataFrame) -> Figures:
    parts = [*_groups(replies, "category"), ("Average", replies)]
    return {("", name): _mean(_credit(group), 100) for name, group in parts}


def _ocr(replies: pd.DataFrame) -> Figures:
    """Points: one per right reply, by kind of task; the norm is of 1,000 points, in per cent."""
    kinds = [name if name in _OCR else _OCR_TEXT for name in _column(replies, "category")]
    figures: Figures = {("", kind): (0.0, 0) for kind in (_OCR_TEXT, *_OCR)}
    for kind, group in _groups(replies.assign(kind=kinds), "kind"):
        figures["", kind] = float(np.nansum(_credit(group))), _mean(_credit(group))[1]
    total, n = sum(v for v, _ in figures.values()), sum(n for _, n in figures.values())
    return figures | {("", "Final Score"): (total, n), ("", "Final Score Norm"): (total / 10, n)}


def _hits(parts: Sequence[tuple[str, pd.DataFrame]]) -> Figures:
    """Return a row per part: number of replies, number right, and percentage right."""
    figures: Figures = {}
    for row, group in parts:
        share, n = _mean(_credit(group), 100)
        figures[row, "tot"], figures[row, "hit"] = (
            (float(n), n),
            (float(np.nansum(_credit(group))), n),
        )
        figures[row, "acc"] = share, n
    return figures


def _visulogic(replies: pd.DataFrame) -> Figures:
    return _hits([("Overall", replies), *_groups(replies, "category")])


def _mathvista(replies: pd.DataFrame) -> Figures:
    """Return MathVista's figures by task and skill.

    `prefetch` is the number of replies that VLMEvalKit read without its judge.
    """
    parts = [("Overall", replies), *_groups(replies, "task")]
    skills = [_listed(text) for text in _column(replies, "skills")]
    for skill in dict.fromkeys(name for names in skills for name in names if name):
        parts.append((skill, pick(replies, [skill in names for names in skills])))
    figures = _hits(parts)
    for row, group in parts:
        if set(_column(group, "policy")) == {"vlmevalkit"}:
            early = float(_column(group, "rule").count("MathVista"))
            figures[row, "prefetch"] = early, len(group)
            figures[row, "prefetch_rate"] = 100 * early / len(group), len(group)
    return figures


def _mmvet(replies: pd.DataFrame) -> Figures:
    kinds = [str(name) for name in _column(replies, "category")]
    parts = [(c, pick(replies, [c in kind for kind in kinds])) for c in _MMVET]
    figures: Figures = {}
    for row, group in [*((c, group) for c, group in parts if len(group)), ("Overall", replies)]:
        figures[row, "tot"] = float(len(group)), len(group)
        figures[row, "acc"] = _mean(_credit(group), 100)
    return figures


def _listed(text: Any) -> list[str]:
    try:
        values = ast.literal_eval(str(text))
    except (ValueError, SyntaxError):
        return [str(text)]
    return list(map(str, values)) if isinstance(values, list) else [str(text)]


def _single(name: str, scale: float) -> Callable[[pd.DataFrame], Figures]:
    return lambda replies: {("", name): _mean(_credit(replies), scale)}


_MAKERS: Sequence[tuple[re.Pattern[str], Callable[[pd.DataFrame], Figures]]] = tuple(
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
"""Functions that compute figures, by a pattern of data sets' names; others have accuracies."""
