"""Croissant metadata of a bank: description, author, license, and the checksum of its file.

Vocabulary: Croissant 1.1 (http://mlcommons.org/croissant/1.1), JSON-LD on schema.org.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from gfactor.items.files import replacing
from gfactor.items.reading import open_parquet
from gfactor.items.shards import bank_files

CONFORMS_TO = "http://mlcommons.org/croissant/1.1"

_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "name": {"@container": "@language"},
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}

_MEANINGS: Mapping[str, str] = {
    "id": "Unique name of the item.",
    "benchmark": "Name of the benchmark.",
    "language": "Language of the texts (BCP 47).",
    "content": "Texts and images in reading order; an image is an index into `images`.",
    "images": "Encoded images with a file name each.",
    "choices": "Options of a choice item.",
    "answer_type": "How the answer is built.",
    "target": "The right answer, as JSON.",
    "accepted": "Other answers that are just as right, as JSON.",
    "points": "Points for a right answer.",
    "labels": "What results can be broken down by.",
    "output_format": "The line in which the answer is to be given, as JSON.",
    "provenance": "Where the item comes from; content_hash is its identity.",
}


def croissant_path(bank: Path) -> Path:
    """Return the path of a bank's metadata: `<stem>.croissant.json` next to it."""
    return bank.with_name(f"{bank.stem}.croissant.json")


def write_croissant(
    bank: Path, *, name: str, description: str, license: str, citation: str, version: str
) -> Path:
    """Write the metadata of a bank next to it and return their path.

    `license` is an SPDX address or name; `citation` the publication to cite.
    """
    files = bank_files(bank)
    schema = open_parquet(files[0]).schema_arrow
    distribution = list(map(_file, files))
    where = {"fileObject": {"@id": files[0].name}}
    if len(files) > 1:
        distribution.append(_shards(bank, files))
        where = {"fileSet": {"@id": bank.name}}
    document = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": name,
        "description": description,
        "license": license,
        "citeAs": citation,
        "version": version,
        "distribution": distribution,
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "items",
                "name": "items",
                "description": "One record an item.",
                "key": {"@id": "items/id"},
                "field": [_field(f.name, f.type, where) for f in schema],
            }
        ],
    }
    target = croissant_path(bank)
    with replacing(target) as temporary:
        temporary.write_text(json.dumps(document, indent=2, ensure_ascii=False), encoding="utf-8")
    return target


def _file(bank: Path) -> dict[str, Any]:
    with bank.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return {
        "@type": "cr:FileObject",
        "@id": bank.name,
        "name": bank.name,
        "contentUrl": bank.name,
        "contentSize": f"{bank.stat().st_size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": digest,
    }


def _shards(bank: Path, files: Sequence[Path]) -> dict[str, Any]:
    """The files of a bank together."""
    return {
        "@type": "cr:FileSet",
        "@id": bank.name,
        "name": bank.name,
        "description": f"The {len(files)} files of the bank, in the order of their names.",
        "encodingFormat": "application/x-parquet",
        "includes": f"{bank.stem}-*-of-*.parquet",
    }


def _field(column: str, kind: pa.DataType, where: Mapping[str, Any]) -> dict[str, Any]:
    """One column as a field; a struct becomes a field with subfields, a list is an array."""
    return {
        **_described(column, column, kind, where),
        "description": _MEANINGS.get(column, f"Column {column}."),
    }


def _described(path: str, name: str, kind: pa.DataType, where: Mapping[str, Any]) -> dict[str, Any]:
    repeated, kind = pa.types.is_list(kind), _inner(kind)
    field: dict[str, Any] = {"@type": "cr:Field", "@id": f"items/{path}", "name": name}
    if repeated:
        field |= {"isArray": True, "arrayShape": "-1"}
    if pa.types.is_struct(kind):
        field["subField"] = list(_parts(path, kind, where))
        return field
    head, *rest = path.split("/")
    field["dataType"] = _data_type(path, kind)
    field["source"] = {**where, "extract": {"column": head}}
    if rest:
        field["source"]["transform"] = {"jsonPath": "$" + "".join(map(_step, rest))}
    if path == "images/bytes":
        # Without this mark, readers of version 1.0 cast the whole list to one picture.
        field["repeated"] = True
    return field


def _step(name: str) -> str:
    """One step of a JSONPath; names of labels may hold dots."""
    return f".{name}" if name.isidentifier() else f"['{name}']"


def _inner(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_list(kind) else kind


def _parts(path: str, kind: pa.DataType, where: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for part in kind:
        yield _described(f"{path}/{part.name}", part.name, part.type, where)


def _data_type(path: str, kind: pa.DataType) -> str:
    if path == "images/bytes":
        return "sc:ImageObject"
    if pa.types.is_integer(kind):
        return "sc:Integer"
    return "sc:Float" if pa.types.is_floating(kind) else "sc:Text"
