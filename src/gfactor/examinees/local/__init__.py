"""Models that compute in this process: batches, and the libraries that compute replies."""

from gfactor.examinees.local.batches import Engine, LocalExaminee

__all__ = ["Engine", "LocalExaminee"]
