"""Batches that do not end: the run has a bound and says what to do, and status lists them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.batch_campaigns import declared
from support.batch_server import BatchServer, batch_server
from support.cli import run_cli

import gfactor as gf
from gfactor.errors import ParameterError


@pytest.fixture
def server() -> Iterator[BatchServer]:
    with batch_server() as running:
        yield running


def stopped(path: Path) -> str:
    """The sentence with which a run ends that leaves questions."""
    done = gf.campaign.run(path)
    assert done.code == 4
    return done.stopped["openai:m"]


@pytest.mark.parametrize(("kind", "name"), [("openai", "batch_0"), ("google", "batches/0")])
def test_a_batch_whose_status_is_an_error_ends_the_run_with_its_name_and_what_to_do(
    tmp_path: Path, server: BatchServer, kind: str, name: str
) -> None:
    path = declared(tmp_path, server, kind)
    server.broken = {name}
    sentence = stopped(path)
    address = server.url.replace("/v1", "/v1beta") if kind == "google" else server.url
    assert sentence.startswith(f"openai:m?base_url={address}: batch {name} of 4 questions, ")
    assert f"cannot be looked at: the batch API at {address} failed: HTTP 500: broken" in sentence
    assert f'batch_give_up = ["{name}"]' in sentence
    # The next run submits nothing while it is in doubt, and collects it when it can be looked at.
    assert stopped(path) == sentence
    submitted = server.submitted
    server.broken = set()
    assert gf.campaign.run(path).code == 0
    assert (submitted, server.submitted, set(server.paid().values())) == (1, 3, {1})


def test_a_batch_that_does_not_end_is_waited_for_with_a_bound(
    tmp_path: Path, server: BatchServer
) -> None:
    path = declared(tmp_path, server, items=4, lab="batch_wait = 0.5")
    server.looks = 10**6
    sentence = stopped(path)
    assert "batch batch_0 of 4 questions" in sentence
    assert "has not ended within 0.5 seconds (batch_wait): the batch is in_progress" in sentence
    server.looks = 0
    assert (gf.campaign.run(path).code, server.submitted) == (0, 1)


def test_a_batch_that_is_given_up_counts_as_one_that_may_have_been_paid_for(
    tmp_path: Path, server: BatchServer, capsys: pytest.CaptureFixture[str]
) -> None:
    path = declared(tmp_path, server, items=4, lab='batch_give_up = ["batch_0"]')
    server.broken = {"batch_0"}
    lost = gf.campaign.run(path)
    assert (lost.code, lost.facts["failed"], lost.facts["unanswered"]) == (1, 4, 4 * 10 * 0.5)
    assert "it was given up by the campaign file (batch_give_up)" in capsys.readouterr().err
    assert (gf.campaign.run(path).code, server.submitted) == (0, 2)


def test_batches_to_give_up_are_a_list(tmp_path: Path, server: BatchServer) -> None:
    path = declared(tmp_path, server, lab='batch_give_up = "batch_0"')
    with pytest.raises(ParameterError, match=r"servers.lab.batch_give_up: give a list of texts"):
        gf.campaign.plan(path)


@pytest.mark.thorough
def test_status_lists_batches_in_progress_and_since_when(
    tmp_path: Path,
    server: BatchServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = declared(tmp_path, server, items=6, lab="batch_wait = 0.3")
    before = gf.campaign.status(path)
    assert (before.facts["in_batches"], before.facts["batches_since"]) == (0, None)
    assert "batches" not in before.tables
    server.looks = 10**6
    assert gf.campaign.run(path).code == 4
    words = monkeypatch, capsys, "campaign", "status", str(path)
    assert "6 questions are in 2 batches, the first since 20" in run_cli(*words).out
    said = json.loads(run_cli(*words, "--json").out)
    batches = said["batches"]
    assert [(b["model"], b["batch"], b["questions"]) for b in batches] == [
        ("openai:m", "batch_0", 4), ("openai:m", "batch_1", 2)
    ]  # fmt: skip
    assert (said["in_batches"], said["batches_since"]) == (6, batches[0]["since"])
    server.looks = 0
    done = gf.campaign.run(path)
    assert (done.code, done.facts["in_batches"], done.diagnostics) == (0, 0, ())
