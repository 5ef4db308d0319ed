"""Settings of the whole suite, made before anything imports numpy."""

import os

# The tests run in one process per core already; a linear-algebra thread pool in each of them
# spends its time waiting for the others.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
