"""Journals of the papers' benchmarks and their tables, made once for all tests of reports."""

from __future__ import annotations

import pytest
from support.paper_runs import (
    MODELS,
    Made,
    answer,
    paper_bank,
    reply_of,
    results_of,
    right,
    wrong,
)

from gfactor.items import Item, ItemBank
from gfactor.reports import Results, make_tables


@pytest.fixture(scope="session")
def banks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ItemBank]:
    folder = tmp_path_factory.mktemp("banks")
    return {name: paper_bank(name, folder) for name in ("m3gia", "mm-iq", "multi")}


@pytest.fixture(scope="session")
def m3gia(banks: dict[str, ItemBank], tmp_path_factory: pytest.TempPathFactory) -> Results:
    path, bank = tmp_path_factory.mktemp("m3gia") / "c.db", banks["m3gia"]
    for name, share in MODELS.items():
        answer(path, bank, name, reply_of(name, share))
    answer(path, bank, "openai:a", wrong, "images=removed")
    answer(path, bank, "baseline:most", wrong)
    for code, share in (("P1", 0.5), ("P2", 0.75), ("P3", 1.0)):
        answer(path, bank, f"person:{code}", reply_of(code, share))
    return results_of(path)


MULTI = ("background=on", "default", "background=on,prompt_language=en", "background=on,cot=on",
         "background=on,images=removed", "background=on,images=captioned",
         "background=on,knowledge=on")  # fmt: skip


@pytest.fixture(scope="session")
def multi(banks: dict[str, ItemBank], tmp_path_factory: pytest.TempPathFactory) -> Results:
    path, bank = tmp_path_factory.mktemp("multi") / "c.db", banks["multi"]
    for condition in MULTI:
        answer(path, bank, "openai:a", right, condition)
        declined = "I cannot answer, because the image is missing."
        blind = "images=removed" in condition

        def reply(item: Item, blind: bool = blind, declined: str = declined) -> str:
            return declined if blind and item.images else wrong(item)

        answer(path, bank, "openai:b", reply, condition)
    return results_of(path)


@pytest.fixture(scope="session")
def mm_iq(banks: dict[str, ItemBank], tmp_path_factory: pytest.TempPathFactory) -> Results:
    path, bank = tmp_path_factory.mktemp("mm_iq") / "c.db", banks["mm-iq"]
    long = "The shapes turn by ninety degrees from one panel to the next one, so that it is "
    answer(path, bank, "openai:a", lambda item: f"{long}{right(item)}")
    answer(path, bank, "openai:b", wrong)
    answer(path, bank, "openai:b", right, "cot=on")
    return results_of(path)


@pytest.fixture(scope="session")
def made(m3gia: Results, multi: Results, mm_iq: Results) -> Made:
    """The tables of each journal, made once."""
    return {"m3gia": make_tables(m3gia), "multi": make_tables(multi), "mm_iq": make_tables(mm_iq)}
