"""gfactor annotate export: write the bank with all decisions applied.

gfactor annotate export workspace/ -o edited.parquet
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "annotate.export", {"path": "-o BANK"},
    sentences=lambda counts, path, **_: (
        f"{path}: {', '.join(f'{count:,} {name}' for name, count in counts.items())}"
    ),
    document=lambda counts, path, **_: {"bank": str(path), **counts},
)  # fmt: skip
