"""Example data sets that come with gfactor: `gf.datasets.load("vlm_items")`."""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.api.datasets.loading import Dataset as Dataset
    from gfactor.api.datasets.loading import load as load
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
