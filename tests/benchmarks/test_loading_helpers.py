"""What loaders share: finding files, the hub, trees and archives, rows that are set aside."""

from __future__ import annotations

import builtins
import sys
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.banks import make_item
from support.releases import write_m3gia, write_mm_iq, write_multi, write_tsv

from gfactor.benchmarks import build
from gfactor.benchmarks.loading import (
    LETTERS,
    Location,
    checked,
    lettered_options,
    located,
    open_tree,
)
from gfactor.benchmarks.multi.items import blanks
from gfactor.errors import GfactorError, MissingExtraError
from gfactor.items import Item, ItemBank, Rejected
from gfactor.scoring.rules import points


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Any]:
    """The hub's download, replaced at the library's boundary by a local snapshot folder."""
    asked: dict[str, Any] = {}

    def snapshot(repo_id: str, **options: Any) -> str:
        asked.update(options, repo_id=repo_id)
        return str(tmp_path / "snapshot")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot)
    return asked


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "source", "write", "repository"),
    [
        ("m3gia", "hub", write_m3gia, "Songweii/M3GIA"),
        ("mm-iq", "hub@abc123", write_mm_iq, "huanqia/MM-IQ"),
        ("multi", "hub", write_multi, "OpenDFM/MULTI-Benchmark"),
    ],
)
def test_hub_downloads_the_publishers_own_files(
    tmp_path: Path, hub: dict[str, Any], name: str, source: str, write: Any, repository: str
) -> None:
    write(tmp_path / "snapshot")
    built = build(name, tmp_path / "b.parquet", source=source)
    local = build(name, tmp_path / "c.parquet", source=str(tmp_path / "snapshot"))
    assert hub["repo_id"] == repository
    assert hub["repo_type"] == "dataset"
    assert hub["revision"] == ("abc123" if "@" in source else None)
    assert built.scene_digest == local.scene_digest
    if "@" in source:
        assert ItemBank.open(built.path).metadata["revision"] == "abc123"


def test_another_repository_is_named_behind_a_colon(tmp_path: Path, hub: dict[str, Any]) -> None:
    (tmp_path / "snapshot").mkdir()
    row = {"index": 1, "question": "?", "A": "x", "B": "y", "answer": "A"}
    write_tsv(tmp_path / "snapshot" / "X.tsv", [row])
    build("vlmevalkit", tmp_path / "b.parquet", source="hub:someone/tables@v2")
    assert (hub["repo_id"], hub["revision"]) == ("someone/tables", "v2")
    with pytest.raises(GfactorError, match="say which data set on the hub"):
        build("vlmevalkit", tmp_path / "b.parquet", source="hub")


def test_a_hub_that_fails_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: Any, **__: Any) -> str:
        raise OSError("no route\nto host")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", refuse)
    with pytest.raises(GfactorError) as error:
        located("hub", "a/b", ("*",))
    assert str(error.value).startswith("the hub did not give 'a/b': no route; try again")


def test_the_hub_without_its_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Any] = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "huggingface_hub":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.delitem(sys.modules, "huggingface_hub")
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"pip install 'gfactor\[hub\]'"):
        located("hub", "a/b", ("*",))


def test_a_source_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(GfactorError, match="say where the published files are"):
        located("", "a/b", ("*",))
    with pytest.raises(GfactorError, match="there is no file or folder"):
        located(str(tmp_path / "gone"), "a/b", ("*",))


def test_a_tree_finds_files_by_the_longest_common_end(tmp_path: Path) -> None:
    for name in ("images/a/1.png", "images/b/1.png", "other/2.png"):
        path = tmp_path / "t" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        for path in sorted((tmp_path / "t").rglob("*.png")):
            archive.write(path, path.relative_to(tmp_path / "t"))
    for name in ("t", "t.zip"):
        tree = open_tree(tmp_path / name, bool)
        assert tree.find("../data/images/a/1.png") == "images/a/1.png"
        assert tree.find("b/1.png") == "images/b/1.png"
        assert tree.find("1.png") is None
        assert tree.find("x\\2.png") == "other/2.png"
        assert tree.find("../..") is None
        assert tree.read("other/2.png") == b"other/2.png"
        with pytest.raises(ValueError, match="cannot be read"):
            tree.read("gone")


