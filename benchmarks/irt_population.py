"""Item response models of observers whose limits are known: design and DIF on Percept-V.

    OMP_NUM_THREADS=1 python benchmarks/irt_population.py [--seed 7] \
        [--write docs/evidence/irt-evidence.md]

Design: the demo's 14 observers answer one item of every domain at every second size; the Rasch
difficulty of items is explained by domain and size. DIF: observers of low acuity (0.28 to 0.45,
memory for 4 to 9 things) against observers of low capacity (2 to 6 things, acuity 1). A domain is
bound by acuity where observers with unlimited memory fail at least an eighth of its items at the
acuities of the first group; these observers are not in the DIF analysis.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pages import replace_section

import gfactor as gf
from gfactor.api.demonstration import POPULATION
from gfactor.psychometrics.irt import fit_irt
from gfactor.psychometrics.irt.checks.differential import dif
from gfactor.psychometrics.irt.models.explanatory import DesignFit, design_matrix, fit_design
from gfactor.reports.drawing.canvas import COLORS, GUIDE, blank, drawing_style, rendered

MARKER = "## On observers whose limits are known"
DOMAINS = (
    "list_shapes", "layered_shapes", "match_outline", "match_shadow",
    "circle_boxes", "circle_location", "comparing_size", "count_coloured_circles",
    "counting_circles", "counting_shapes", "cross_and_knots", "graph_counting", "grid_path",
    "locate_circles_colour", "vanishing_objects", "mirror_image",
)  # fmt: skip
SIZES = (2, 4, 6, 8, 10)
EACH = 90
"""Observers of each group."""
FAILED = 1 / 8


def answers(
    folder: Path, name: str, observers: list[str], seed: int, sizes: tuple[int, ...],
    domains: tuple[str, ...] | None = None,
) -> pd.DataFrame:  # fmt: skip
    """Observers x items, scored by the benchmark's rule."""
    chosen: dict[str, Any] = {} if domains is None else {"domains": list(domains)}
    bank = folder / f"{name}.parquet"
    gf.build(
        "percept-v", path=bank, seed=seed, sizes=list(sizes), instances=1, show_progress=False,
        **chosen,
    )  # fmt: skip
    gf.run(bank, observers, journal=folder / f"{name}.db")
    return gf.matrix(folder / f"{name}.db", by="item").scores


def known_of(items: pd.Index) -> pd.DataFrame:
    """Domain and size of every item, which its name says."""
    parts = [str(name).rsplit("-", 2) for name in items]
    return pd.DataFrame(
        {"domain": [p[0] for p in parts], "size": [float(p[1]) for p in parts]}, index=items
    )


def low_acuity() -> list[str]:
    rng = np.random.default_rng(1)
    return [
        f"observer:limited?acuity={rng.uniform(0.28, 0.45):.3f}&capacity={rng.uniform(4, 9):.2f}"
        f"&seed={k + 1}"
        for k in range(EACH)
    ]


def low_capacity() -> list[str]:
    rng = np.random.default_rng(2)
    return [
        f"observer:limited?acuity=1&capacity={rng.uniform(2, 6):.2f}&seed={k + 1001}"
        for k in range(EACH)
    ]


def unlimited_memory() -> list[str]:
    return [
        f"observer:limited?acuity={acuity}&capacity=1000&seed={k + 5001}"
        for k, acuity in enumerate(np.linspace(0.28, 0.45, 8).round(3))
    ]


