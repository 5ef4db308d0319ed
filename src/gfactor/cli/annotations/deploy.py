"""gfactor annotate deploy: files that put an annotation workspace on the internet.

gfactor annotate deploy workspace/ --domain lab.example --path /workspace -o deploy/
"""

from pathlib import Path

from gfactor.api import annotate
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived

SPELLED = {"folder": "FOLDER", "path": "-o FOLDER", "domain": "--domain NAME",
           "below": "--path PATH"}  # fmt: skip


@derived(__doc__, "annotate.deploy", SPELLED)
def command(
    folder: Path, path: Path, domain: str, below: str, wheel: Path | None, as_json: bool
) -> None:
    files = annotate.deploy(folder, path, domain=domain, below=below, wheel=wheel)
    if as_json:
        put_json({"files": [str(file) for file in files]})
        return
    for file in files:
        say(str(file))
    say(f"then: cd {path} && docker compose up -d; browsers come to https://{domain}{below}")
