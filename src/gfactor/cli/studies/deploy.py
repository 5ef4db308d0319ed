"""gfactor study deploy: files that put a study on the internet.

gfactor study deploy study/ --domain lab.example --path /study -o deploy/
"""

from pathlib import Path

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived

SPELLED = {"folder": "FOLDER", "path": "-o FOLDER", "domain": "--domain NAME",
           "below": "--path PATH"}  # fmt: skip


@derived(__doc__, "study.deploy", SPELLED)
def command(
    folder: Path, path: Path, domain: str, below: str, wheel: Path | None, as_json: bool
) -> None:
    files = study.deploy(folder, path, domain=domain, below=below, wheel=wheel)
    if as_json:
        put_json({"files": [str(file) for file in files]})
        return
    for file in files:
        say(str(file))
    say(f"then: cd {path} && docker compose up -d; browsers come to https://{domain}{below}")