def design_section(folder: Path, seed: int, figure: Path | None) -> list[str]:
    """The demo's observers: share of difficulty explained, difficulty against size by domain."""
    data = answers(folder, "demo", list(POPULATION), seed, tuple(range(2, 21, 2)))
    varying = data.loc[:, (data.nunique() > 1).to_numpy()]
    total = varying.shape[1]
    domain: Any = known_of(varying.columns)["domain"]
    varying = varying.loc[:, (domain.groupby(domain).transform("count") >= 3).to_numpy(bool)]
    known = known_of(varying.columns)
    plain = fit_design(varying, design_matrix("~ C(domain)", known))
    sized = fit_design(varying, design_matrix("~ size + C(domain)", known))
    slopes: Any = fit_design(varying, design_matrix("~ 0 + C(domain) + C(domain):size", known))
    steep = slopes.effects.set_index("effect")
    steep = steep[steep.index.str.endswith(":size")]
    up = int((steep["estimate"] - 1.96 * steep["se"] > 0).sum())
    down = int((steep["estimate"] + 1.96 * steep["se"] < 0).sum())
    if figure is not None:
        _draw(slopes, known, figure)
    lines = [
        f"The demo's {len(data)} observers answered {data.shape[1]} items (one of every domain at "
        f"every second size); {total} of them vary, {varying.shape[1]} in the "
        f"{known['domain'].nunique()} domains with three and more such sizes. Their difficulties "
        "(Rasch) explained by the design:", "",
        "| design | effects | explained | tau, logits | cells left out: RMSE | by their mean |",
        "|---|---:|---:|---:|---:|---:|",
    ]  # fmt: skip
    for name, fit in (("domain", plain), ("domain + size", sized), ("domain × size", slopes)):
        lines.append(
            f"| {name} | {len(fit.effects)} | {100 * fit.explained:.0f} % | {fit.tau:.2f} | "
            f"{fit.held_out:.2f} | {fit.held_out_empty:.2f} |".replace("nan", "-")
        )
    size = sized.effects.set_index("effect").loc["size"]
    lines += ["", (
        f"One step of size is {size['estimate']:.2f} logits (SE {size['se']:.2f}) over all "
        f"domains. In {up} of {len(steep)} domains difficulty grows with size (95 % interval above "
        f"0), in {down} it falls. With {len(data)} observers a single difficulty has a standard "
        f"error of {np.median(slopes.rasch.items['se_b']):.1f} logits (median): read domains and "
        "sizes, not items."
    ), "", (
        "tau is 0 where the difficulties scatter around the design no more than their standard "
        "errors let expect; with 14 observers that is said of scatter above half a logit only, as "
        "the cells left out show. Below: difficulties with 95 % intervals and the fitted lines."
    ), "", "![Difficulty against size in the domains of Percept-V](figures/irt-size.svg)", "",
    ]  # fmt: skip
    return lines


