"""Making items from published files: finding the files, reading rows, pictures and options."""

from gfactor.benchmarks.loading.lettered import (
    LETTERS,
    Lettered,
    lettered_options,
    listed,
    pictured,
    unlisted,
)
from gfactor.benchmarks.loading.options import (
    SKIP_INVALID,
    languages_option,
    on_or_off,
    source_option,
)
from gfactor.benchmarks.loading.parquet import image_bytes, parquet_columns, parquet_rows
from gfactor.benchmarks.loading.rows import (
    IMAGE_TYPES,
    Attempt,
    Location,
    checked,
    content_hash,
    hashes_of,
    image_type,
    label_types,
    picture,
    refusals,
)
from gfactor.benchmarks.loading.source import (
    files_in,
    fingerprint,
    located,
    revision_of,
    sha256_of,
)
from gfactor.benchmarks.loading.tree import Tree, open_tree

__all__ = [
    "IMAGE_TYPES",
    "LETTERS",
    "SKIP_INVALID",
    "Attempt",
    "Lettered",
    "Location",
    "Tree",
    "checked",
    "content_hash",
    "files_in",
    "fingerprint",
    "hashes_of",
    "image_bytes",
    "image_type",
    "label_types",
    "languages_option",
    "lettered_options",
    "listed",
    "located",
    "on_or_off",
    "open_tree",
    "parquet_columns",
    "parquet_rows",
    "picture",
    "pictured",
    "refusals",
    "revision_of",
    "sha256_of",
    "source_option",
    "unlisted",
]
