"""Inspect's providers as examinees and our banks as its tasks; needs the extra `inspect`."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import Any

import pytest
from support.banks import make_items
from support.logs import PNG

from gfactor.administration import Journal, run
from gfactor.administration.imports import import_file
from gfactor.errors import ParameterError
from gfactor.examinees import RenderedItem, check_examinee, make_examinee
from gfactor.examinees.http.limits import RunStoppedError
from gfactor.examinees.inspect import InspectExaminee
from gfactor.examinees.inspect.provider import conversation
from gfactor.items import Image, ItemBank, write_bank
from gfactor.scoring import scored

pytest.importorskip("inspect_ai", reason="the extra gfactor[inspect] is missing")

# Inspect's libraries warn of their coming changes.
pytestmark = pytest.mark.filterwarnings("ignore")

ITEM = RenderedItem(
    "i", "toy", "a", ("Look:", Image(PNG, "i.png"), "How many?"), (("First.",),),
    {"temperature": 0.0, "max_tokens": 9},
)  # fmt: skip


def model(say: Any) -> Any:
    """Inspect's mock model; `say(messages, config)` gives the output."""
    from inspect_ai.model import (  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
        get_model,
    )

    return get_model(
        "mockllm/model",
        custom_outputs=lambda messages, tools, choice, config: say(messages, config),
        memoize=False,
    )


def said(text: str, stop: Any = "stop") -> Any:
    from inspect_ai.model import (  # noqa: PLC0415 # pyright: ignore[reportMissingImports]
        ModelOutput,
        ModelUsage,
    )

    made = ModelOutput.from_content("mockllm/model", text, stop_reason=stop)
    # Without usage, the mock model counts tokens with tables that it downloads.
    made.usage = ModelUsage(input_tokens=3, output_tokens=2, total_tokens=5)
    return made


def ask(examinee: InspectExaminee, item: RenderedItem = ITEM) -> Any:
    return asyncio.run(examinee(item))


def test_the_models_own_replies_stand_between_the_turns() -> None:
    item = RenderedItem("t", "b", "t", ("C",), (("A",), ("B",)), replies=("a", " "))
    messages = conversation(item)
    assert [(m.role, m.text) for m in messages] == [
        ("user", "A"), ("assistant", "a"), ("user", "B"), ("user", "C"),
    ]  # fmt: skip


def test_turns_images_and_parameters_reach_the_model_unchanged() -> None:
    seen: list[Any] = []

    def say(messages: Any, config: Any) -> Any:
        seen.append((messages, config))
        return said("COUNT:3")

    reply = ask(InspectExaminee("inspect:mockllm/model", model(say)))
    assert (reply.text, reply.outcome) == ("COUNT:3", "ok")
    assert reply.usage == {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
    ((messages, config),) = seen
    assert [m.role for m in messages] == ["user", "user"]
    assert messages[0].content == "First."
    assert [part.type for part in messages[1].content] == ["text", "image", "text"]
    from gfactor.examinees.http.encoding import data_url  # noqa: PLC0415

    assert messages[1].content[1].image == data_url(Image(PNG, "i.png"))
    assert (config.temperature, config.max_tokens) == (0.0, 9)


@pytest.mark.parametrize(
    ("stop", "outcome"),
    [("max_tokens", "truncated"), ("content_filter", "content_filter"), ("stop", "ok")],
)
def test_reasons_to_stop_become_outcomes(stop: str, outcome: str) -> None:
    examinee = InspectExaminee("inspect:mockllm/model", model(lambda m, c: said("COUNT:3", stop)))
    assert ask(examinee).outcome == outcome


@pytest.mark.parametrize(
    ("error", "outcome"),
    [(RuntimeError("boom"), "transport_error"), (TimeoutError(), "timeout")],
)
def test_what_a_provider_raises_is_a_failed_attempt(error: Exception, outcome: str) -> None:
    def say(messages: Any, config: Any) -> Any:
        raise error

    reply = ask(InspectExaminee("inspect:mockllm/model", model(say)))
    assert reply.outcome == outcome
    assert type(error).__name__ in reply.detail


def test_a_provider_that_fails_everything_stops_the_run() -> None:
    def say(messages: Any, config: Any) -> Any:
        raise RuntimeError("boom")

    examinee = InspectExaminee("inspect:mockllm/model", model(say))

    async def many() -> None:
        for _ in range(30):
            await examinee(ITEM)

    with pytest.raises(RunStoppedError, match="20 items in a row"):
        asyncio.run(many())


def test_a_parameter_that_inspect_lacks_is_one_sentence() -> None:
    item = RenderedItem("i", "toy", "a", ("?",), decoding={"min_p": 0.1})
    with pytest.raises(ParameterError, match="min_p"):
        ask(InspectExaminee("inspect:mockllm/model", model(lambda m, c: said("x"))), item)


def test_it_keeps_to_what_every_examinee_keeps_to() -> None:
    examinee = InspectExaminee("inspect:mockllm/model", model(lambda m, c: said("COUNT:3")))
    assert check_examinee(examinee) == []


def test_what_a_provider_lacks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ParameterError, match="openai"):
        make_examinee("inspect:openai/gpt-4o")


