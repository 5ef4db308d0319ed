"""Example data sets that come with gfactor: `gf.datasets.load("vlm_items")`."""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.api.datasets.loading import Dataset, load

__all__ = ["Dataset", "load"]

__getattr__, __dir__ = lazy_names(__name__, {"loading": ("Dataset", "load")})
