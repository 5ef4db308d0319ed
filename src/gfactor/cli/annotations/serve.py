"""gfactor annotate serve: serve the workspace to the annotators.

gfactor annotate serve workspace/ --port 8010
gfactor annotate serve workspace/ --public-url https://lab.example/workspace --proxy 127.0.0.1
"""

from gfactor.cli.printing import served
from gfactor.cli.values import NAME

command = served(__doc__, "annotate.serve", "{folder}: {address}", reads={"log": NAME})