def bank_of(folder: Path) -> Path:
    return write_bank(make_items(instances=4), folder / "b.parquet", {"benchmark": "toy"})


def line_for(messages: Any) -> Any:
    """Replies of every kind, by the number of bytes of the picture that was shown."""
    shown = next(p.image for p in messages[-1].content if p.type == "image")
    kinds = [said("COUNT:1"), said("The answer is 2."), said("COUNT:0\nand", "max_tokens"),
             said("", "content_filter"), said("I cannot see it.")]  # fmt: skip
    return kinds[sum(shown.encode()) % len(kinds)]


def test_a_bank_as_a_task_gets_the_scores_of_gfactor_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from inspect_ai import eval as inspect_eval  # noqa: PLC0415 # pyright: ignore[reportMissingImports]

    monkeypatch.chdir(tmp_path)
    path = bank_of(tmp_path)
    ours = Journal.open(tmp_path / "ours.db")
    asked = InspectExaminee("inspect:mockllm/model", model(lambda m, c: line_for(m)))
    run(ItemBank.open(path), asked, ours)

    (log,) = inspect_eval(
        "gfactor/bank", task_args={"path": str(path)}, model=model(lambda m, c: line_for(m)),
        log_dir=str(tmp_path / "logs"), display="none",
    )  # fmt: skip
    assert log.status == "success", log.error
    table = scored(ours).set_index("item_id")
    assert {s.id for s in log.samples} == set(table.index)
    for one in log.samples:
        row, value = table.loc[one.id], one.scores["gfactor_score"].value
        if row["missing"]:
            assert math.isnan(value)
        else:
            assert value["strict"] == row["correct"]
            assert value["lenient"] == row["correct_lenient"]
            assert value["points"] == row["points"]

    theirs = Journal.open(tmp_path / "theirs.db")
    result = import_file("inspect", log.location, theirs)
    assert (result.flaws, result.items) == ((), len(table))
    again = scored(theirs).set_index("item_id").loc[table.index]
    columns = [
        "examinee",
        "item_hash",
        "condition",
        "correct",
        "correct_lenient",
        "points",
        "status",
    ]
    assert again[columns].equals(table[columns])


def test_a_task_takes_a_sample_and_a_condition_as_inspects_command_line_gives_them(
    tmp_path: Path,
) -> None:
    from gfactor.scoring.inspect_tasks import bank  # noqa: PLC0415

    made = bank(
        str(bank_of(tmp_path)),
        condition=["images=removed", "temperature=0.5"],
        per=["domain", "size"],
        n=1,
    )
    assert len(made.dataset) == 4
    assert made.config.temperature == 0.5
    assert all(isinstance(s.input[0].content, str) for s in made.dataset)
    keys = {s.metadata["gfactor_condition"] for s in made.dataset}
    assert keys == {"images=removed,temperature=0.5"}
