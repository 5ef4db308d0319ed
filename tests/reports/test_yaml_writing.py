"""The YAML that is written without a library is read back as it was by one."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gfactor.reports.exchange.yaml_writing import yaml_text

TEXTS = st.one_of(
    st.sampled_from(
        ["", "no", "null", "1", "1e3", "2026-11-22", "a: b", "- a", "# x", "é\u0085\u2028"]
    ),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
)
SCALARS = st.one_of(
    TEXTS, st.booleans(), st.integers(), st.none(), st.sampled_from([0.5, -2.25, 1e-7])
)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda part: st.lists(part, max_size=3) | st.dictionaries(TEXTS, part, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40, deadline=None)
@given(st.one_of(st.lists(DOCUMENTS, max_size=3), st.dictionaries(TEXTS, DOCUMENTS, max_size=3)))
def test_a_document_is_read_back_as_it_was(document: Any) -> None:
    assert yaml.safe_load(yaml_text(document)) == document


def test_what_is_no_finite_number_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        yaml_text({"value": float("nan")})
