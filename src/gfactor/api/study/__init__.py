"""People answer a bank's items in their browsers: `gf.study.new`, `serve`, `export` ..."""

from gfactor.api.study.hosting import backup, deploy, restore
from gfactor.api.study.owning import NewStudy, amend, close, export, new, password, status
from gfactor.api.study.paying import payments
from gfactor.api.study.running import StudyLog, log, owners, pause, reopen, resume
from gfactor.api.study.taking import jspsych, links, result_links, serve, simulate

__all__ = [
    "backup",
    "deploy",
    "restore",
    "NewStudy",
    "StudyLog",
    "amend",
    "close",
    "export",
    "jspsych",
    "links",
    "log",
    "new",
    "owners",
    "password",
    "payments",
    "pause",
    "reopen",
    "result_links",
    "resume",
    "serve",
    "simulate",
    "status",
]
