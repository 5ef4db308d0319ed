"""School subjects in English, for drawings and for readers who know no Chinese."""

from __future__ import annotations

from collections.abc import Mapping

ENGLISH: Mapping[str, str] = {
    "语文": "Chinese", "数学": "mathematics", "英语": "English", "物理": "physics",
    "化学": "chemistry", "生物": "biology", "历史": "history", "地理": "geography",
    "政治": "politics", "驾考": "driving test", "行测": "administrative aptitude test",
    "计算机": "computer science", "医学": "medicine", "经济": "economics", "法律": "law",
    "管理": "management", "心理": "psychology", "教育": "education", "工程": "engineering",
    "信息技术": "information technology", "科学": "science", "音乐": "music", "美术": "art",
    "体育": "sports", "道德与法治": "morality and law",
}  # fmt: skip
"""Subjects as MULTI's release writes them, in English; others stay as they are."""
