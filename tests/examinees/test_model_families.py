"""Combinations that vendors refuse are errors before the first request; the rest is learned."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest
from support.banks import make_item
from support.profiles import calibrations
from support.vendor_server import candidate, message, mistake, said, vendor_server

import gfactor as gf
from gfactor.administration import Journal, read_condition
from gfactor.administration.adaptive import run_adaptively
from gfactor.errors import ParameterError
from gfactor.examinees import RenderedItem, make_examinee
from gfactor.examinees.http import Endpoint
from gfactor.examinees.http.families import VARIABLE, check_parameters, shipped_families
from gfactor.items import write_bank
from gfactor.psychometrics.irt.scales.calibration_files import write_calibrations

REFUSED = [
    ("anthropic:claude-sonnet-4-5", "temperature=0.5,top_p=0.9", "temperature and top_p together"),
    ("anthropic:claude-opus-4-5-20251101", "temperature=1.5", "temperature=1.5 is out of range"),
    ("anthropic:claude-sonnet-4-5?thinking=2048", "top_p=0.9", "write a value from 0.95 to 1"),
    ("anthropic:claude-sonnet-4-5?thinking=2048", "top_k=5", "takes no top_k when it thinks"),
    ("anthropic:claude-3-5-haiku-20241022", "reasoning_effort=low", "take reasoning_effort=low"),
    ("anthropic:claude-sonnet-4-5?thinking=adaptive", "", "write thinking=off or a budget"),
    ("anthropic:claude-3-haiku-20240307?thinking=2048", "", "leave thinking out"),
    ("anthropic:claude-opus-4-7?thinking=2048", "", "write thinking=adaptive"),
    ("anthropic:claude-opus-4-7", "temperature=0", "takes no temperature; leave it out"),
    ("google:gemini-2.5-pro?thinking=0", "", "does not take thinking=0"),
    ("google:gemini-2.5-flash-lite?thinking=100", "", "write a value from 512 to 24576"),
    ("google:gemini-2.0-flash?thinking=1024", "", "leave thinking out"),
    ("google:gemini-2.5-flash", "seed=2147483648", "write a value from -2147483648 to 2147483647"),
    ("google:gemini-2.5-flash", "temperature=2.1", "write a value from 0 to 2"),
    ("google:gemini-3-pro-preview?thinking=medium", "", "budget in tokens or dynamic or low"),
]

ACCEPTED = [
    ("anthropic:claude-sonnet-4-5", "temperature=1"),
    ("anthropic:claude-sonnet-4-5?thinking=2048", "top_p=0.95"),
    ("anthropic:claude-opus-4-1-20250805?thinking=off", "top_p=0.5"),
    ("anthropic:claude-sonnet-4-20250514", "temperature=1,top_p=0.9"),
    ("anthropic:claude-of-the-future", "temperature=0.5,top_p=0.9"),
    ("google:gemini-2.5-flash?thinking=0", "seed=2147483647,temperature=2"),
    ("google:gemini-2.5-flash-lite?thinking=512", ""),
]


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    path = tmp_path / "b.parquet"
    write_bank([make_item(f"i{n}", content=(f"Question {n}",)) for n in range(3)], path)
    return path


@pytest.mark.parametrize(("who", "condition", "words"), REFUSED)
def test_a_combination_that_is_known_to_be_refused_is_never_sent(
    bank: Path, who: str, condition: str, words: str
) -> None:
    with vendor_server(lambda number, body: (200, message(said("x")))) as server:
        path = bank.parent / "c.db"
        with pytest.raises(ParameterError, match=words) as caught:
            gf.run(gf.open_bank(bank), [who], journal=path, condition=condition or "default",
                   base_url=server.url)  # fmt: skip
    assert who.partition(":")[2].partition("?")[0] in str(caught.value)
    assert not server.bodies
    assert not path.exists() or gf.open_journal(path).meta()["campaigns"] == []


@pytest.mark.thorough
@pytest.mark.parametrize(("who", "condition"), ACCEPTED)
def test_what_a_model_takes_or_is_not_known_for_is_sent(
    bank: Path, who: str, condition: str
) -> None:
    reply = candidate(said("x")) if who.startswith("google") else message(said("x"))
    with vendor_server(lambda number, body: (200, reply)) as server:
        gf.run(gf.open_bank(bank), [who], journal=bank.parent / "c.db",
               condition=condition or "default", base_url=server.url)  # fmt: skip
    assert len(server.bodies) == 3


def test_openais_families_count_at_openais_own_address_alone() -> None:
    with pytest.raises(ParameterError, match="o3 takes no temperature"):
        check_parameters("openai", "o3", {"temperature": 0})
    check_parameters("openai", "o3", {"temperature": 0}, at_vendor=False)
    check_parameters("openai", "gpt-4o", {"temperature": 0})
    with pytest.raises(ParameterError, match="gpt-4o does not take reasoning_effort=low"):
        check_parameters("openai", "gpt-4o", {"reasoning_effort": "low"})


def test_a_file_of_the_user_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "models.toml"
    monkeypatch.setenv(VARIABLE, str(path))
    path.write_text(
        '[[family]]\nvendor = "anthropic"\nmodels = "claude-sonnet-4-5"\nsource = "us"\n'
        'date = "2026-11"\nrefused = ["seed"]\n'
    )
    check_parameters("anthropic", "claude-sonnet-4-5", {"temperature": 0, "top_p": 0.5})
    with pytest.raises(ParameterError, match=r"takes no seed; .* \(us, 2026-11; "):
        check_parameters("anthropic", "claude-sonnet-4-5", {"seed": 1}, at_vendor=False)
    with pytest.raises(ParameterError, match="temperature and top_p together"):
        check_parameters("anthropic", "claude-haiku-4-5", {"temperature": 0, "top_p": 0.5})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[[family]]\nvendor = "google"\n', "family 1 lacks 'models'"),
        ('[[family]]\nvendr = "google"\n', "has no key 'vendr'"),
        ("[[family\n", "cannot be read"),
        ('[[family]]\nvendor="a"\nmodels="("\nsource="s"\ndate="d"\n', "family 1 cannot be read"),
        ('[[family]]\nvendor="a"\nmodels="m"\nsource="s"\ndate="d"\nthinking=["much"]\n',
         "'much' is no kind of thinking; choose from off"),
    ],
)  # fmt: skip
def test_a_file_with_a_mistake_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    (tmp_path / "models.toml").write_text(text)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "models.toml"))
    with pytest.raises(ParameterError, match=words):
        check_parameters("a", "m", {})


def test_every_family_has_a_source_and_a_date() -> None:
    families = shipped_families()
    assert {family.vendor for family in families} == {"openai", "anthropic", "google"}
    assert all(f.source.startswith("https://") and f.date[:2] == "20" for f in families)


def test_what_is_not_known_is_learned_and_told_in_the_servers_words() -> None:
    refusal = "`temperature` and `top_p` cannot both be specified for this model."
    error = mistake("invalid_request_error", refusal)

    async def asked(url: str) -> tuple[str, ...]:
        endpoint = Endpoint("", base_url=url)
        examinee = make_examinee("anthropic:claude-of-the-future", endpoint=endpoint)
        decoding = {"temperature": 0.5, "top_p": 0.9}
        try:
            await examinee(RenderedItem("i", "b", "t", ("x",), decoding=decoding))
            return getattr(examinee, "notes", ())
        finally:
            await examinee.close()

    def answer(number: int, body: dict[str, object]) -> tuple[int, object]:
        return (400, error) if {"temperature", "top_p"} <= set(body) else (200, message(said("x")))

    with vendor_server(answer) as server:
        notes = asyncio.run(asked(server.url))
    assert notes == (f'temperature was left out of requests: the server said "{refusal}"',)


def test_of_several_models_none_is_asked_if_one_is_known_to_refuse(bank: Path) -> None:
    with vendor_server(lambda number, body: (200, message(said("x")))) as server:
        who = ["anthropic:claude-opus-4-5", "anthropic:claude-opus-4-7"]
        with pytest.raises(ParameterError, match="claude-opus-4-7 takes no temperature"):
            gf.run(gf.open_bank(bank), who, journal=bank.parent / "c.db",
                   condition="temperature=0", base_url=server.url)  # fmt: skip
    assert not server.bodies


def test_a_campaign_asks_nobody_if_a_model_is_known_to_refuse(bank: Path) -> None:
    with vendor_server(lambda number, body: (200, message(said("x")))) as server:
        (bank.parent / "c.toml").write_text(
            f'[[banks]]\npath = "b.parquet"\n[servers.lab]\nbase_url = "{server.url}"\n'
            '[[models]]\nspec = "anthropic:claude-opus-4-5"\nserver = "lab"\n'
            '[[models]]\nspec = "anthropic:claude-opus-4-7"\nserver = "lab"\n'
            "[conditions]\ntemperature = [0]\n"
        )
        with pytest.raises(ParameterError, match="claude-opus-4-7 takes no temperature"):
            gf.campaign.run(bank.parent / "c.toml")
    assert not server.bodies


def test_a_profile_asks_nothing_that_the_model_is_known_to_refuse(tmp_path: Path) -> None:
    known = write_calibrations(calibrations(("running_span",), real=False), tmp_path / "known")
    with vendor_server(lambda number, body: (200, message(said("x")))) as server:
        with pytest.raises(ParameterError, match="claude-opus-4-7 takes no temperature"):
            gf.profile("anthropic:claude-opus-4-7", calibration=known, condition="temperature=0",
                       journal=tmp_path / "p.db", base_url=server.url)  # fmt: skip
        assert not server.bodies
    assert not (tmp_path / "p.db").exists()


def test_an_adaptive_administration_checks_the_parameters_itself(tmp_path: Path) -> None:
    examinee = make_examinee(
        "anthropic:claude-opus-4-7", endpoint=Endpoint("m", "http://127.0.0.1:9")
    )
    condition, nothing = read_condition("temperature=0"), cast(Any, None)
    with (
        Journal.open(tmp_path / "c.db") as journal,
        pytest.raises(ParameterError, match="takes no temperature"),
    ):
        run_adaptively(nothing, examinee, journal, nothing, nothing, {}, condition)
