"""People answer a bank's items in their browsers: `gf.study.new`, `serve`, `export` ..."""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.api.study.hosting import backup, backups, deploy, restore
    from gfactor.api.study.owning import NewStudy, amend, close, export, new, password, status
    from gfactor.api.study.paying import appeal, pay, payments
    from gfactor.api.study.piloting import check, preview
    from gfactor.api.study.running import StudyLog, log, owners, pause, person, reopen, resume
    from gfactor.api.study.taking import (
        jspsych,
        links,
        result_links,
        resume_links,
        serve,
        simulate,
    )

__all__ = [
    "backup",
    "backups",
    "deploy",
    "restore",
    "NewStudy",
    "StudyLog",
    "amend",
    "appeal",
    "check",
    "close",
    "export",
    "jspsych",
    "links",
    "log",
    "new",
    "owners",
    "password",
    "pay",
    "payments",
    "pause",
    "person",
    "preview",
    "reopen",
    "result_links",
    "resume",
    "resume_links",
    "serve",
    "simulate",
    "status",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "hosting": ("backup", "backups", "deploy", "restore"),
        "owning": ("NewStudy", "amend", "close", "export", "new", "password", "status"),
        "paying": ("appeal", "pay", "payments"),
        "piloting": ("check", "preview"),
        "running": ("StudyLog", "log", "owners", "pause", "person", "reopen", "resume"),
        "taking": ("jspsych", "links", "result_links", "resume_links", "serve", "simulate"),
    },
)
