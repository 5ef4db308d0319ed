"""Pictures that are too small to be seen: under 100 x 100 pixels (M3GIA, appendix D.2)."""

from __future__ import annotations

from gfactor.benchmarks.quality.bank_survey import Survey
from gfactor.benchmarks.quality.check import CheckOutcome, register
from gfactor.benchmarks.quality.finding import Case, Finding

LEAST = 100
"""Pixels; "we locate all blurry images with resolutions lower than 100 x 100 px"."""


@register("small_images", f"pictures under {LEAST} x {LEAST} pixels")
def check(survey: Survey) -> CheckOutcome:
    """Find pictures with a side shorter than `LEAST`; those with both sides shorter are counted
    separately."""
    cases, n, both = [], 0, 0
    for item in survey.items:
        small = []
        for look in item.looks:
            n += 1
            if min(look.width, look.height) < LEAST:
                small.append(f"{look.width} x {look.height}")
                both += max(look.width, look.height) < LEAST
        if small:
            cases.append(Case((item.id,), ", ".join(small)))
    left = survey.undecided("small_images", cases)
    measures = {"pictures": n, "both_sides_small": both}
    if not left:
        return CheckOutcome(n, (), measures)
    finding = Finding(
        "small_images",
        "warning",
        f"{len(left):,} of {len(survey.items):,} items have a picture with a side under "
        f"{LEAST} pixels ({both:,} of {n:,} pictures are smaller in both).",
        "Replace them by pictures of a higher resolution, or drop the items.",
        left,
        review=True,
        values=measures,
    )
    return CheckOutcome(n, (finding,), measures)
