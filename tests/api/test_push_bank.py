"""A bank goes to a hub through the real client, and comes back from there."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import huggingface_hub.constants
import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml
from support.cli import run_cli
from support.exam import image, question

import gfactor as gf
from gfactor.errors import ParameterError
from gfactor.items import Choice, Image, Item, ItemBank, shards, write_bank

REPO = "an-institute/test-bank"


class Hub:
    """What the client needs of the hub: repositories, and commits of files."""

    def __init__(self) -> None:
        self.private: dict[str, bool] = {}
        self.files: dict[str, bytes] = {}
        self.commits = 0
        self.refuse = False

    def answer(self, path: str, body: bytes) -> tuple[int, Any]:
        if self.refuse:
            return 403, {"error": "no rights"}
        if path == "/api/repos/create":
            given = json.loads(body)
            name = f"{given['organization']}/{given['name']}"
            self.private[name] = given["visibility"] == "private"
            return 200, {"url": f"https://huggingface.co/datasets/{name}", "id": name}
        if path == "/api/validate-yaml":
            yaml.safe_load(json.loads(body)["content"].split("---\n")[1])
            return 200, {"errors": [], "warnings": []}
        if path.endswith("/preupload/main"):
            names = [one["path"] for one in json.loads(body)["files"]]
            return 200, {"files": [
                {"path": name, "uploadMode": "regular", "shouldIgnore": False} for name in names
            ]}  # fmt: skip
        if path.endswith("/commit/main"):
            self.commits += 1
            for line in map(json.loads, body.splitlines()):
                if line["key"] == "file":
                    value = line["value"]
                    self.files[value["path"]] = base64.b64decode(value["content"])
            return 200, {
                "commitUrl": "https://huggingface.co/datasets/an-institute/test-bank/commit/1",
                "commitOid": "1" * 40,
            }
        return 404, {"error": f"no {path}"}


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Hub, str]]:
    monkeypatch.setenv("HF_TOKEN", "hf_of_a_test")
    # Other tests keep the client from the network before it is imported.
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    double = Hub()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = self.rfile.read(length) if length else self._chunked()
            status, document = double.answer(self.path.split("?")[0], body)
            text = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def do_GET(self) -> None:
            self.do_POST()

        def _chunked(self) -> bytes:
            parts = []
            if self.headers.get("Transfer-Encoding") == "chunked":
                while size := int(self.rfile.readline(), 16):
                    parts.append(self.rfile.read(size))
                    self.rfile.readline()
                self.rfile.readline()
            return b"".join(parts)

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield double, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def items() -> list[Item]:
    return [
        question("q1", content=("Which animal has no picture?",)),
        question("q2", content=("Which?", image(1)), target="A"),
        question("q3", choices=tuple(Choice(label, image(k)) for k, label in enumerate("AB"))),
        question("q4", content=(image(1), image(2), "Which of both?")),
    ]


@pytest.fixture
def bank(tmp_path: Path) -> ItemBank:
    return ItemBank.open(write_bank(items(), tmp_path / "bank.parquet", {"version": "3"}))


@pytest.mark.thorough
def test_a_bank_that_was_pushed_is_the_bank_that_comes_back(
    hub: tuple[Hub, str], bank: ItemBank, tmp_path: Path
) -> None:
    double, url = hub
    done = gf.push_bank(bank, REPO, endpoint=url)
    assert done.url.endswith(REPO)
    assert (double.private, double.commits) == ({REPO: True}, 1)
    assert sorted(double.files) == sorted(path.as_posix() for path in done.files)
    for name, data in double.files.items():
        (tmp_path / "back" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "back" / name).write_bytes(data)
    assert list(gf.open_bank(tmp_path / "back/data")) == items()
    gf.push_bank(bank, REPO, endpoint=url, private=False)
    assert double.private == {REPO: False}


def test_eval_yaml_describes_what_inspect_can_ask_of_a_table(
    bank: ItemBank, tmp_path: Path
) -> None:
    done = gf.push_bank(bank, REPO, path=tmp_path / "hub", write_only=True)
    assert (done.questions, done.left_out) == (2, 2)
    document = yaml.safe_load((tmp_path / "hub/eval.yaml").read_text())
    assert document["evaluation_framework"] == "inspect-ai"
    (task,) = document["tasks"]
    card = yaml.safe_load((tmp_path / "hub/README.md").read_text().split("---\n")[1])
    folders = {one["config_name"]: one["data_files"][0]["path"] for one in card["configs"]}
    (file,) = (tmp_path / "hub").glob(folders[task["config"]])
    rows: Any = pd.read_parquet(file)
    assert set(task["field_spec"].values()) <= set(rows.columns)
    assert rows["target"].tolist() == ["B", "A"]
    assert rows["image"][0] is None
    shown = next(part for part in items()[1].content if isinstance(part, Image))
    assert rows["image"][1]["bytes"] == shown.data
    features = json.loads(pq.read_schema(file).metadata[b"huggingface"])["info"]["features"]
    assert set(features) == set(rows.columns)
    assert features["image"] == {"_type": "Image"}


def test_other_answers_are_the_last_line_of_a_reply(tmp_path: Path) -> None:
    bank = gf.build(
        "percept-v", domains=["counting_circles"], sizes=[3], path=tmp_path / "pv.parquet"
    )
    gf.push_bank(bank, REPO, path=tmp_path / "hub", write_only=True)
    (task,) = yaml.safe_load((tmp_path / "hub/eval.yaml").read_text())["tasks"]
    assert task["scorers"] == [{"name": "match", "args": {"location": "end"}}]
    rows: Any = pd.read_parquet(tmp_path / "hub/questions-line")
    assert rows["target"].tolist() == [f"COUNT:{item.target}" for item in bank]
    citation = yaml.safe_load((tmp_path / "hub/CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["type"] == "dataset"
    assert "arXiv:2508.21143" in citation["message"]
    document = json.loads((tmp_path / "hub/data/test.croissant.json").read_text())
    assert document["citeAs"] in citation["message"]


def test_a_large_bank_keeps_its_shards(
    bank: ItemBank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "ITEMS_PER_SHARD", 2)
    parts = ItemBank.open(write_bank(items(), tmp_path / "parts.parquet"))
    done = gf.push_bank(parts, REPO, path=tmp_path / "hub", write_only=True)
    assert Path("data/test-00001-of-00002.parquet") in done.files
    assert list(gf.open_bank(tmp_path / "hub/data")) == items()


def test_mistakes_are_told_in_a_sentence(
    hub: tuple[Hub, str], bank: ItemBank, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    double, url = hub
    with pytest.raises(ParameterError, match="must be written as ORGANIZATION/NAME"):
        gf.push_bank(bank, "percept-v", endpoint=url)
    with pytest.raises(ParameterError, match="only whole banks"):
        gf.push_bank(bank.select(["q1"]), REPO, endpoint=url)
    with pytest.raises(ParameterError, match="is not an empty folder"):
        gf.push_bank(bank, REPO, path=tmp_path, endpoint=url)
    with pytest.raises(ParameterError, match="name a folder to write to"):
        gf.push_bank(bank, REPO, write_only=True)
    double.refuse = True
    words = ("bank", "push", str(bank.path), REPO, "--endpoint", url)
    refused = run_cli(monkeypatch, capsys, *words)
    assert refused.code == 2
    assert f"the hub did not take '{REPO}': " in refused.err
    double.refuse = False
    done = run_cli(monkeypatch, capsys, *words, "--json")
    assert json.loads(done.out)["questions"] == 2
