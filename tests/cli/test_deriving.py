"""A command is what its function declares: names, types, defaults, choices and descriptions."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import gfactor as gf
from gfactor.api.inputs.calls import command_call, option
from gfactor.cli import cli
from gfactor.cli.declarations import REQUIRED, declaration, group_of
from gfactor.cli.deriving import derived
from gfactor.cli.values import PATH, NamedValue, range_of
from gfactor.cli.verbs.compare import command as compare
from gfactor.errors import ParameterError

TEXT = """gfactor place: models among real ones.

gfactor place answers.csv
"""


def calls(command: click.Command, *words: str) -> Any:
    """What the body of a command was called with."""
    return command.main(list(words), standalone_mode=False)


def body(as_json: bool, **given: Any) -> dict[str, Any]:
    return given | {"as_json": as_json}


def make(function: str, spelled: dict[str, str], **how: Any) -> click.Command:
    return derived(TEXT, function, spelled, **how)(body)


@pytest.mark.parametrize(
    "name", ["place", "run", "plan", "efa", "adequacy", "study.simulate", "annotate.consensus"]
)
def test_what_is_read_in_the_source_is_what_python_sees(name: str) -> None:
    found: Any = gf
    for part in name.split("."):
        found = getattr(found, part)
    parameters = inspect.signature(found).parameters
    declared = {one.name: one for one in declaration(name).parameters if one.name in parameters}
    named = [p for p in parameters.values() if p.kind is not p.VAR_KEYWORD]
    assert list(declared) == [p.name for p in named]
    for parameter in named:
        default = REQUIRED if parameter.default is parameter.empty else parameter.default
        # An option of a group may be left out, which is no value of its own.
        assert declared[parameter.name].default == (None if default is ... else default)
        assert declared[parameter.name].keyword is (parameter.kind is parameter.KEYWORD_ONLY)
        assert declared[parameter.name].text


def test_an_option_has_the_type_default_and_words_of_its_parameter() -> None:
    command = make("place", {"answers": "ANSWERS", "items": "--items N..."}, reads={"items": list})
    options = {p.name: p for p in command.params if isinstance(p, click.Option)}
    assert isinstance(options["select"].type, click.Choice)
    assert options["select"].type.choices == ("given", "adaptive", "random", "stratified")
    assert options["seed"].type is range_of("Seed")
    assert options["level"].default == 0.95
    assert options["seed"].show_default is True
    assert options["level"].help == "Confidence level of the intervals."
    assert options["items"].multiple
    assert command.name == "place"
    told = command.get_help(click.Context(command))
    assert "ANSWERS: Table with a row per model" in told
    assert "  gfactor place answers.csv\n" in told
    assert "Python: gfactor.place(answers)" in told


def test_the_body_gets_values_and_not_texts() -> None:
    command = make("place", {"answers": "ANSWERS", "items": "--items N..."}, reads={"items": list})
    given = calls(command, "a.csv", "--items", "x=1", "--items", "y=2", "--seed", "3")
    assert given["items"] == ["x=1", "y=2"]
    assert (given["answers"], given["seed"], given["as_json"]) == ("a.csv", 3, False)
    assert calls(command, "a.csv")["items"] is None


def test_numbers_words_switches_and_files_are_read_by_their_types() -> None:
    form = make(
        "form",
        {"calibration": "CALIBRATION", "path": "-o FOLDER", "theta": "--theta X,..."},
        without=["content"],
        required=["path"],
    )
    given = calls(form, "c.json", "-o", "forms", "--theta", "-1,0.5")
    assert given["theta"] == [-1.0, 0.5]
    assert given["path"] == Path("forms")
    assert next(p for p in form.params if p.name == "path").type is PATH
    with pytest.raises(click.MissingParameter):
        calls(form, "c.json")
    with pytest.raises(click.BadParameter, match=r"a list of numbers such as -1,0,1; got 'low'"):
        calls(form, "c.json", "-o", "forms", "--theta", "low")
    efa = make("efa", {}, without=["scores", "kaiser"])
    assert calls(efa, "--factors", "3")["factors"] == 3
    with pytest.raises(click.BadParameter, match="a number or 'parallel', not 'many'"):
        calls(efa, "--factors", "many")
    export = make("study.export", {"folder": "FOLDER", "path": "-o FOLDER",
                                   "keep_invalid": "--without-invalid"})  # fmt: skip
    assert calls(export, "s", "-o", "p")["keep_invalid"] is True
    assert calls(export, "s", "-o", "p", "--without-invalid")["keep_invalid"] is False
    gap = make("gap", {"journal": "JOURNAL", "by": "--by A,..."}, without=["reach"])
    assert calls(gap, "g.db", "--by", "family, size")["by"] == ("family", "size")
    assert calls(gap, "g.db")["by"] is None


def test_numbers_that_bound_nothing_are_refused() -> None:
    seconds = range_of("Seconds")
    with pytest.raises(click.BadParameter, match="is no limit"):
        seconds.convert("inf", None, None)
    with pytest.raises(click.BadParameter, match="x>0"):
        seconds.convert("0", None, None)


def test_a_description_is_written_once() -> None:
    """`gap` says "As in `score`." and the help of both has the same words."""
    judge = declaration("score").parameter("judge")
    assert declaration("gap").parameter("judge").text == judge.text
    assert declaration("gap").parameter("policy").choices[0] == "own"
    by_name = {one.name: one for one in group_of("gfactor.api.inputs.reach", "ReachOptions")}
    assert declaration("gap").parameter("rpm") == by_name["rpm"]
    assert by_name["detail"].choices == ("low", "high", "auto")


def test_a_group_has_the_options_of_the_group_that_it_widens() -> None:
    home = "gfactor.api.inputs.serving"
    wider, own = (group_of(home, name) for name in ("LoggedServingOptions", "ServingOptions"))
    assert [one.name for one in wider] == ["log", "log_addresses", *(one.name for one in own)]
    assert all(declaration(name).parameters[-len(wider) :] == wider
               for name in ("study.serve", "annotate.serve"))  # fmt: skip


def test_help_names_options_as_they_are_typed_and_defaults_once() -> None:
    command = make("form", {"calibration": "CALIBRATION"}, without=["content"])
    told = " ".join(command.get_help(click.Context(command)).split())
    assert "the smallest number that reaches --target-se" in told
    assert "`" not in told
    command = make("study.links", {"folder": "FOLDER", "participants": "[CSV]"})
    assert "where None" not in command.get_help(click.Context(command))


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["plan"], "such as discordant=0.3 (the share of items"),
        (["plan"], "by facet: occasion=1,2,5."),
        (["matrix"], "select items, such as domain=change_colour."),
        (["prune"], "By default, the names of columns give the constructs"),
    ],
)
def test_help_has_no_python_values(words: list[str], shown: str) -> None:
    told = CliRunner().invoke(cli, [*words, "--help"]).output
    assert shown in " ".join(told.split())


def test_a_command_that_names_no_parameter_is_a_mistake_of_ours() -> None:
    with pytest.raises(LookupError, match="place has no parameter items_"):
        make("place", {"items_": "--items N"})
    with pytest.raises(LookupError, match="no text becomes the twins"):
        make("inflation", {"answers": "ANSWERS"})


def test_processes_stand_with_their_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    command = make("demo", {}, without=["domains"])
    assert calls(command, "--jobs", "2")["jobs"] == 2
    with pytest.raises(ParameterError, match="is not KEY=VALUE"):
        calls(command, "--backend-options", "address")


def test_every_derived_command_is_listed_with_its_line() -> None:
    said = CliRunner().invoke(cli, ["--help"]).output
    assert "place" in said
    assert (
        "Place models among real ones, by some of their answers to public benchmarks."
        in " ".join(said.split())
    )


def test_an_option_that_only_the_command_has_is_declared_by_its_body() -> None:
    sequential = next(p for p in compare.params if p.name == "sequential")
    assert isinstance(sequential, click.Option)
    assert (sequential.opts, sequential.is_flag) == (["--sequential"], True)
    assert str(sequential.help).startswith("Compare examinees during a run: decisions stay valid")


def test_an_option_of_another_function_says_when_it_counts() -> None:
    gate = next(p for p in compare.params if p.name == "gate")
    assert isinstance(gate, click.Option)
    assert (gate.opts, gate.metavar) == (["--gate"], "'A - B'")
    assert str(gate.help).startswith('With --sequential: two examinees, as "A - B"')


def test_what_only_a_shell_needs_follows_the_calls_in_the_docstring() -> None:
    text = f"{TEXT}\nThe exit code is 7.\n"
    given = {"answers": "ANSWERS", "items": "--items N..."}
    command = derived(text, "place", given, reads={"items": list}, about="Made.")(body)
    told = command.get_help(click.Context(command))
    assert told.index("The exit code is 7.") < told.index("Made.") < told.index("Example:")
    assert "  gfactor place answers.csv\n" in told


def test_a_name_in_brackets_may_be_missing() -> None:
    files = NamedValue("[LANG=]FILE")
    assert files.convert("en=a.csv", None, None) == ("en", "a.csv")
    assert files.convert("a.csv", None, None) == ("", "a.csv")
    with pytest.raises(click.BadParameter, match=r"it is written \[LANG=\]FILE, got 'en='"):
        files.convert("en=", None, None)


def test_a_mapping_is_given_by_pairs_of_the_type_of_its_values() -> None:
    spelled = {"tries": "--try FACET=N,N...", "raters": "--rater-cost FACET=X..."}
    command = make("plan", spelled, without=["pilot", "tokens", "declare", "known"])
    typed = ("--try", "item=1,2", "--rater-cost", "task=0.5", "--rater-cost", "item=2")
    given = calls(command, "--aim", "cfa", *typed)
    assert given["tries"] == {"item": [1, 2]}
    assert given["raters"] == {"task": 0.5, "item": 2.0}
    with pytest.raises(ParameterError, match="--rater-cost has task twice"):
        calls(command, "--aim", "cfa", "--rater-cost", "task=1", "--rater-cost", "task=2")
    with pytest.raises(click.BadParameter, match="it is written FACET=N,N, got 'item'"):
        calls(command, "--aim", "cfa", "--try", "item")


def test_a_sign_that_names_may_hold_divides_at_its_last_place() -> None:
    assert NamedValue("MODEL=NAME", last=True).convert("gpt?x=1=OpenAI", None, None) == (
        "gpt?x=1",
        "OpenAI",
    )
    assert NamedValue("NAME=VALUE").convert("a=b=c", None, None) == ("a", "b=c")


def test_messages_name_options_as_their_caller_writes_them() -> None:
    assert option("examinees") == "examinees"
    assert compare.spelled is not None
    with command_call(compare.spelled):
        assert option("examinees") == "--examinee"
        assert option("max_cost") == "--max-cost"
    assert option("max_cost") == "max_cost"
