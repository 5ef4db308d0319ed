"""People answer a bank's items in their browsers: `gf.study.new`, `serve`, `export` ..."""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.api.study.hosting import backup as backup
    from gfactor.api.study.hosting import backups as backups
    from gfactor.api.study.hosting import deploy as deploy
    from gfactor.api.study.hosting import restore as restore
    from gfactor.api.study.owning import NewStudy as NewStudy
    from gfactor.api.study.owning import amend as amend
    from gfactor.api.study.owning import close as close
    from gfactor.api.study.owning import export as export
    from gfactor.api.study.owning import new as new
    from gfactor.api.study.owning import password as password
    from gfactor.api.study.owning import status as status
    from gfactor.api.study.paying import appeal as appeal
    from gfactor.api.study.paying import pay as pay
    from gfactor.api.study.paying import payments as payments
    from gfactor.api.study.piloting import check as check
    from gfactor.api.study.piloting import preview as preview
    from gfactor.api.study.running import StudyLog as StudyLog
    from gfactor.api.study.running import log as log
    from gfactor.api.study.running import owners as owners
    from gfactor.api.study.running import pause as pause
    from gfactor.api.study.running import person as person
    from gfactor.api.study.running import reopen as reopen
    from gfactor.api.study.running import resume as resume
    from gfactor.api.study.taking import jspsych as jspsych
    from gfactor.api.study.taking import links as links
    from gfactor.api.study.taking import result_links as result_links
    from gfactor.api.study.taking import resume_links as resume_links
    from gfactor.api.study.taking import serve as serve
    from gfactor.api.study.taking import simulate as simulate
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
