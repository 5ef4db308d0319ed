"""School subjects in English, for drawings and for readers who know no Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from gfactor.administration.packs import Packs

ENGLISH: Mapping[str, str] = Packs().find("multi", "en").words
"""Subjects and levels as MULTI's release writes them, in English: the words of the prompt pack that
asks in English (`eng`). Others stay as they are."""
