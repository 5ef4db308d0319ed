"""Prompt packs: all sentences that gfactor itself adds to items, as data in TOML files."""

from gfactor.administration.packs.pack import KEYS, Pack, Packs, read_pack, shipped, template

__all__ = ["KEYS", "Pack", "Packs", "read_pack", "shipped", "template"]
