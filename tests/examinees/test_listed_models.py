"""A model that a server does not list among its own is noted: many servers answer every name."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.chat_server import chat_server

import gfactor as gf
from gfactor.items import ItemBank


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> ItemBank:
    path = tmp_path_factory.mktemp("bank") / "pv.parquet"
    return gf.build("percept-v", domains=["counting_circles"], sizes=[1], path=path)


@pytest.mark.parametrize(
    ("models", "noted"),
    [
        (("lab-vl-7b", "other"), True),
        (("lab-vl-7",), False),
        (("lab-vl-7:latest",), False),
        (("org/lab-vl-7",), False),
        ((), False),
    ],
)
def test_a_model_that_the_server_does_not_list_is_noted_once(
    bank: ItemBank,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    models: tuple[str, ...],
    noted: bool,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with chat_server(models=models) as server:
        journal = gf.run(bank, "openai:lab-vl-7", base_url=server.url, journal=tmp_path / "c.db")
        assert server.served == len(bank)
    sentence = (
        "the server does not list 'lab-vl-7' among its models (lab-vl-7b ...); check the name"
    )
    assert journal.results[0].notes == ((sentence,) if noted else ())
    assert (sentence in journal.summary()) == noted
