"""Made-up results of the shape that scoring gives, for tests of reports: no bank, no journal."""

from __future__ import annotations

import cv2
import numpy as np
import pandas as pd

from gfactor.examinees import RenderedItem
from gfactor.items import Image
from gfactor.psychometrics import accuracy_at
from gfactor.reports import Results
from gfactor.reports.answers.results import labeled

SKILLS = ("Visual Memory", "Visual Closure", "Visual Discrimination")
TYPES = ("value", "tuple", "list", "set")
DOMAINS = ("change_colour", "colours_present", "counting_circles", "grid_path", "sort_lines")

TABLES_OF_MORE = {
    "accuracy_by_ability",
    "accuracy_by_family",
    "accuracy_by_label",
    "answering_models",
    "calibrated_abilities",
    "left_out_parameters",
    "people_and_examinees",
    "people_by_item",
    "preregistration",
}
"""Tables of generated families, calibrations, people, plans and changed models, which these answers
have not."""


def made_up_answers(
    domains: tuple[str, ...] = DOMAINS,
    sizes: int = 8,
    instances: int = 2,
    people: int = 5,
    models: tuple[str, ...] = ("openai:gpt-4o",),
    edition: str = "audited",
    seed: int = 0,
) -> pd.DataFrame:
    """One row per answer, columns as `gfactor.scoring.scored` gives them."""
    rng = np.random.default_rng(seed)
    names = {
        "observer:ideal": 99.0,
        "baseline:random?seed=0": -9.0,
        "baseline:constant": -9.0,
        "baseline:size-aware": -4.0,
        **{name: 0.3 * sizes for name in models},
        **{
            f"observer:limited?acuity={0.4 + 0.1 * i:.1f}&capacity={2 + i}&contrast=1&seed={i}":
            sizes * (0.3 + 0.5 * i / max(people, 1))
            for i in range(people)
        },
    }  # fmt: skip
    parts = []
    for place, domain in enumerate(domains):
        size = np.repeat(np.arange(1, sizes + 1), instances)
        ids = [f"{domain}-{s:02d}-{i % instances}" for i, s in enumerate(size)]
        for name, threshold in names.items():
            p = accuracy_at(size, threshold + 0.1 * place, 1.2, 0.0, 0.1)
            right = (rng.random(size.size) < np.where(threshold > 90, 1, p)).astype(float)
            wrong_format = (right == 0) & (rng.random(size.size) < 0.2) & ("openai" in name)
            parts.append(
                pd.DataFrame(
                    {
                        "examinee": name, "item_id": ids, "item_hash": ids, "condition": "default",
                        "occasion": 0, "outcome": "ok", "text": "COUNT:1", "answer": "1",
                        "answer_lenient": "1", "correct": right,
                        "correct_lenient": np.maximum(right, wrong_format),
                        "format_error": wrong_format, "missing": False,
                        "stage": np.where(wrong_format, "none", "strict"), "rule": "",
                        "answer_type": TYPES[place % len(TYPES)], "benchmark": "percept-v",
                        "edition": edition, "domain": domain, "size": size,
                        "skills": [(SKILLS[place % 3], SKILLS[(place + 1) % 3])] * size.size,
                    }
                )
            )  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def made_up_samples(domains: tuple[str, ...] = DOMAINS) -> tuple[RenderedItem, ...]:
    """A rendered item per domain, the first with two pictures."""
    return tuple(
        RenderedItem(
            f"{domain}-01-0",
            "percept-v",
            domain,
            (
                f"- How many things are there in {domain}?\n- Write <COUNT:x> & nothing else.",
                *(_image(f"{domain}-{i}.png", 40 * i + place) for i in range(1 + (place == 0))),
            ),
        )
        for place, domain in enumerate(domains)
    )


def made_up_results(answers: pd.DataFrame | None = None, n_bootstrap: int = 40) -> Results:
    """Results of made-up answers with a chance level of 0.1 in every domain."""
    table = made_up_answers() if answers is None else answers
    chance = 0.1 if "domain" in table else np.nan
    meta = {
        "campaigns": [
            {"bank": "banks/percept_v.parquet", "digest": "00ff", "version": "0.1.0", "items": 80}
        ]
    }
    return Results(
        labeled(table.assign(chance=chance, chance_share=chance)),
        made_up_samples() if "domain" in table else (),
        meta,
        n_bootstrap=n_bootstrap,
    )


def _image(path: str, shade: int) -> Image:
    pixels = np.full((48, 64, 3), 255 - shade, np.uint8)
    cv2.circle(pixels, (32, 24), 12, (200, 80, 20), -1)
    encoded, data = cv2.imencode(".png", pixels)
    assert encoded
    return Image(data.tobytes(), path)
