"""The status of a campaign agrees with the run before it about a budget that is reached."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.banks import make_item
from support.chat_server import chat_server

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.frames import total
from gfactor.items import write_bank

LONG = "a long question " * 200
"""A question that may cost more than is left, while the mean question would not."""


def declared(folder: Path, url: str, budget: float) -> Path:
    texts = [LONG, *(f"Question {n}?" for n in range(19))]
    items = (make_item(f"i{n:03d}", content=(text,)) for n, text in enumerate(texts))
    write_bank(items, folder / "b.parquet")
    path = folder / "c.toml"
    path.write_text(
        f'[campaign]\nbudget = {budget}\n[[banks]]\npath = "b.parquet"\n[servers.lab]\n'
        f'base_url = "{url}"\n[[models]]\nspec = "openai:m"\nserver = "lab"\n'
        "price = {input = 1e6, output = 0}\n[conditions]\nmax_tokens = 10\n",
        encoding="utf-8",
    )
    return path


def test_status_says_that_a_run_stopped_at_its_budget_until_it_is_raised(tmp_path: Path) -> None:
    with chat_server(lambda _: "COUNT:3") as server:
        path = declared(tmp_path, server.url, 500.0)
        done = gf.campaign.run(path)
        assert (done.code, list(done.stopped)) == (3, ["openai:m"])
        assert done.stopped["openai:m"].startswith("the budget of 500 in all would be exceeded")
        seen = gf.campaign.status(path)
        assert (seen.code, seen.stopped) == (3, done.stopped)
        assert total(seen.accounts, "left") > 0
        with gf.open_journal(tmp_path / "c.db") as journal:
            assert not [name for name in journal.meta() if name.startswith("stopped")]
        declared(tmp_path, server.url, 50_000.0)
        raised = gf.campaign.status(path)
        assert (raised.code, raised.stopped) == (4, {})
        assert gf.campaign.run(path).code == 0
        assert gf.campaign.status(path).code == 0


def test_a_model_without_a_price_is_refused_with_the_price_of_what_costs_nothing(
    tmp_path: Path,
) -> None:
    path = declared(tmp_path, "http://localhost:1/v1", 5.0)
    text = path.read_text("utf-8").replace("price = {input = 1e6, output = 0}\n", "")
    path.write_text(text, "utf-8")
    with pytest.raises(ParameterError, match=r"write price = \{input = 0, output = 0\}"):
        gf.campaign.status(path)
