"""Batches: submitted once whoever is killed when, collected whole, at half the price."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.banks import make_item
from support.batch_server import BatchServer, batch_server, foreign, parameters_of
from support.forked import Starter
from support.tiers import few, slow

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.items import write_bank

ITEMS = 30
KINDS = ["openai", "anthropic", "google"]
ONE_FORMAT = pytest.mark.parametrize("path", few(KINDS, 1), indirect=True)
"""For what does not depend on the vendor's format; the first of them stays quick."""


@pytest.fixture
def server() -> Iterator[BatchServer]:
    with batch_server() as running:
        running.reply = lambda text: f"COUNT:{text.split()[1]}"
        yield running


@pytest.fixture(params=KINDS)
def path(request: pytest.FixtureRequest, tmp_path: Path, server: BatchServer) -> Path:
    """A campaign of 60 answers in batches of 25; an answer costs 3.5."""
    return declared(tmp_path, server, request.param)


def declared(
    folder: Path,
    server: BatchServer,
    kind: str,
    more: str = "",
    poll: float = 0.05,
    failing: int = -1,
    expiring: int = -1,
    lab: str = "batch_search = 3",
    size: int = 25,
) -> Path:
    items = []
    for n in range(ITEMS):
        fate = " and it fails" if n == failing else " and it expires" if n == expiring else ""
        content = (f"Say {n}{fate}",)
        items.append(make_item(f"i{n:03d}", content=content, target=n))
    write_bank(items, folder / "b.parquet")
    path = folder / "c.toml"
    url = server.url.replace("/v1", "/v1beta") if kind == "google" else server.url
    path.write_text(
        f'{more}\n[[banks]]\npath = "b.parquet"\n[servers.lab]\nbase_url = "{url}"\n'
        f'batch = "{kind}"\nbatch_size = {size}\npoll = {poll}\nattempts = 2\n'
        f"first_wait = 0.05\n{lab}\n"
        '[[models]]\nspec = "openai:m"\nserver = "lab"\nprice = {input = 0, output = 1e6}\n'
        "[conditions]\nmax_tokens = 10\ntemperature = [0, 1]\n",
        encoding="utf-8",
    )
    return path


def answers_are_right(path: Path) -> bool:
    """Whether each of the 60 questions has the answer to itself."""
    items = {
        i.provenance.content_hash: f"COUNT:{i.target}"
        for i in gf.open_bank(path.parent / "b.parquet")
    }
    with gf.open_journal(path.parent / "c.db") as journal:
        rows = journal.responses()
    assert set(rows["answered_by"]) == {"m-2026-08-06"}
    said = zip(rows["item_hash"], rows["text"], strict=True)
    return len(rows) == 2 * ITEMS and all(items[item] == text for item, text in said)


@pytest.mark.slow
def test_every_question_is_submitted_once_and_answered_at_half_the_price(
    path: Path, server: BatchServer
) -> None:
    assert gf.campaign.plan(path).facts["cost"] == 2 * ITEMS * 10 / 2
    done = gf.campaign.run(path)
    assert (done.code, done.facts["spent"]) == (0, 2 * ITEMS * 7 / 2)
    assert server.submitted == 3
    assert set(Counter(server.texts()).values()) == {2}
    assert answers_are_right(path)
    assert gf.campaign.run(path).code == 0
    assert server.submitted == 3
    # Both conditions take turns in every batch.
    kinds = [Counter(str(parameters_of(r)["temperature"]) for r in batch)
             for batch in server.requests.values()]  # fmt: skip
    assert all(abs(kind["0"] - kind["1"]) <= 1 for kind in kinds)


@pytest.mark.thorough
def test_a_model_of_the_responses_api_is_asked_there_in_batches_too(
    tmp_path: Path, server: BatchServer
) -> None:
    path = declared(tmp_path, server, "openai")
    path.write_text(path.read_text("utf-8").replace("openai:m", "openai:m?api=responses"), "utf-8")
    server.failing_after, server.refused = 1, ("temperature",)
    done = gf.campaign.run(path)
    assert (done.code, done.facts["failed"], server.charged()) == (0, 0, 2 * ITEMS * 7)
    bodies = [request["body"] for batch in server.requests.values() for request in batch]
    assert all(body["max_output_tokens"] == 10 and "messages" not in body for body in bodies)
    assert answers_are_right(path)


