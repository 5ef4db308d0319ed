"""gfactor annotate serve: serve the workspace to the annotators.

gfactor annotate serve workspace/ --port 8010
gfactor annotate serve workspace/ --public-url https://lab.example/workspace --proxy 127.0.0.1
"""

from pathlib import Path
from typing import Any

from gfactor.api import annotate
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.cli.values import NAME

SPELLED = {"folder": "FOLDER", "host": "--host ADDRESS", "public_url": "--public-url URL",
           "proxies": "--proxy ADDRESS", "log": "--log FILE"}  # fmt: skip


@derived(__doc__, "annotate.serve", SPELLED, reads={"log": NAME}, without=["ready"])
def command(folder: Path, as_json: bool, **given: Any) -> None:
    def ready(address: str) -> None:
        put_json({"address": address}) if as_json else say(f"{folder}: {address}")

    annotate.serve(folder, **given, ready=ready)
