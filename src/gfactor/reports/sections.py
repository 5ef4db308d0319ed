"""The sections of a report, in reading order."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """A section: its name (also its anchor), its heading, and a sentence of introduction."""

    name: str
    title: str
    intro: str


SECTIONS: tuple[Section, ...] = (
    Section("summary", "Summary", "Who answered, and how well."),
    Section(
        "people",
        "People beside models",
        "What people can do on the same items, with intervals over persons and items.",
    ),
    Section(
        "paper",
        "The paper's tables",
        "As the benchmark's authors print them; their rows stand below ours, marked as published.",
    ),
    Section("conditions", "Between conditions", "The same items, put in two ways."),
    Section("replies", "Replies", "What the replies are like, right or wrong."),
    Section("errors", "Errors", "What goes wrong, as people have labeled it."),
    Section("domains", "By domain", "What each examinee can and cannot do."),
    Section("breakdowns", "By skill, answer type and size", "The same answers, grouped otherwise."),
    Section(
        "curves",
        "Accuracy against size",
        "How much there may be to see before accuracy falls: one psychometric function per domain.",
    ),
    Section(
        "reliability",
        "Reliability",
        "Whether the score tells examinees apart, and what limits those of the population.",
    ),
    Section("format", "Format errors", "Replies that do not conform to the output format."),
    Section("published", "Published figures", "What the benchmark's authors report."),
)
