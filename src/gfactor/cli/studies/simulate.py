"""gfactor study simulate: send simulated people through a study, to try it.

gfactor study simulate trial/ --persons 40 --clickers 5
gfactor study simulate study/ --pilot --misbehaving dropout=3 --misbehaving late=2
gfactor study simulate trial/ --persons 0 --observer "observer:limited?acuity=0.4&seed=1"
"""

from gfactor.cli.printing import printed

command = printed(
    __doc__, "study.simulate",
    {"observers": "--observer SPEC", "url": "--url URL", "misbehaving": "--misbehaving KIND=N..."},
)  # fmt: skip
