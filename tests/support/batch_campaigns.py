"""Campaign files whose model is asked in batches, by a local server."""

from __future__ import annotations

from pathlib import Path

from gfactor.items import write_bank
from support.banks import make_item
from support.batch_server import BatchServer


def declared(
    folder: Path, server: BatchServer, kind: str = "openai", size: int = 4, items: int = 12,
    campaign: str = "", conditions: str = "max_tokens = 10", lab: str = "",
) -> Path:  # fmt: skip
    """A campaign of `items` answers; one costs 7 written tokens, and 10 are set aside for it."""
    write_bank([make_item(f"i{n:03d}", content=(f"Say {n}",)) for n in range(items)],
               folder / "b.parquet")  # fmt: skip
    url = server.url.replace("/v1", "/v1beta") if kind == "google" else server.url
    path = folder / "c.toml"
    path.write_text(
        f'[campaign]\n{campaign}\n[[banks]]\npath = "b.parquet"\n[servers.lab]\n'
        f'base_url = "{url}"\nbatch = "{kind}"\nbatch_size = {size}\npoll = 0.01\n'
        f'first_wait = 0.01\n{_attempts(lab)}{lab}\n[[models]]\nspec = "openai:m"\nserver = "lab"\n'
        f"price = {{input = 0, output = 1e6}}\n[conditions]\n{conditions}\n",
        encoding="utf-8",
    )
    return path


def _attempts(lab: str) -> str:
    """One attempt at each request, unless the test says otherwise."""
    return "" if "attempts" in lab else "attempts = 1\n"