def wait_for(server: BatchServer, submitted: int) -> None:
    deadline = time.monotonic() + 60
    while server.submitted < submitted and time.monotonic() < deadline:
        time.sleep(0.01)


@ONE_FORMAT
def test_of_a_killed_process_batches_are_collected_by_the_next(
    path: Path, server: BatchServer, processes: Starter
) -> None:
    server.looks = 10**6
    log = path.parent / "log.txt"
    victim = processes.start(log, "campaign", "run", path)
    wait_for(server, 2)
    os.kill(victim, signal.SIGKILL)
    assert processes.wait(victim) == -signal.SIGKILL
    server.looks = 0
    both = [processes.start(log, "campaign", "run", path) for _ in range(2)]
    assert [processes.wait(number) for number in both] == [0, 0], log.read_text()
    assert set(Counter(server.texts()).values()) == {2}
    assert server.submitted == 3
    assert answers_are_right(path)


def paid_once(server: BatchServer) -> bool:
    """Whether each of the 60 questions was paid for once."""
    return len(server.paid()) == 2 * ITEMS and set(server.paid().values()) == {1}


def test_a_batch_that_was_created_before_the_connection_broke_is_found_at_once(
    path: Path, server: BatchServer
) -> None:
    server.cut_after_submitting = True
    assert gf.campaign.run(path).code == 0
    assert server.submitted == 3
    assert paid_once(server)
    assert answers_are_right(path)


@pytest.mark.thorough
@ONE_FORMAT
def test_a_504_after_the_creation_of_a_batch_leads_to_no_second_batch(
    path: Path, server: BatchServer
) -> None:
    server.failing_after = 2
    assert gf.campaign.run(path).code == 0
    assert (server.submitted, server.charged()) == (3, 2 * ITEMS * 7)
    assert paid_once(server)
    assert answers_are_right(path)


@pytest.mark.thorough
@ONE_FORMAT
def test_a_503_before_the_creation_of_a_batch_costs_a_search_and_nothing_else(
    path: Path, server: BatchServer
) -> None:
    server.failing_before = 1
    assert gf.campaign.run(searching(path, 0.2)).code == 0
    assert server.submitted == 4
    assert paid_once(server)


def searching(path: Path, seconds: float) -> Path:
    """The campaign with another bound of the search for a batch."""
    text = path.read_text("utf-8").replace("batch_search = 3\n", f"batch_search = {seconds}\n")
    path.write_text(text, "utf-8")
    return path


