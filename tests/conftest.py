"""Settings of the whole suite, made before anything imports numpy."""

import os

from hypothesis import HealthCheck, settings

# The tests run in one process per core already; a linear-algebra thread pool in each of them
# spends its time waiting for the others.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

# A busy machine is slow, not wrong: neither the time of one example nor that of drawing it counts.
# Continuous integration draws the same examples in every run.
settings.register_profile(
    "gfactor",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("gfactor")
