"""The people beside a profile are counted, and so are the answers that place them."""

from __future__ import annotations

import pandas as pd

from gfactor.api.asking.profile_people import people_beside

OWN = pd.DataFrame({"ability": ["Gf"], "theta": [0.5]})


def test_people_who_answered_few_items_of_the_calibrations_cells_are_warned_of() -> None:
    others = pd.DataFrame(
        {"examinee": ["person:a", "person:b", "gpt"], "kind": ["person", "person", "model"],
         "ability": "Gf", "theta": [0.0, 0.7, 0.1], "se": [0.8, 0.9, 0.1], "n": [2, 2, 70]}
    )  # fmt: skip
    (found,) = people_beside(others, OWN, {"person:a": 27, "person:b": 27})
    assert found.severity == "warning"
    assert found.sentence == (
        "Gf: beside 2 people, 1 of them with a lower ability. The middle person answered 27 items, "
        "2 of them of the calibration's cells; only these place people (median standard error "
        "0.85), and the band of people says little."
    )
    assert "gfactor build chc --cells main" in found.remedy
    assert found.values["answers"] == 2.0


def test_enough_answers_are_a_note_and_nobody_a_warning() -> None:
    others = pd.DataFrame(
        {"examinee": ["person:a"], "kind": "person", "ability": "Gf", "theta": 0.0, "se": 0.3,
         "n": 20}
    )  # fmt: skip
    assert [one.severity for one in people_beside(others, OWN, {"person:a": 20})] == ["note"]
    nobody = people_beside(others.assign(kind="model"), OWN, {})
    assert [(one.code, one.severity) for one in nobody] == [("no_people", "warning")]
