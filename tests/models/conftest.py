"""Tests with real libraries for local models: `make test-models` sets these up.

The ordinary suite leaves this folder out; called by hand without the extra `hf`, it is skipped.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

MISSING = [name for name in ("torch", "transformers", "PIL") if find_spec(name) is None]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            # These libraries warn of their coming changes.
            item.add_marker(pytest.mark.filterwarnings("ignore"))
            if MISSING:
                reason = f"no {', no '.join(MISSING)}: run  make test-models"
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def seeing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny vision-language model."""
    from support.tiny_models import vision_language_model  # noqa: PLC0415

    return vision_language_model(tmp_path_factory.mktemp("models") / "seeing")


@pytest.fixture(scope="session")
def blind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny language model."""
    from support.tiny_models import language_model  # noqa: PLC0415

    return language_model(tmp_path_factory.mktemp("models") / "blind")
