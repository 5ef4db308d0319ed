"""Path diagrams: everything is drawn, nothing covers another label."""

from __future__ import annotations

from itertools import combinations

import pandas as pd
import pytest
from matplotlib.patches import FancyArrowPatch
from support.tiers import few

from gfactor.errors import ParameterError
from gfactor.reports.drawing.canvas import drawing_style, rendered
from gfactor.reports.drawing.path_drawing import apa_decimals, path_diagram

LETTERS = [f"indicator_{k:02d}" for k in range(1, 19)]
FACTORS = {f"F{k}": LETTERS[4 * k - 4 : 4 * k] if k < 5 else LETTERS[16:] for k in range(1, 6)}


def frame(*rows: tuple[str, str, str, float]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["lhs", "op", "rhs", "est"])


def loadings() -> list[tuple[str, str, str, float]]:
    return [(f, "=~", name, 0.7) for f, names in FACTORS.items() for name in names]


def variances() -> list[tuple[str, str, str, float]]:
    return [(name, "~~", name, 0.51) for name in LETTERS]


CORRELATED = frame(
    *loadings(), *variances(), *((a, "~~", b, 0.4) for a, b in combinations(FACTORS, 2))
)
SECOND_ORDER = frame(*loadings(), *variances(), *(("G", "=~", f, 0.8) for f in FACTORS))
BIFACTOR = frame(*loadings(), *variances(), *(("G", "=~", name, -0.6) for name in LETTERS))
CROSSED = frame(
    *loadings(),
    *variances(),
    *(("G", "=~", name, 0.6) for name in LETTERS),
    *((f, "=~", LETTERS[0], 0.1) for f in ("F2", "F3", "F4", "F5")),
    ("F5", "=~", LETTERS[5], 0.1),
)
STRUCTURE = frame(
    *loadings(),
    *(("F5", "~", f, 0.3) for f in ("F1", "F2")),
    ("F1", "~", "age", 0.1),
    ("F2", "~", "sex", 0.1),
    (LETTERS[2], "~~", LETTERS[9], 0.2),
    (LETTERS[3], "~~", LETTERS[4], 0.2),
)
PATHS = frame(
    ("m", "~", "a", 0.5), ("y", "~", "m", 0.4), ("y", "~", "a", 0.1), ("y", "~", "b", 0.3)
)
MODELS = {
    "correlated": CORRELATED,
    "second order": SECOND_ORDER,
    "bifactor": BIFACTOR,
    "crossed": CROSSED,
    "structure": STRUCTURE,
    "paths": PATHS,
}


@pytest.mark.parametrize("name", few(MODELS, 3))
def test_every_arrow_has_a_label_that_nothing_covers(name: str) -> None:
    rows = MODELS[name]
    with drawing_style():
        drawing = path_diagram(rows)
        rendered(drawing)
        texts = drawing.axes[0].texts
        extents = [text.get_window_extent() for text in texts]
    arrows = ((rows["op"] != "~~") | (rows["lhs"] != rows["rhs"])).sum()
    assert sum(text.get_gid() == "label" for text in texts) == arrows
    for (one, first), (two, second) in combinations(zip(texts, extents, strict=True), 2):
        assert not first.overlaps(second), (one.get_text(), two.get_text())
    for text, extent in zip(texts, extents, strict=True):
        assert extent.x0 >= 0, text.get_text()
        assert extent.x1 <= drawing.bbox.x1, text.get_text()


def test_a_box_holds_its_name_also_where_letters_are_written_as_escapes() -> None:
    rows = frame(
        ("일반 지능", "=~", "시각 회전 능력", 0.7), ("시각 회전 능력", "~~", "시각 회전 능력", 0.5)
    )
    with drawing_style():
        drawing = path_diagram(rows)
        rendered(drawing)
    axes = drawing.axes[0]
    shapes = [p.get_window_extent() for p in axes.patches if not isinstance(p, FancyArrowPatch)]
    names = [text.get_window_extent() for text in axes.texts if text.get_gid() == "name"]
    assert len(names) == len(shapes) == 2
    for name, shape in zip(names, shapes, strict=True):
        assert shape.x0 <= name.x0
        assert name.x1 <= shape.x1


def test_the_same_model_gives_the_same_bytes() -> None:
    with drawing_style():
        first, second = (rendered(path_diagram(PATHS)) for _ in range(2))
    assert first == second


def test_a_model_without_arrows_is_refused_in_words() -> None:
    with drawing_style(), pytest.raises(ParameterError, match="no loading"):
        path_diagram(frame(("x", "~~", "x", 1.0)))


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.724, ".72"), (-0.05, "-.05"), (1.084, "1.08"), (0.999, "1.00"), (-1e-9, ".00")],
)
def test_estimates_are_written_as_in_apa_style(value: float, text: str) -> None:
    assert apa_decimals(value) == text