@pytest.mark.thorough
@pytest.mark.parametrize("kind", few(KINDS, 1))
def test_a_batch_that_shows_up_late_is_waited_for(
    tmp_path: Path, server: BatchServer, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    server.failing_after, server.out_of_sight = 1, 12
    path = declared(tmp_path, server, kind, poll=0.01, lab="batch_search = 20")
    assert gf.campaign.run(path).code == 0
    assert server.submitted == 3
    assert paid_once(server)
    assert answers_are_right(path)
    told = capsys.readouterr().err
    assert "25 questions may have been submitted" in told
    assert "not sent again before" in told


@pytest.mark.thorough
@pytest.mark.parametrize("kind", few(KINDS, 1))
def test_questions_of_a_batch_that_does_not_show_up_stay_unsent_in_this_run(
    tmp_path: Path, server: BatchServer, kind: str
) -> None:
    server.failing_after, server.out_of_sight = 1, 10**6
    path = declared(tmp_path, server, kind, poll=0.01, lab="batch_search = 0.3")
    stopped = gf.campaign.run(path)
    assert (stopped.code, stopped.facts["done"], server.submitted) == (4, 35, 3)
    assert "25 questions may have been submitted" in stopped.stopped["openai:m"]
    assert "left unsent in this run" in stopped.stopped["openai:m"]
    for batch in server.batches.values():
        batch["hidden"] = 0
    assert gf.campaign.run(path).code == 0
    assert server.submitted == 3
    assert paid_once(server)
    assert answers_are_right(path)


@pytest.mark.thorough
def test_what_the_next_run_does_not_find_either_is_asked_then(
    tmp_path: Path, server: BatchServer, processes: Starter
) -> None:
    path, victims = declared(tmp_path, server, "openai", lab="batch_search = 0.5"), []
    server.hooks["upload"] = lambda: os.kill(victims[0], signal.SIGKILL)
    victims.append(processes.start(tmp_path / "log.txt", "campaign", "run", path))
    assert processes.wait(victims[0]) == -signal.SIGKILL
    assert gf.campaign.run(path).code == 0
    assert paid_once(server)


def test_a_file_that_cannot_be_uploaded_leaves_no_batch_to_look_for(
    tmp_path: Path, server: BatchServer
) -> None:
    path = declared(tmp_path, server, "openai", lab="batch_search = 3600")
    server.failing_upload = 2
    stopped = gf.campaign.run(path)
    assert stopped.code == 4
    assert "no storage" in stopped.stopped["openai:m"]
    assert (
        "nothing of it was submitted; check the address, the model's name, the key"
        in (stopped.stopped["openai:m"])
    )
    assert "to collect it" not in stopped.stopped["openai:m"]
    assert gf.campaign.run(path).code == 0
    assert paid_once(server)


@ONE_FORMAT
def test_a_server_that_takes_no_batch_is_given_up(path: Path, server: BatchServer) -> None:
    server.failing_before = 10**6
    stopped = gf.campaign.run(path)
    assert stopped.code == 4
    assert "HTTP 503: try later" in stopped.stopped["openai:m"]
    assert "run the same command again to collect it" in stopped.stopped["openai:m"]
    assert server.submitted == 5
    assert not server.paid()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("path", "moment"),
    # Only the first format has a file to upload.
    [("openai", "results"), ("anthropic", "created"),
     # As a batch that the next run does not find, above, and as another user's batch, below.
     *(pytest.param("openai", moment, marks=slow) for moment in ("upload", "created")),
     *(pytest.param(*case, marks=slow) for case in
       (("google", "created"), ("anthropic", "results"), ("google", "results")))],
    indirect=["path"],
)  # fmt: skip
def test_a_process_killed_at_the_worst_moment_pays_for_nothing_twice(
    path: Path, server: BatchServer, processes: Starter, moment: str
) -> None:
    log, victims = path.parent / "log.txt", []
    server.hooks[moment] = lambda: os.kill(victims[0], signal.SIGKILL)
    victims.append(processes.start(log, "campaign", "run", path))
    assert processes.wait(victims[0]) == -signal.SIGKILL
    assert gf.campaign.run(path).code == 0
    assert paid_once(server)
    assert answers_are_right(path)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("kind", "names_limit"),
    [("openai", True), ("anthropic", False), ("google", True),
     *(pytest.param(kind, kind == "anthropic", marks=slow) for kind in KINDS)],
)  # fmt: skip
def test_batches_wait_for_room_in_the_vendors_queue(
    tmp_path: Path, server: BatchServer, kind: str, names_limit: bool
) -> None:
    server.queue, server.names_limit = 25, names_limit
    path = declared(tmp_path, server, kind, size=10)
    done = gf.campaign.run(path)
    assert (done.code, done.facts["failed"]) == (0, 0)
    assert paid_once(server)
    assert answers_are_right(path)
    # Two batches fit; that a third does not has to be learned, but not again for each.
    assert server.refusals <= 3


@pytest.mark.thorough
@pytest.mark.parametrize("kind", few(KINDS, 1))
def test_batches_that_are_larger_than_the_queue_get_smaller(
    tmp_path: Path, server: BatchServer, kind: str
) -> None:
    server.queue, server.names_limit = 12, False
    path = declared(tmp_path, server, kind)
    assert gf.campaign.run(path).code == 0
    assert paid_once(server)
    assert max(len(server.requests[name]) for name, batch in server.batches.items()
               if not batch.get("refused")) <= 12  # fmt: skip


@pytest.mark.thorough
def test_a_declared_limit_of_the_queue_is_never_tried(tmp_path: Path, server: BatchServer) -> None:
    path = declared(tmp_path, server, "openai", lab="batch_tokens = 200", size=10)
    server.queue = 25  # Each question is about 8 tokens: two batches of ten fit into 200.
    assert gf.campaign.run(path).code == 0
    assert server.refusals == 0
    assert paid_once(server)


