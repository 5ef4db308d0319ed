"""The Croissant metadata beside a bank describes that very file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from support.banks import make_item, make_items

from gfactor.items import shards, write_bank
from gfactor.items.croissant import croissant_path, write_croissant


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    path = write_bank(make_items(), tmp_path / "bank.parquet")
    about = {"name": "toy", "description": "A toy.", "license": "Apache-2.0"}
    write_croissant(path, citation="Nobody (2025).", version="1", **about)
    return path


@pytest.fixture
def document(bank: Path) -> dict[str, Any]:
    return json.loads(croissant_path(bank).read_text(encoding="utf-8"))


def test_what_croissant_requires_of_a_dataset_is_there(document: dict[str, Any]) -> None:
    assert document["@type"] == "sc:Dataset"
    assert document["conformsTo"] == "http://mlcommons.org/croissant/1.1"
    for name in ("@context", "name", "description", "license", "citeAs", "version"):
        assert document[name], name


def test_the_distribution_has_the_files_checksum_and_size(
    bank: Path, document: dict[str, Any]
) -> None:
    (file,) = document["distribution"]
    assert file["sha256"] == hashlib.sha256(bank.read_bytes()).hexdigest()
    assert file["contentSize"] == f"{bank.stat().st_size} B"
    assert file["contentUrl"] == bank.name


def test_every_column_is_a_field_with_a_type_and_a_source(
    bank: Path, document: dict[str, Any]
) -> None:
    (records,) = document["recordSet"]
    fields = {field["name"]: field for field in records["field"]}
    assert list(fields) == pq.read_schema(bank).names

    def simple(field: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if "subField" not in field:
            yield field
        for part in field.get("subField", ()):
            yield from simple(part)

    for field in records["field"]:
        for leaf in simple(field):
            assert leaf["dataType"].startswith("sc:"), leaf
            assert leaf["source"]["fileObject"] == {"@id": bank.name}
            assert leaf["source"]["extract"]["column"] == leaf["@id"].split("/")[1]
    assert fields["images"]["isArray"]
    assert {part["name"] for part in fields["labels"]["subField"]} == {"domain", "size", "skills"}


def test_field_names_are_unique(document: dict[str, Any]) -> None:
    (records,) = document["recordSet"]
    ids = [field["@id"] for field in records["field"]]
    assert len(set(ids)) == len(ids)
    assert records["key"]["@id"] in ids


@pytest.mark.parametrize("per_shard", [100, 5])
def test_the_authors_own_validator_finds_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, per_shard: int
) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason="pip install mlcroissant")
    monkeypatch.setattr(shards, "ITEMS_PER_SHARD", per_shard)
    path = write_bank(make_items(), tmp_path / "bank.parquet")
    about = {"name": "toy", "description": "A toy.", "license": "Apache-2.0"}
    write_croissant(path, citation="Nobody (2025).", version="1.0.0", **about)
    dataset = mlcroissant.Dataset(jsonld=croissant_path(path))
    assert not dataset.metadata.ctx.issues.errors
    document = json.loads(croissant_path(path).read_text())
    del document["distribution"]
    with pytest.raises(mlcroissant.ValidationError, match="does not refer to any existing node"):
        mlcroissant.Dataset(jsonld=document)


def test_pictures_are_lists_for_readers_and_labels_with_dots_are_found(tmp_path: Path) -> None:
    item = make_item(labels={"domain": "a", "radical.size": 2})
    path = write_bank([item], tmp_path / "dotted.parquet")
    about = {"name": "toy", "description": "A toy.", "license": "Apache-2.0"}
    write_croissant(path, citation="Nobody (2025).", version="1", **about)
    document = json.loads(croissant_path(path).read_text(encoding="utf-8"))
    fields = {field["name"]: field for field in document["recordSet"][0]["field"]}
    pictures = {part["name"]: part for part in fields["images"]["subField"]}
    assert pictures["bytes"]["repeated"] is True
    paths = {part["name"]: part["source"]["transform"] for part in fields["labels"]["subField"]}
    assert paths == {"domain": {"jsonPath": "$.domain"},
                     "radical.size": {"jsonPath": "$['radical.size']"}}  # fmt: skip


def test_mlcroissant_reads_every_record(bank: Path) -> None:
    reader = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed")
    records = list(reader.Dataset(jsonld=str(croissant_path(bank))).records("items"))
    assert len(records) == len(make_items())
    assert records[0]["items/images"][0]["items/images/bytes"].size == (8, 6)
