"""Settings of a study that belong together: pay, rules for marks, adaptive blocks, conduct."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gfactor.errors import ParameterError
from gfactor.studies.questionnaires.study.page_definitions import Text, is_calibration_name


@dataclass(frozen=True)
class Pay:
    """Pay of participants: it grows with right answers (M3GIA, appendix E.1).

    `base` is paid for a completed study, `per_right` for every point earned, `most` is the cap
    (0: none), `currency` is shown beside the sum.
    """

    currency: str = ""
    base: float = 0.0
    per_right: float = 0.0
    most: float = 0.0


@dataclass(frozen=True)
class Signature:
    """Settings for signed addresses, without which participants of the recruiting service cannot
    begin.

    Parameters
    ----------
    studies: the service's ids of the studies whose participants may begin; a signature for another
    study is invalid here.
    keys: file with the service's public keys (a JSON Web Key Set) next to study.toml; "" for those
        that it publishes, which are fetched at least daily.
    parameter: the URL parameter that holds the signature; "" for the service's own.
    """

    studies: tuple[str, ...] = ()
    keys: str = ""
    parameter: str = ""

    def __post_init__(self) -> None:
        if not self.studies or not all(map(str.strip, self.studies)):
            raise ParameterError(
                "studies of [signature] is empty; name the service's ids of the studies whose "
                "participants may begin"
            )
        if self.keys and not is_calibration_name(self.keys):
            raise ParameterError(
                f"keys of [signature] is {self.keys!r}; give the name of a .json file in the "
                "folder of the study"
            )


EXCLUSIONS = ("attention", "speeding", "straightlining")
"""Reasons for which a finished submission may be left unpaid."""


@dataclass(frozen=True)
class Payment:
    """Reasons for which a finished submission is not paid.

    Parameters
    ----------
    exclude: reasons among `EXCLUSIONS`, each of which is enough: "attention" (more check questions
        wrong than `Rules.checks_wrong`), "speeding" (a larger share of fast answers than
        `Rules.rapid_share`), "straightlining" (as many choices in a row at the same place as
        `Rules.same_option`). Straight-lining is not excluded by default: with two options, eight
        choices in a row at the same position come by chance once in 128 starts.
    """

    exclude: tuple[str, ...] = ("attention", "speeding")

    def __post_init__(self) -> None:
        for name in self.exclude:
            if name not in EXCLUSIONS:
                raise ParameterError(
                    f"exclude of [payment] names {name!r}; it has {', '.join(EXCLUSIONS)}"
                )
        if len(set(self.exclude)) < len(self.exclude):
            raise ParameterError(
                f"exclude of [payment] is {list(self.exclude)}; name each reason once"
            )


@dataclass(frozen=True)
class Rules:
    """Rules that mark a submission; marks are only labels, and nothing is deleted because of them.

    Parameters
    ----------
    checks_wrong: more wrong check questions than this make a submission invalid (M3GIA: 2).
    rapid_s: answers faster than this are rapid guesses; 1 s is too short to read any question. The
    time is limited by the server's clock. rapid_share: a larger share of rapid answers marks a
    submission as speeding (Wise & Kong,
        2005, use 0.1 as the limit of effort).
    same_option: number of choice answers in a row at the same place that mark straight-lining.
        Among four options in random order 8 in a row come by chance once in 4^7 = 16,384 starts.
    away_s: total time away from the page, in seconds, above which a submission is marked as
    distracted.
    """

    checks_wrong: int = 2
    rapid_s: float = 1.0
    rapid_share: float = 0.1
    same_option: int = 8
    away_s: float = 120.0


@dataclass(frozen=True)
class Conduct:
    """Conduct of a study: the responsible persons and the facts for the page on data protection,
    which `study check` requires. A text is one text, or a table with one for each language.

    Parameters
    ----------
    controller: institution and address that are responsible.
    purpose: purpose of the data.
    legal_basis: legal basis of processing them; "" for the interface's own sentence: consent.
    recipients: other recipients of the data; "" for the interface's own sentence.
    officer: the data protection officer's address.
    authority: the supervisory authority to which participants can complain.
    ethics: the number of the ethics approval.
    minimum_per_hour: the least pay per hour, in the currency of pay; 0 if there is none.
    """

    controller: Text = ""
    purpose: Text = ""
    legal_basis: Text = ""
    recipients: Text = ""
    officer: Text = ""
    authority: Text = ""
    ethics: str = ""
    minimum_per_hour: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.minimum_per_hour < math.inf:
            raise ParameterError(
                f"minimum_per_hour of a study is {self.minimum_per_hour}; give 0 or more"
            )


@dataclass(frozen=True)
class Adaptive:
    """Settings of an adaptive block, whose items are chosen by the person's earlier answers.

    Parameters
    ----------
    calibration: the file of `gfactor calibrate` next to study.toml. digest: digest of the
    calibration (SHA-256), by which another one is refused. max_items: largest number of items of a
    person. se: standard error of ability at which the block ends, in logits of the calibration.
    among: number of best items among which each item is drawn, so that people begin with different
    items.
    """

    calibration: str = "calibration.json"
    digest: str = ""
    max_items: int = 20
    se: float = 0.3
    among: int = 1

    def __post_init__(self) -> None:
        for name, least in (("max_items", 1), ("among", 1)):
            if getattr(self, name) < least:
                raise ParameterError(
                    f"{name} of an adaptive block is {getattr(self, name)}; give {least} or more"
                )
        if not 0 < self.se < math.inf:
            raise ParameterError(f"se of an adaptive block is {self.se}; give a positive number")
        if not is_calibration_name(self.calibration):
            raise ParameterError(
                f"calibration of an adaptive block is {self.calibration!r}; give the name of a "
                ".json file in the folder of the study"
            )
