"""A file of requests is uploaded once, however often its batch has to be submitted."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.batch_campaigns import declared
from support.batch_server import BatchServer, batch_server, foreign
from support.forked import Starter

import gfactor as gf


@pytest.fixture
def server() -> Iterator[BatchServer]:
    with batch_server() as running:
        yield running


def test_a_batch_refused_by_a_full_queue_is_submitted_again_from_its_file(
    tmp_path: Path, server: BatchServer
) -> None:
    server.queue, server.looks = 8, 4
    done = gf.campaign.run(declared(tmp_path, server, items=20))
    assert (done.code, done.facts["failed"]) == (0, 0)
    assert server.refusals >= 1
    assert server.submitted == 5 + server.refusals
    assert server.uploads == 5
    assert set(server.paid().values()) == {1}


@pytest.mark.thorough
def test_a_queue_that_is_full_of_others_batches_gets_the_same_file_when_it_has_room(
    tmp_path: Path, server: BatchServer
) -> None:
    server.queue = 1000
    theirs = foreign(server, "openai", 1000)
    server.hooks["refused"] = lambda: server.batches[theirs].update(ended=True)
    assert gf.campaign.run(declared(tmp_path, server)).code == 0
    assert (server.refusals, server.uploads) == (1, 3)
    assert {len(requests) for name, requests in server.requests.items() if name != theirs} == {4}


@pytest.mark.thorough
def test_after_a_kill_the_file_that_was_uploaded_is_used(
    tmp_path: Path, server: BatchServer, processes: Starter
) -> None:
    path, victims = declared(tmp_path, server), []
    server.queue = 0
    server.hooks["refused"] = lambda: os.kill(victims[0], signal.SIGKILL)
    victims.append(processes.start(tmp_path / "log.txt", "campaign", "run", path))
    assert processes.wait(victims[0]) == -signal.SIGKILL
    server.queue = 1000
    assert gf.campaign.run(path).code == 0
    assert (server.refusals, server.submitted, server.uploads) == (1, 4, 3)
    assert set(server.paid().values()) == {1}


def test_a_file_that_the_vendor_has_deleted_is_uploaded_again(
    tmp_path: Path, server: BatchServer
) -> None:
    server.queue = 1000
    theirs = foreign(server, "openai", 1000)

    def room() -> None:
        server.deleted = {"file-0"}
        del server.files["file-0"]
        server.batches[theirs]["ended"] = True

    server.hooks["refused"] = room
    done = gf.campaign.run(declared(tmp_path, server, items=4))
    assert (done.code, done.facts["done"], server.uploads) == (0, 4, 2)


@pytest.mark.thorough
def test_a_file_that_the_vendor_did_not_accept_is_not_used_again(
    tmp_path: Path, server: BatchServer
) -> None:
    path = declared(tmp_path, server, items=4)
    server.invalid = "the file is damaged"
    assert gf.campaign.run(path).code == 1
    server.invalid = ""
    assert gf.campaign.run(path).code == 0
    assert server.uploads == 2
