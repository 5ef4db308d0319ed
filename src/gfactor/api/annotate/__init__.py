"""People edit and grade items, and label what went wrong: `gf.annotate.new`, `serve` ..."""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.api.annotate.exchange import Sampled as Sampled
    from gfactor.api.annotate.exchange import export as export
    from gfactor.api.annotate.exchange import label_studio as label_studio
    from gfactor.api.annotate.exchange import labels as labels
    from gfactor.api.annotate.exchange import responses as responses
    from gfactor.api.annotate.hosting import backup as backup
    from gfactor.api.annotate.hosting import deploy as deploy
    from gfactor.api.annotate.hosting import restore as restore
    from gfactor.api.annotate.projects import agreement as agreement
    from gfactor.api.annotate.projects import assign as assign
    from gfactor.api.annotate.projects import invite as invite
    from gfactor.api.annotate.projects import new as new
    from gfactor.api.annotate.projects import serve as serve
    from gfactor.api.annotate.quality import annotators as annotators
    from gfactor.api.annotate.quality import comments as comments
    from gfactor.api.annotate.quality import consensus as consensus
    from gfactor.api.annotate.quality import gold as gold
    from gfactor.api.annotate.quality import records as records
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
