"""Published tables of M3GIA, MM-IQ, MULTI and GOLD, and their misprints.

The figures are the papers' (`Published.source` names each), stored as one CSV file per table in
`data/`. A name consists of the benchmark's name and the table's number: "multi-6".
"""

from gfactor.benchmarks.published.tables import (
    PAPERS,
    Published,
    misprints,
    published,
    published_tables,
)

__all__ = ["PAPERS", "Published", "misprints", "published", "published_tables"]
