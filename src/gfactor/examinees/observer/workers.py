"""Where observers compute: processes that are shared by all observers of a run."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import Executor, ThreadPoolExecutor

import cv2
from joblib.externals.loky import get_reusable_executor

IDLE_SECONDS = 60
"""How long idle worker processes wait for the next observer (starting one takes seconds)."""


def worker_pool(jobs: int) -> Executor:
    """An executor with `jobs` workers: one thread where `jobs` is 1, else shared processes."""
    if jobs == 1:
        return ThreadPoolExecutor(1, "observer", initializer=_prepare)
    return get_reusable_executor(max_workers=jobs, timeout=IDLE_SECONDS, initializer=_prepare)


def _prepare() -> None:
    # One worker, one core: OpenCV's own threads would fight with the other workers' for the rest.
    cv2.setNumThreads(1)
    if threading.current_thread() is threading.main_thread():
        # Ctrl-C reaches the whole process group; only the process that keeps the journal acts.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
