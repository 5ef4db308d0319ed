"""Descriptions of the columns of a study's tables, for the data dictionary of exports."""

from __future__ import annotations

from collections.abc import Mapping

COLUMNS: Mapping[str, str] = {
    "code": "pseudonym of the participant",
    "position": "place of the question in the participant's form, from 0",
    "kind": "item, practice, check",
    "item": "id of the item in the bank; of a check question the option to select",
    "text": "the answer, in the item's own labels",
    "place": "place of the chosen option on the page, from 0",
    "earned": "points earned, after upheld challenges",
    "possible": "points that could be earned",
    "right": "whether the answer is right",
    "seconds": "seconds from shown to sent, by the browser's clock",
    "server_seconds": "seconds from shown to sent, by the server's clock",
    "away_count": "how often the participant left the page",
    "away_seconds": "seconds away from the page",
    "resized": "how often the window was resized",
    "late": "whether the answer came after the time limit",
    "created": "when it was stored (UTC)",
    "void": "whether the item counts for nobody, by an upheld challenge",
    "turn": "turn of a conversation, from 0",
    "language": "language of the interface",
    "languages_read": "languages that the participant reads, among which theirs was drawn",
    "consent_version": "version of the consent text",
    "declaration": "digest of the study as it was declared then",
    "started": "when consent was given (UTC)",
    "finished": "when the last question was answered (UTC)",
    "outcome": "screened_out, quota_full: how it ended before the last page; empty for others",
    "items": "answers to items that count",
    "checks": "check questions answered",
    "checks_wrong": "check questions answered wrong",
    "rapid_share": "share of answers faster than the rule rapid_s",
    "median_seconds": "median seconds of answers to items",
    "longest_run": "most choices in a row at the same place of the page",
    "invalid": "mark: more check questions wrong than the rule checks_wrong",
    "speeding": "mark: rapid_share above the rule",
    "straight_lining": "mark: longest_run at the rule same_option or above",
    "distracted": "mark: away longer than the rule away_s",
    "incomplete": "mark: not finished",
    "reason": "what the participant says is wrong with the item",
    "verdict": "accept, void, reject; empty until it is decided",
    "reply": "the owner's reply",
    "answer": "right as well; empty if the item is void",
    "block": "block of the study",
    "entry": "item or design cell of the calibration",
    "theta_before": "ability by which the item was chosen, in logits of the calibration",
    "se_before": "its standard error",
    "theta": "ability after the answer (posterior mean), in logits of the calibration",
    "se": "its standard error (posterior standard deviation)",
    "stop": "why the block ended: se, items, bank; empty if it has not",
    "condition": "condition that the participant was allocated to",
    "order": "blocks in the participant's order",
    "not_shown": "pages that the participant did not see because of their answers (show_if)",
}
"""Descriptions by column."""

OF_PARTICIPANTS = frozenset({
    "code", "participant_id", "language", "languages_read", "condition", "order", "not_shown",
    "consent_version", "declaration", "started", "finished", "items", "checks", "checks_wrong",
    "rapid_share", "median_seconds", "longest_run", "away_seconds", "invalid", "speeding",
    "straight_lining", "distracted", "incomplete", "outcome",
})  # fmt: skip
"""Columns that every participant has; a question with such a name would hide one."""
