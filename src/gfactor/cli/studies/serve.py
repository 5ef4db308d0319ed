"""gfactor study serve: serve a study to people.

gfactor study serve study/ --port 8000
gfactor study serve study/ --pilot
gfactor study serve study/ --public-url https://lab.example/study --proxy 127.0.0.1
"""

from pathlib import Path
from typing import Any

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.cli.values import NAME

SPELLED = {"folder": "FOLDER", "host": "--host ADDRESS", "public_url": "--public-url URL",
           "proxies": "--proxy ADDRESS", "log": "--log FILE"}  # fmt: skip


@derived(__doc__, "study.serve", SPELLED, reads={"log": NAME}, without=["ready"])
def command(folder: Path, as_json: bool, **given: Any) -> None:
    def ready(address: str) -> None:
        if as_json:
            put_json({"address": address, "owner": f"{address}/owner"})
        else:
            say(f"{folder}: {address} (owner: {address}/owner)")

    study.serve(folder, **given, ready=ready)