@pytest.mark.parametrize("kind", few(["anthropic", "google"], 1))
def test_while_the_queue_is_full_of_others_batches_it_is_said_and_tried_again(
    tmp_path: Path, server: BatchServer, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = declared(tmp_path, server, kind)
    server.queue = 1000
    theirs = foreign(server, "anthropic", 1000)
    server.hooks["refused"] = lambda: server.batches[theirs].update(ended=True)
    assert gf.campaign.run(path).code == 0
    assert "takes no batch at the moment" in capsys.readouterr().err
    assert server.refusals == 1
    assert paid_once(server)


@pytest.mark.thorough
def test_a_parameter_that_the_model_refuses_is_left_out_of_one_new_batch(
    path: Path, server: BatchServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.refused = ("temperature",)
    done = gf.campaign.run(path)
    assert (done.code, done.facts["done"], done.facts["failed"]) == (0, 2 * ITEMS, 0)
    # Three batches were on their way; their questions fit into three batches again.
    assert server.submitted <= 6
    assert server.charged() == 2 * ITEMS * 7
    with gf.open_journal(path.parent / "c.db") as journal:
        assert journal.failures().empty
        assert set(journal.responses()["detail"]) == {
            "asked without temperature, which the model refuses"
        }
    said = capsys.readouterr().err
    assert "openai:m: temperature was left out of requests: the server said" in said
    (note, _) = gf.score(path.parent / "c.db").diagnostics
    assert note.code == "parameter_left_out"
    assert f"{ITEMS} of {ITEMS} answers were given without temperature" in note.sentence


@ONE_FORMAT
def test_a_campaign_says_that_another_model_answered(
    path: Path, server: BatchServer, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text(path.read_text("utf-8").replace("openai:m", "openai:other"), "utf-8")
    gf.campaign.run(path)
    said = capsys.readouterr().err
    assert "other was asked, but the server reports that another model answered: m-2026" in said


@pytest.mark.parametrize("kind", KINDS)
def test_every_failure_is_stored_with_the_vendors_reason(
    tmp_path: Path, server: BatchServer, kind: str
) -> None:
    path = declared(tmp_path, server, kind, failing=4, expiring=9)
    done = gf.campaign.run(path)
    assert (done.code, done.facts["done"], done.facts["failed"]) == (1, 56, 4)
    with gf.open_journal(tmp_path / "c.db") as journal:
        details = Counter(journal.failures()["detail"])
    reasons = {
        "openai": "batch_expired: This request could not be executed.",
        "anthropic": "the request expired: the batch had not come to it within 24 hours",
        "google": "the deadline of the batch has passed",
    }
    assert details == {reasons[kind]: 2, "HTTP 400: no such picture": 2}


@pytest.mark.thorough
def test_a_batch_that_failed_as_a_whole_says_why(tmp_path: Path, server: BatchServer) -> None:
    path = declared(tmp_path, server, "openai")
    server.invalid = "Model m does not support the batch API"
    done = gf.campaign.run(path)
    assert (done.code, done.facts["failed"]) == (1, 60)
    with gf.open_journal(tmp_path / "c.db") as journal:
        assert set(journal.failures()["detail"]) == {
            "no result: the batch is failed: model_not_supported: Model m does not support the "
            "batch API (line 1 of the file)"
        }
    assert server.charged() == 0


@pytest.mark.parametrize("path", few(KINDS, 1), indirect=True)
def test_another_users_batch_is_not_waited_for(
    path: Path, server: BatchServer, processes: Starter
) -> None:
    kind = "anthropic" if "anthropic" in path.read_text("utf-8") else "openai"
    log, victims = path.parent / "log.txt", []
    server.hooks["created"] = lambda: os.kill(victims[0], signal.SIGKILL)
    victims.append(processes.start(log, "campaign", "run", path))
    assert processes.wait(victims[0]) == -signal.SIGKILL
    foreign(server, kind, 24)
    foreign(server, kind, 25, ended=True)
    assert gf.campaign.run(path).code == 0
    assert paid_once(server)
    assert answers_are_right(path)


def test_a_batch_that_may_be_ours_is_waited_for_with_a_bound_and_a_sentence(
    tmp_path: Path, server: BatchServer, capsys: pytest.CaptureFixture[str]
) -> None:
    # Anthropic shows what a batch holds when it has ended; one of the same size and time may be it.
    path = declared(tmp_path, server, "anthropic", lab="batch_search = 0.3")
    server.failing_before = 1
    theirs = foreign(server, "anthropic", 25)
    stopped = gf.campaign.run(path)
    assert stopped.code == 4
    assert stopped.facts["done"] == 35
    assert theirs in stopped.stopped["openai:m"]
    assert "run the same command again when that batch has ended" in stopped.stopped["openai:m"]
    assert "25 questions may have been submitted" in capsys.readouterr().err
    url = f"{server.url}/messages/batches/{theirs}/results"
    server.batches[theirs] |= {"processing_status": "ended", "results_url": url, "ended": True}
    assert gf.campaign.run(path).code == 0
    assert paid_once(server)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_request_that_fails_costs_no_other_and_is_submitted_again(
    tmp_path: Path, server: BatchServer, kind: str
) -> None:
    path = declared(tmp_path, server, kind, failing=4)
    done = gf.campaign.run(path)
    assert (done.code, done.facts["done"], done.facts["failed"]) == (1, 58, 2)
    with gf.open_journal(tmp_path / "c.db") as journal:
        assert journal.failures()["detail"].str.contains("no such picture").all()
    assert server.submitted == 3
    assert gf.campaign.run(path).code == 1
    assert server.submitted == 4
    assert len(server.texts()) == 62


@pytest.mark.thorough
def test_a_budget_holds_for_batches_which_get_smaller(tmp_path: Path, server: BatchServer) -> None:
    budget = 40 * 10 / 2
    path = declared(tmp_path, server, "openai", f"[campaign]\nbudget = {budget}")
    done = gf.campaign.run(path)
    assert done.code == 3
    assert server.charged() / 2 <= budget
    assert server.charged() / 2 == done.facts["spent"] > budget - 10
    assert max(len(batch) for batch in server.requests.values()) == 25
    said = done.stopped["openai:m"]
    assert "budget of 200 in all" in said
    assert "would be exceeded by the next question, which may cost 5 in a batch" in said


@ONE_FORMAT
def test_an_interrupted_run_says_that_its_batches_go_on(
    path: Path, server: BatchServer, processes: Starter
) -> None:
    server.looks = 10**6
    log = path.parent / "log.txt"
    process = processes.start(log, "campaign", "run", path)
    wait_for(server, 3)
    os.kill(process, signal.SIGINT)
    processes.wait(process)
    said = log.read_text("utf-8")
    assert "openai:m: 60 questions in 3 batches were submitted; the vendor goes on" in said
    assert "run the same command again to collect the answers" in said


@pytest.mark.thorough
def test_all_reasons_of_failures_are_told_with_their_counts(
    tmp_path: Path, server: BatchServer, capsys: pytest.CaptureFixture[str]
) -> None:
    path = declared(tmp_path, server, "openai", failing=4, expiring=9)
    gf.campaign.run(path)
    said = capsys.readouterr().err
    assert "openai:m: 4 failed attempts: " in said
    assert said.count(" (2)") >= 2
    notes = [one for one in gf.score(tmp_path / "c.db").diagnostics if one.code == "failed_answers"]
    # Two conditions, each with one question of either kind.
    assert [sum(note.values.values()) for note in notes] == [2, 2]
    assert all("no such picture (1)" in note.sentence for note in notes)


def test_what_a_batch_cannot_be_is_said(tmp_path: Path, server: BatchServer) -> None:
    with pytest.raises(ParameterError, match="of the format openai or anthropic or google"):
        gf.campaign.plan(declared(tmp_path, server, "mistral"))


@pytest.mark.slow
def test_a_line_separator_in_an_answer_ends_no_line_of_the_results(
    path: Path, server: BatchServer
) -> None:
    server.reply = lambda text: f"One.\u2028Two.\x85\nCOUNT:{text.split()[1]}"
    assert gf.campaign.run(path).code == 0
    with gf.open_journal(path.parent / "c.db") as journal:
        rows = journal.responses()
    assert len(rows) == 2 * ITEMS
    assert all(text.startswith("One.\u2028Two.\x85\n") for text in rows["text"])