def test_a_broken_archive_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(b"PK")
    with pytest.raises(GfactorError, match="not a zip archive that can be read"):
        open_tree(tmp_path / "x.zip", bool).read("a")


def attempts() -> Iterator[tuple[Location, Callable[[], Item]]]:
    def fail() -> Item:
        raise ValueError("it is bad")

    yield Location("f", 1, "a"), partial(make_item, "a")
    yield Location("f", 2, "b"), fail
    yield Location("f", 3, "a"), partial(make_item, "a")
    yield Location("f", 4, ""), partial(make_item, "d", answer_type="choice", target="A")


def test_rows_are_set_aside_with_their_place() -> None:
    found = list(checked(attempts(), skip_invalid=True))
    assert isinstance(found[0], Item)
    assert list(map(str, found[1:3])) == [
        "'f', row 2, id 'b': it is bad",
        "'f', row 3, id 'a': the id is already that of row 1",
    ]
    assert isinstance(found[3], Rejected)
    with pytest.raises(GfactorError, match="row 2, id 'b': it is bad; fix the file"):
        list(checked(attempts(), skip_invalid=False))


def test_an_archive_in_a_folder_is_opened_where_the_folder_lacks_what_is_wanted(
    tmp_path: Path,
) -> None:
    (tmp_path / "README.md").write_text("x")
    for name in ("v1", "v2"):
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as archive:
            archive.writestr("data/problem.json", "{}")
    found = open_tree(tmp_path, lambda tree: bool(tree.matching(("problem",), (".json",))))
    assert found.path.name == "v2.zip"
    assert open_tree(tmp_path, lambda tree: "README.md" in tree.names).path == tmp_path


@pytest.mark.parametrize(
    "text", ["", "no list", "B. first\nC. second", "A. alone", "see A. and then nothing"]
)
def test_what_is_no_list_of_options_is_none(text: str) -> None:
    assert lettered_options(text) is None


def test_the_last_of_several_lists_counts() -> None:
    found = lettered_options("A. one\nB. two\nWhich?\nA. x\nB. y\nC. z")
    assert found is not None
    assert found.stem == "A. one\nB. two\nWhich?"
    assert [text for _, text in found.options] == ["x", "y", "z"]


def test_a_dialogue_before_the_options_is_no_list() -> None:
    found = lettered_options(
        "A: How are you?\nB: Fine. [MASK]\nWhat does B say? A. yes B. no C. fine"
    )
    assert found is not None
    assert found.stem.endswith("What does B say?")
    assert [text for _, text in found.options] == ["yes", "no", "fine"]


_words = st.text(st.sampled_from("可能性abcxyz 1234$\\\\{}+-"), min_size=1, max_size=12).filter(
    lambda text: bool(text.strip())
)


@given(
    st.lists(_words, min_size=2, max_size=8),
    _words,
    st.sampled_from([". ", "．", "、", ": ", "："]),
)
def test_options_that_are_written_a_line_each_are_read_back(
    options: list[str], stem: str, sign: str
) -> None:
    lines = [f"{letter}{sign}{text}" for letter, text in zip(LETTERS, options, strict=False)]
    found = lettered_options("\n".join([f"x {stem}", *lines]))
    assert found is not None
    assert found.stem == f"x {stem}".rstrip()
    assert [text for _, text in found.options] == [text.strip() for text in options]


@pytest.mark.thorough
@given(st.lists(st.lists(_words, min_size=1, max_size=3, unique=True), min_size=1, max_size=4))
def test_every_alternative_of_a_blank_is_right_in_it(known: list[list[str]]) -> None:
    target, accepted = blanks("\n".join("或".join(texts) for texts in known))
    for place, texts in enumerate(known):
        for text in texts:
            answer = tuple(
                text.strip() if k == place else one[0].strip() for k, one in enumerate(known)
            )
            assert points(answer, target, accepted, "blanks").full
