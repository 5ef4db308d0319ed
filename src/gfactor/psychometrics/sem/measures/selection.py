"""Choice of the variant of the test and of the fit indices for a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scipy.special import chdtri

MeasureValues = Mapping[str, float | None]


@dataclass(frozen=True)
class ReportedFit:
    """The test of exact fit and the indices for a report: scaled or robust ones if the fit has
    them. A value that does not exist is None.

    Parameters
    ----------
    chisq, df, pvalue: the test of exact fit. test: "", "scaled" or "bootstrap" (the p-value).
    cfi, tli, rmsea, rmsea_low, rmsea_high, close_pvalue: values in the variant `indices`: "",
        "scaled" or "robust"; the interval has the confidence `level`, the p-value is that of RMSEA
        <= .05.
    srmr: standardized root mean square residual; for a two-level model the larger one of both
    levels.
    """

    chisq: float | None
    df: float | None
    pvalue: float | None
    test: str
    cfi: float | None
    tli: float | None
    rmsea: float | None
    rmsea_low: float | None
    rmsea_high: float | None
    close_pvalue: float | None
    level: float
    indices: str
    srmr: float | None

    @property
    def testable(self) -> bool:
        """Return True if there are degrees of freedom and a test."""
        return bool(self.df and self.df > 0 and self.chisq is not None and self.pvalue is not None)

    def critical_n(self, n: float, alpha: float = 0.05) -> float:
        """Return the number of cases at which this misfit would just be rejected (Hoelter 1983)."""
        if not self.testable or not self.chisq or self.chisq <= 0:
            return float("inf")
        return float(chdtri(self.df, alpha)) / (self.chisq / n) + 1


def reported(measures: MeasureValues) -> ReportedFit:
    """Return the variants to report, from measures under lavaan's names."""
    test = ".scaled" if measures.get("chisq.scaled") is not None else ""
    index = next(
        (tag for tag in (".robust", ".scaled") if measures.get("rmsea" + tag) is not None), ""
    )
    drawn = measures.get("pvalue.bollen.stine")
    by_level = (measures.get("srmr_within"), measures.get("srmr_between"))
    return ReportedFit(
        chisq=measures.get("chisq" + test),
        df=measures.get("df" + test),
        pvalue=measures.get("pvalue" + test) if drawn is None else drawn,
        test=test.lstrip(".") if drawn is None else "bootstrap",
        cfi=measures.get("cfi" + index),
        tli=measures.get("tli" + index),
        rmsea=measures.get("rmsea" + index),
        rmsea_low=measures.get("rmsea.ci.lower" + index),
        rmsea_high=measures.get("rmsea.ci.upper" + index),
        close_pvalue=measures.get("rmsea.pvalue" + index),
        level=measures.get("rmsea.ci.level") or 0.9,
        indices=index.lstrip("."),
        srmr=max((one for one in by_level if one is not None), default=measures.get("srmr")),
    )
