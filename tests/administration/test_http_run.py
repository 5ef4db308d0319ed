"""`gfactor run` against a real server: the observer behind it is measured exactly through HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from aiohttp import web
from support.banks import make_items
from support.chat_server import Body, chat_server, completion, pictures, texts
from support.cli import Ran, run_cli
from support.exam import question

import gfactor as gf
from gfactor.administration import Journal
from gfactor.api.asking.run_reports import RunForecast
from gfactor.benchmarks import build
from gfactor.examinees.http.tokens import image_tokens, text_tokens
from gfactor.examinees.observer.limited import Limited
from gfactor.examinees.observer.observer import observe
from gfactor.items import ItemBank, write_bank

Run = Callable[..., Ran]

PERSON = Limited(acuity=0.2, capacity=2.0, seed=5)
SPEC = "observer:limited?acuity=0.2&capacity=2&seed=5"
DOMAINS = ["counting_circles", "change_colour", "list_shapes", "sort_circles"]
PRICES = '["m"]\ninput = 10.0\noutput = 30.0\n'


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *words: run_cli(monkeypatch, capsys, *map(str, words))


@pytest.fixture(scope="module")
def percept_v(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bank") / "percept_v.parquet"
    build("percept-v", path, seed=3, domains=DOMAINS, sizes=[2, 9], instances=3)
    return path


@pytest.fixture(scope="module")
def person(percept_v: Path) -> Callable[[Body], str]:
    """The observer as a server: it finds the domain by the words of the prompt."""
    prompts = {item.text: str(item.labels["domain"]) for item in ItemBank.open(percept_v)}

    def answer(body: Body) -> str:
        said = "\n".join(texts(body))
        (domain,) = {name for prompt, name in prompts.items() if prompt in said}
        seen = tuple(np.ascontiguousarray(p) for p in pictures(body))
        return observe(domain, seen, PERSON(domain, seen))

    return answer


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return write_bank(make_items(), tmp_path / "toy.parquet")


def rows(journal: Path, examinee: str) -> dict[str, str]:
    with Journal.open(journal, create=False) as kept:
        table = kept.responses()
    own = table[table["examinee"].str.startswith(examinee)]
    found = dict(zip(own["item_hash"], own["text"], strict=True))
    assert len(found) == len(own)
    return found


@pytest.mark.slow
def test_an_observer_behind_a_server_gets_exactly_its_own_scores(
    run: Run, percept_v: Path, person: Callable[[Body], str], tmp_path: Path
) -> None:
    journal, scores = tmp_path / "c.db", tmp_path / "scores.csv"
    with chat_server(person) as server:
        who = ("--examinee", "openai:m", "--base-url", server.url, "--examinee", SPEC)
        assert run("run", percept_v, "--journal", journal, *who).code == 0
    assert server.served == len(ItemBank.open(percept_v)) == 24
    assert rows(journal, "openai:m") == rows(journal, "observer:")
    for by in ("domain", "item", "size", "skill"):
        assert run("matrix", journal, "--by", by, "-o", scores).code == 0
        matrix = pd.read_csv(scores, index_col=0)
        assert len(matrix) == 2
        assert matrix.iloc[0].equals(matrix.iloc[1])
        assert by == "skill" or 0 < matrix.to_numpy().mean() < 1


@pytest.mark.slow
def test_the_same_holds_when_the_server_fails_one_request_in_five(
    run: Run, percept_v: Path, person: Callable[[Body], str], tmp_path: Path
) -> None:
    async def fault(number: int, request: web.Request) -> web.StreamResponse | None:
        headers = {"Retry-After": "0"}
        return web.Response(status=503, headers=headers) if number % 5 == 0 else None

    journal = tmp_path / "c.db"
    with chat_server(person, fault) as server:
        who = ("--examinee", "openai:m", "--base-url", server.url, "--examinee", SPEC)
        assert run("run", percept_v, "--journal", journal, *who).code == 0
    assert server.served > 24
    assert rows(journal, "openai:m") == rows(journal, "observer:")


@pytest.mark.thorough
def test_conditions_are_kept_apart_in_one_journal(run: Run, toy: Path, tmp_path: Path) -> None:
    journal = tmp_path / "c.db"
    with chat_server() as server:
        who = ("--examinee", "openai:m", "--base-url", server.url, "--journal", journal)
        assert run("run", toy, *who).code == 0
        assert run("run", toy, *who, "--condition", "images=removed,temperature=0").code == 0
        assert run("run", toy, *who, "--condition", "temperature=0.0,images=removed").code == 0
    assert server.served == 24
    assert [len(pictures(body)) for body in server.bodies] == [1] * 12 + [0] * 12
    assert [body.get("temperature") for body in server.bodies] == [None] * 12 + [0] * 12
    with Journal.open(journal) as kept:
        keys = kept.responses()["condition"].value_counts().to_dict()
    assert keys == {"default": 12, "images=removed,temperature=0": 12}
    assert run("score", journal, "--condition", "images=removed,temperature=0").code == 0


def test_permuted_options_are_scored_by_the_items_own_letters(run: Run, tmp_path: Path) -> None:
    bank = write_bank([question(f"q{k}") for k in range(12)], tmp_path / "b.parquet")
    journal = tmp_path / "c.db"

    def find_the_dog(body: Body) -> str:
        (letter,) = re.findall(r"(?m)^([A-D])\. dog$", "\n".join(texts(body)))
        return letter

    with chat_server(find_the_dog) as server:
        who = ("--examinee", "openai:m", "--base-url", server.url, "--journal", journal)
        assert run("run", bank, *who, "--condition", "options_seed=4").code == 0
    assert len(set(rows(journal, "openai:m").values())) > 1
    assert json.loads(run("score", journal, "--json").out)["results"][0]["accuracy"] == 1.0


def test_a_dry_run_asks_nothing_and_foretells_what_the_run_costs(
    run: Run, toy: Path, tmp_path: Path
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES)
    with chat_server() as server:
        who = ("--examinee", "openai:m", "--base-url", server.url, "--journal", tmp_path / "c.db",
               "--prices", prices, "--condition", "max_tokens=10")  # fmt: skip
        told = run("run", toy, *who, "--dry-run", "--occasions", 2, "--json")
        (one,) = json.loads(told.out)["examinees"]
        assert server.served == 0
        assert not (tmp_path / "c.db").exists()
        assert (one["items"], one["requests"], one["output_tokens"]) == (12, 24, 240)
        assert one["cost"] == pytest.approx((one["input_tokens"] * 10 + 240 * 30) / 1e6)
        spent = json.loads(run("run", toy, *who, "--json").out)["spent"]
        assert spent == pytest.approx(12 * (11 * 10 + 7 * 30) / 1e6)
        left = run("run", toy, *who, "--dry-run", "--occasions", 2)
    assert "12 items in 12 questions" in left.out
    assert "nothing was asked" in left.out


def test_a_forecast_in_python_is_the_report_of_a_journal_that_is_not_made(
    toy: Path, tmp_path: Path
) -> None:
    path = tmp_path / "c.db"
    who = gf.run(toy, "baseline:constant", journal=path, dry_run=True)
    assert isinstance(who.report, RunForecast)
    assert who.report.estimates["baseline:constant"].items == 12
    assert "nothing was asked" in who.summary()
    assert who.size() == (0, 0, 0)
    assert not path.exists()
    gf.run(toy, "baseline:constant", journal=path).close()
    left = gf.run(toy, "baseline:constant", journal=path, dry_run=True)
    assert left.report is not None
    assert (left.report.to_dict()["examinees"][0]["items"], left.size()[0]) == (0, 12)


def test_a_dry_run_foretells_what_descriptions_cost(run: Run, toy: Path, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES)
    images = {image.sha256 for item in ItemBank.open(toy) for image in item.images}
    who = ("--examinee", "openai:m", "--journal", tmp_path / "c.db", "--captions-by", "openai:m",
           "--prices", prices, "--condition", "images=captioned", "--dry-run")  # fmt: skip
    (one,) = json.loads(run("run", toy, *who, "--json").out)["examinees"]
    written = 300 * len(images)
    assert one["descriptions"] == len(images)
    assert one["description_output_tokens"] == written
    read = one["description_input_tokens"]
    # A picture of a few pixels is one patch; the sentence that asks is the rest.
    assert 20 * len(images) < read < 60 * len(images)
    assert one["description_cost"] == pytest.approx((read * 10 + written * 30) / 1e6)
    assert "for the descriptions about" in run("run", toy, *who).out


@pytest.mark.thorough
def test_a_dry_run_learns_from_the_journal_what_answers_and_questions_take(
    run: Run, tmp_path: Path
) -> None:
    bank = write_bank(make_items("abcd", sizes=5, instances=5), tmp_path / "b.parquet")
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES)

    def reply(body: Body) -> Body:
        # Twice the tokens that the rules foretell, and answers of 20 tokens.
        read = 2 * (4 + text_tokens(texts(body)[0]) + image_tokens(8, 6))
        return {**completion("COUNT:1"), "usage": {"prompt_tokens": read, "completion_tokens": 20}}

    with chat_server(reply) as server:
        who = ("--examinee", "openai:m", "--base-url", server.url, "--journal", tmp_path / "c.db",
               "--prices", prices, "--json")  # fmt: skip
        (before,) = json.loads(run("run", bank, *who, "--dry-run").out)["examinees"]
        first = json.loads(run("run", bank, *who, "--sample", 1).out)
        (after,) = json.loads(run("run", bank, *who, "--dry-run").out)["examinees"]
        rest = json.loads(run("run", bank, *who).out)["spent"]
        longer = (*who, "--dry-run", "--condition", "max_tokens=500", "--occasions", 2)
        (other,) = json.loads(run("run", bank, *longer).out)["examinees"]
    assert (before["learned_from"], before["output_tokens"]) == (0, 100 * 60)
    assert (after["learned_from"], after["output_tokens"]) == (20, 80 * 20)
    assert after["cost"] == pytest.approx(rest, rel=0.01)
    assert first["spent"] == pytest.approx(rest / 4, rel=0.05)
    assert (other["output_tokens"], other["most_output_tokens"]) == (200 * 20, 200 * 500)
    assert other["most_cost"] > 10 * other["cost"]


def test_the_cap_stops_a_run_and_is_shared_by_its_examinees(
    run: Run, toy: Path, tmp_path: Path
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES + PRICES.replace("m", "n", 1))
    each = (11 * 10 + 7 * 30) / 1e6
    with chat_server() as server:
        stopped = run(
            "run", toy, "--examinee", "openai:m", "--examinee", "openai:n", "--base-url",
            server.url, "--journal", tmp_path / "c.db", "--prices", prices, "--max-cost",
            17 * each, "--max-in-flight", 1, "--condition", "max_tokens=10",
        )  # fmt: skip
    assert stopped.code == 3
    assert "spending cap" in stopped.err
    assert "(spent 0.00" in stopped.err
    models = [body["model"] for body in server.bodies]
    assert 12 < len(models) < 24
    assert models.count("m") == 12


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--base-url", "nowhere"], "is not an address"),
        (["--key-env", "NO_SUCH_KEY"], "environment variable NO_SUCH_KEY holds no key"),
        (["--key-env", "A", "--key-file", "f"], "not by both"),
        (["--max-cost", "1"], "--max-cost needs --prices FILE"),
        (["--max-cost", "nan"], "'nan' is no limit"),
        (["--deadline", "inf"], "'inf' is no limit"),
        (["--prices", "no.toml"], "cannot be read"),
        (["--condition", "imges=removed"], "did you mean 'images'?"),
    ],
)
def test_a_wrong_option_is_told_before_anything_is_asked(
    run: Run, toy: Path, tmp_path: Path, options: list[str], said: str
) -> None:
    told = run("run", toy, "--examinee", "openai:m", "--journal", tmp_path / "c.db", *options)
    assert told.code == 2
    assert said in told.err
    assert not (tmp_path / "c.db").exists()


def test_an_option_for_servers_needs_an_examinee_behind_one(
    run: Run, toy: Path, tmp_path: Path
) -> None:
    told = run("run", toy, "--examinee", "observer:ideal", "--journal", tmp_path / "c.db",
               "--rpm", 5)  # fmt: skip
    assert told.code == 2
    assert "--rpm is for models over HTTP" in told.err


@pytest.mark.thorough
def test_the_key_is_sent_and_nowhere_to_be_found(
    run: Run, toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "secret-12345")
    monkeypatch.setenv("OPENAI_API_KEY", "secret-67890")
    journal = tmp_path / "c.db"
    with chat_server() as server:
        who = ("--base-url", server.url, "--journal", journal)
        said = run("run", toy, "--examinee", "openai:m", *who, "--key-env", "MY_KEY")
        also = run("run", toy, "--examinee", "openai:other", *who)
    sent = [headers.get("Authorization") for headers in server.headers]
    assert sent == ["Bearer secret-12345"] * 12 + [None] * 12
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for secret in ("secret-12345", "secret-67890"):
        assert secret not in said.out + said.err + also.out + also.err
        assert secret.encode() not in files


@pytest.mark.thorough
def test_a_parameter_that_a_model_refuses_is_told_and_kept_beside_every_answer(
    run: Run, toy: Path, tmp_path: Path
) -> None:
    async def refuse(number: int, request: web.Request) -> web.StreamResponse | None:
        if "temperature" in await request.json():
            said = {"error": {"message": "Unsupported value: 'temperature'"}}
            return web.json_response(said, status=400)
        return None

    journal = tmp_path / "c.db"
    with chat_server(lambda body: "A", fault=refuse) as server:
        who = ("--examinee", "openai:m", "--base-url", server.url)
        ran = run("run", toy, "--journal", journal, *who, "--condition", "temperature=0")
    assert ran.code == 0
    assert "temperature was left out of requests: the server said" in ran.out
    with Journal.open(journal, create=False) as kept:
        details = set(kept.responses()["detail"])
    assert details == {"asked without temperature, which the model refuses"}


@pytest.mark.parametrize(
    ("spec", "each"),
    [
        ("anthropic:claude-sonnet-4-5", 60),
        ("anthropic:claude-sonnet-4-5?thinking=off", 60),
        ("anthropic:claude-sonnet-4-5?thinking=1024", 1084),
        ("anthropic:claude-sonnet-4-5?thinking=16000", 1500),
        ("anthropic:claude-sonnet-4-6?thinking=adaptive", 1500),
        ("google:gemini-2.5-flash", 1500),
        ("google:gemini-2.5-flash?thinking=0", 60),
        ("google:gemini-3-pro?thinking=low", 1500),
    ],
)
def test_a_dry_run_knows_who_thinks(run: Run, toy: Path, spec: str, each: int) -> None:
    told = run("run", toy, "--examinee", spec, "--journal", "c.db", "--dry-run", "--json")
    (row,) = json.loads(told.out)["examinees"]
    assert row["output_tokens"] == each * row["requests"] > 0
