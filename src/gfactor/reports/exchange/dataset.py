"""A bank as a data set of the Hugging Face hub: files, card, citation, Croissant, `eval.yaml`.

    data/test-00000-of-00001.parquet      the bank itself; `gf.open_bank(folder / "data")` opens it
    data/test.croissant.json              Croissant 1.1
    questions-choice/, questions-line/    plain columns for programs that know no banks
    eval.yaml                             the benchmark, for the hub and Inspect
    README.md, CITATION.cff

`eval.yaml` describes what Inspect asks of a table with its own solvers and scorers: items with at
most one picture, which are a choice among texts or have one right line. Others are counted in
`left_out`; `inspect eval gfactor/bank` asks all.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gfactor.errors import ParameterError
from gfactor.items import Image, Item, ItemBank
from gfactor.items.croissant import croissant_path, write_croissant
from gfactor.items.files import filling, replacing
from gfactor.items.schema import IMAGE
from gfactor.items.shards import bank_files, shard_names
from gfactor.reports.exchange.yaml_writing import yaml_text

CHOICE, LINE = "choice", "line"
"""Tasks of eval.yaml: one option is right; the last line of the reply is right."""

_QUESTION = pa.schema(
    [
        ("id", pa.string()),
        ("input", pa.string()),
        ("image", IMAGE),
        ("choices", pa.list_(pa.string())),
        ("target", pa.string()),
    ]
).with_metadata(
    {
        b"huggingface": json.dumps(
            {
                "info": {
                    "features": {
                        **{n: {"dtype": "string", "_type": "Value"}
                           for n in ("id", "input", "target")},
                        "image": {"_type": "Image"},
                        "choices": [{"dtype": "string", "_type": "Value"}],
                    }
                }
            }
        ).encode()
    }
)  # fmt: skip
_TASKS: Mapping[str, tuple[list[str], list[dict[str, Any]]]] = {
    CHOICE: (["multiple_choice"], [{"name": "choice"}]),
    LINE: (["generate"], [{"name": "match", "args": {"location": "end"}}]),
}
"""Solvers and scorers of Inspect's."""


@dataclass(frozen=True)
class BankDataset:
    """A bank as a data set of the Hugging Face hub.

    Parameters
    ----------
    folder : Path
        Folder to which the data set was written.
    files : tuple of Path
        The files, relative to the folder.
    questions : int
        Number of items that `eval.yaml` describes.
    left_out : int
        Number of items that it cannot describe.
    url : str
        Address of the repository on the hub; "" if nothing was uploaded.
    """

    folder: Path
    files: tuple[Path, ...]
    questions: int
    left_out: int
    url: str = ""

    def summary(self) -> str:
        """Return the written files and the content of eval.yaml, as text."""
        lines = [f"{self.url or self.folder}: {len(self.files)} files"]
        if self.questions:
            lines.append(f"eval.yaml describes {self.questions:,} items")
        if self.left_out:
            lines.append(
                f"{self.left_out:,} items are not in eval.yaml, which knows one picture and one "
                "right line or option; `inspect eval gfactor/bank` asks them"
            )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the document of `gfactor bank push --json`."""
        return {
            "folder": str(self.folder),
            "files": [path.as_posix() for path in self.files],
            "questions": self.questions,
            "left_out": self.left_out,
            "url": self.url,
        }


def write_dataset(bank: ItemBank, folder: Path, repo: str) -> BankDataset:
    """Write a whole bank as a data set into an empty or a missing folder.

    Raises ParameterError for a part of a bank, for a repository that is not ORGANIZATION/NAME, and
    for a folder with something in it.
    """
    owner, slash, name = repo.partition("/")
    if not (owner and slash and name) or "/" in name:
        raise ParameterError(f"the repository {repo!r} must be written as ORGANIZATION/NAME")
    whole = ItemBank.open(bank.path)
    if whole.ids != bank.ids:
        raise ParameterError(
            "only whole banks can be pushed; write the part as a bank of its own with `gfactor "
            "select`"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ParameterError(f"{str(folder)!r} is not an empty folder; name another one")
    about = _about(bank)
    with filling(folder) as temporary:
        written_items = _write_all(bank, temporary, repo, about)
    written = sorted(p.relative_to(folder) for p in folder.rglob("*") if p.is_file())
    return BankDataset(folder, tuple(written), written_items, len(bank) - written_items)


def _write_all(bank: ItemBank, folder: Path, repo: str, about: Mapping[str, str]) -> int:
    """Write the files of a data set; return the number of items that `eval.yaml` describes."""
    (folder / "data").mkdir()
    files = bank_files(bank.path)
    copies = shard_names(folder / "data" / "test.parquet", len(files))
    for file, copy in zip(files, copies, strict=True):
        shutil.copyfile(file, copy)
    write_croissant(folder / "data" / "test.parquet", **about)
    kinds = _write_questions(bank, folder)
    _write(folder / "README.md", _card(bank, repo, about, kinds))
    owner = repo.partition("/")[0]
    _write(folder / "CITATION.cff", yaml_text(_citation(owner, about)))
    if kinds:
        _write(folder / "eval.yaml", yaml_text(_benchmark(about, kinds)))
    return sum(kinds.values())


def _about(bank: ItemBank) -> dict[str, str]:
    """Name, description, license, citation and version, from the bank's Croissant metadata."""
    path = croissant_path(bank.path)
    croissant: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    benchmark = str(bank.metadata["benchmark"])
    return {
        "name": croissant.get("name") or benchmark,
        "description": croissant.get("description") or f"Items of {benchmark}.",
        "license": croissant.get("license") or "other",
        "citation": croissant.get("citeAs") or "",
        "version": str(croissant.get("version") or bank.metadata.get("version") or "1"),
    }


