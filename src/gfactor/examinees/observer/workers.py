"""Where observers compute: processes that are shared by all observers of a run."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache

import cv2
from joblib.externals.loky import ProcessPoolExecutor

IDLE_SECONDS = 60
"""How long idle worker processes wait for the next observer; starting one takes seconds."""


def worker_pool(jobs: int) -> Executor:
    """An executor with `jobs` workers: one thread where `jobs` is 1, else shared processes."""
    if jobs == 1:
        return ThreadPoolExecutor(1, "observer", initializer=_use_one_core)
    pool = _processes(jobs)
    if pool._flags.broken or pool._flags.shutdown:
        _processes.cache_clear()
        pool = _processes(jobs)
    return pool


@cache
def _processes(jobs: int) -> ProcessPoolExecutor:
    # Not loky's shared executor: joblib.Parallel takes that for its own and fails on one that was
    # made with other settings, as when a bank is built after observers have answered.
    return ProcessPoolExecutor(max_workers=jobs, timeout=IDLE_SECONDS, initializer=_prepare)


def _use_one_core() -> None:
    # OpenCV's own threads would fight with the other workers' for the cores.
    cv2.setNumThreads(1)


def _prepare() -> None:
    _use_one_core()
    # Ctrl-C reaches the whole process group; only the process that keeps the journal acts on it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process when its parent is gone: a killed run cannot tell its workers to stop."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
