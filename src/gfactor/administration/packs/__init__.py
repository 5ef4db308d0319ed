"""Prompt packs: everything gfactor itself says to an examinee, as data in TOML files."""

from gfactor.administration.packs.pack import KEYS, Pack, Packs, read_pack, shipped

__all__ = ["KEYS", "Pack", "Packs", "read_pack", "shipped"]