def _write(path: Path, text: str) -> None:
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _kind(item: Item) -> str | None:
    """Return the task of eval.yaml that asks the item; None if none can."""
    pictures = [part for part in item.content if isinstance(part, Image)]
    if len(pictures) > 1 or item.turns or item.accepted or item.target is None:
        return None
    if item.answer_type == "choice" and item.choices:
        texts = all(isinstance(choice.content, str) for choice in item.choices)
        return CHOICE if texts else None
    return LINE if item.output_format else None


def _question(item: Item, kind: str) -> dict[str, Any]:
    pictures = [part for part in item.content if isinstance(part, Image)]
    target = item.target
    if kind == LINE:
        assert item.output_format is not None
        target = item.output_format.render(item.target)
    else:
        # Inspect names options A, B, ... in their order.
        position = [choice.label for choice in item.choices].index(str(item.target))
        target = chr(ord("A") + position)
    return {
        "id": item.id,
        "input": item.text,
        "image": {"bytes": pictures[0].data, "path": pictures[0].path} if pictures else None,
        "choices": [str(choice.content) for choice in item.choices],
        "target": target,
    }


def _write_questions(bank: ItemBank, folder: Path) -> dict[str, int]:
    """Write the questions of every task to a file; return the number of each."""
    counts: dict[str, int] = {}
    writers: dict[str, pq.ParquetWriter] = {}
    try:
        for item in bank:
            kind = _kind(item)
            if kind is None:
                continue
            if kind not in writers:
                path = folder / f"questions-{kind}" / "test-00000-of-00001.parquet"
                path.parent.mkdir()
                writers[kind] = pq.ParquetWriter(path, _QUESTION)
            rows = [_question(item, kind)]
            writers[kind].write_table(pa.Table.from_pylist(rows, _QUESTION))
            counts[kind] = counts.get(kind, 0) + 1
    finally:
        for writer in writers.values():
            writer.close()
    return dict(sorted(counts.items()))


def _benchmark(about: Mapping[str, str], kinds: Mapping[str, int]) -> dict[str, Any]:
    """eval.yaml: the benchmark and its tasks."""
    return {
        "name": about["name"],
        "description": about["description"],
        "evaluation_framework": "inspect-ai",
        "tasks": [
            {
                "id": f"{about['name']}_{kind}",
                "config": f"questions-{kind}",
                "split": "test",
                "field_spec": dict(_fields(kind)),
                "solvers": [{"name": name} for name in _TASKS[kind][0]],
                "scorers": _TASKS[kind][1],
            }
            for kind in kinds
        ],
    }


def _fields(kind: str) -> Iterator[tuple[str, str]]:
    yield from (("input", "input"), ("target", "target"), ("input_image", "image"))
    if kind == CHOICE:
        yield "choices", "choices"


def _citation(owner: str, about: Mapping[str, str]) -> dict[str, Any]:
    """CITATION.cff 1.2.0."""
    cited = about["citation"]
    document = {
        "cff-version": "1.2.0",
        "message": f"Please cite: {cited}" if cited else "Please cite this data set.",
        "type": "dataset",
        "title": about["name"],
        "abstract": about["description"],
        "authors": [{"name": owner}],
        "version": about["version"],
    }
    return document if about["license"] == "other" else {**document, "license": about["license"]}


def _card(bank: ItemBank, repo: str, about: Mapping[str, str], kinds: Mapping[str, int]) -> str:
    """The data set's card: YAML that the hub reads, then text."""
    configs = [("default", "data"), *((f"questions-{kind}",) * 2 for kind in kinds)]
    facts = {
        "license": about["license"].lower(),
        "language": sorted({str(one) for one in bank.frame()["language"]}),
        "pretty_name": about["name"],
        "tags": ["benchmark", "gfactor"],
        "configs": [
            {
                "config_name": name,
                "data_files": [{"split": "test", "path": f"{folder}/test-*.parquet"}],
            }
            for name, folder in configs
        ],
    }
    metadata = bank.metadata
    cited = f"\n## Citation\n\n{about['citation']}\n" if about["citation"] else ""
    return (
        f"---\n{yaml_text(facts)}---\n\n# {about['name']}\n\n{about['description']}\n\n"
        f"{len(bank):,} items with {metadata['images']:,} pictures; scenes "
        f"`{metadata['scene_digest']}`, pixels `{metadata['pixel_digest']}`.\n\n"
        f"```python\nimport gfactor as gf\nfrom huggingface_hub import snapshot_download\n\n"
        f'folder = snapshot_download("{repo}", repo_type="dataset")\n'
        f'bank = gf.open_bank(f"{{folder}}/data")\n```\n\n'
        f"`eval.yaml` describes {sum(kinds.values()):,} of the items for Inspect's own solvers and "
        f"scorers; `inspect eval gfactor/bank` asks all of them.\n{cited}"
    )