def _draw(fit: DesignFit, known: pd.DataFrame, path: Path) -> None:
    """Difficulty against size, a panel per domain, with the fitted line of each."""
    items = fit.rasch.items.set_index("item")
    predicted = pd.Series(fit.lltm.request.design @ fit.effects["estimate"].to_numpy(), items.index)
    domains = sorted(known["domain"].unique())
    across = 6
    with drawing_style():
        drawing = blank(9.6, 1.35 * -(-len(domains) // across) + 0.6)
        grid = drawing.subplots(
            -(-len(domains) // across), across, sharex=True, sharey=True, squeeze=False
        )
        for axes, domain in zip(grid.flat, domains, strict=False):
            own = known.index[(known["domain"] == domain).to_numpy(bool)]
            b, se = (items.loc[own, name].to_numpy(float) for name in ("b", "se_b"))
            x = known.loc[own, "size"].to_numpy(float)
            axes.axhline(0, color=GUIDE, linewidth=0.5)
            axes.vlines(x, b - 1.96 * se, b + 1.96 * se, color=COLORS[0], linewidth=0.6, alpha=0.5)
            axes.plot(x, b, "o", color=COLORS[0], markersize=2.2)
            axes.plot(x, predicted.loc[own].to_numpy(float), color=COLORS[1], linewidth=1)
            axes.set_title(domain.replace("_", " "), fontsize=7, pad=2)
            axes.set_ylim(-5.5, 5.5)
        for axes in grid.flat[len(domains) :]:
            axes.set_visible(False)
        drawing.supxlabel("size", fontsize=8)
        drawing.supylabel("difficulty, logits", fontsize=8)
        files = rendered(drawing)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(files["svg"])


def dif_section(folder: Path, seed: int) -> list[str]:
    """DIF by domain between observers of low acuity and of low capacity."""
    groups = (low_acuity(), low_capacity())
    data: Any = answers(folder, "dif", [*groups[0], *groups[1]], seed, SIZES, DOMAINS)
    seen: Any = answers(folder, "eyes", unlimited_memory(), seed, SIZES, DOMAINS)
    failed = 1 - seen.mean().groupby(known_of(seen.columns)["domain"]).mean()
    bound = failed[failed >= FAILED].index
    keep = ((data.mean() > 0.04) & (data.mean() < 0.96)).to_numpy()
    data = data.loc[:, keep]
    kind = ["low acuity" if "acuity=0" in name else "low capacity" for name in data.index]
    found = dif("rasch", data, groups=kind, reference="low capacity")
    fit = fit_irt("rasch", data, groups=kind, reference="low capacity")
    rows = found.table.assign(domain=known_of(found.table.index)["domain"])
    lines = [
        f"{EACH} observers of low acuity (0.28 to 0.45; memory for 4 to 9 things) and {EACH} of "
        "low capacity (2 to 6 things; acuity 1) answered "
        f"{data.shape[1]} items that 4 to 96 % solve, in {len(DOMAINS)} domains, sizes "
        f"{', '.join(map(str, SIZES))}. A domain counts as bound by acuity where eight other "
        f"observers with unlimited memory fail at least {100 * FAILED:.0f} % of its items at "
        "these acuities. Likelihood ratio tests (Rasch), anchors "
        "purified.", "",
        "| domain | failed by eyes alone | bound by acuity | items | DIF, adjusted p < .05 | "
        "against low acuity, ETS class C |",
        "|---|---:|---|---:|---:|---:|",
    ]  # fmt: skip
    counts = {True: [0, 0, 0], False: [0, 0, 0]}
    order = sorted(rows["domain"].unique(), key=lambda name: (name not in bound, name))
    for domain in order:
        of_domain: Any = rows[rows["domain"] == domain]
        sure = of_domain["p_adjusted"] < 0.05
        against = sure & (of_domain["ets_class"] == "C") & (of_domain["delta"] < 0)
        for k, n in enumerate((len(of_domain), int(sure.sum()), int(against.sum()))):
            counts[domain in bound][k] += n
        lines.append(
            f"| {domain} | {100 * failed[domain]:.0f} % | {'yes' if domain in bound else 'no'} | "
            f"{len(of_domain)} | {sure.sum()} | {against.sum()} |"
        )
    yes, no = counts[True], counts[False]
    latent = fit.latent.set_index(["group", "parameter"])["estimate"]
    lines += ["", (
        f"DIF was found in {yes[1]} of {yes[0]} items of domains bound by acuity ({yes[2]} against "
        f"low acuity, class C) and in {no[1]} of {no[0]} elsewhere ({no[2]} against low acuity). "
        f"Low acuity's mean ability lies {latent['low acuity', 'MEAN_1']:+.2f} logits from low "
        f"capacity's. {len(found.anchors)} anchors; "
        + (f"diagnostic {found.diagnostics[0].code}." if found.diagnostics else "no diagnostic.")
    ), ""]  # fmt: skip
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    start = time.process_time()
    figure = given.write.parent / "figures" / "irt-size.svg" if given.write else None
    with tempfile.TemporaryDirectory() as folder:
        parts = dif_section(Path(folder), given.seed)
        print("\n".join(parts), flush=True)
        parts = design_section(Path(folder), given.seed, figure) + parts
    text = "\n".join([
        MARKER, "",
        f"`python benchmarks/irt_population.py --seed {given.seed}`, "
        f"{datetime.now(UTC).date().isoformat()}.", "", *parts,
    ])  # fmt: skip
    print(text, f"\n{time.process_time() - start:.0f} CPU seconds")
    if given.write:
        replace_section(given.write, MARKER, text)


if __name__ == "__main__":
    main()
