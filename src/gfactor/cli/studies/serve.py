"""gfactor study serve: serve a study to people.

gfactor study serve study/ --port 8000
gfactor study serve study/ --pilot
gfactor study serve study/ --public-url https://lab.example/study --proxy 127.0.0.1
"""

from gfactor.cli.printing import served
from gfactor.cli.values import NAME

command = served(
    __doc__, "study.serve", "{folder}: {address} (owner: {address}/owner)",
    reads={"log": NAME}, owner="{address}/owner",
)  # fmt: skip
