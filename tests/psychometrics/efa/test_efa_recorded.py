"""Extraction, rotation, fit and omega agree with R's psych, GPArotation and factanal.

Recorded on 2026-11-21 with R 4.2.2, psych 2.2.9, GPArotation 2022.10.2 from the sample d of
`three_correlated_factors`: factanal(covmat = cor(d), n.obs = 240, factors = 3, rotation = "none",
control = list(opt = list(factr = 1, pgtol = 0))), and of its loadings oblimin, geominQ,
Varimax(normalize = TRUE), quartimax with eps = 1e-12; fa(cor(d), 3, n.obs = 240, fm = "ml");
omega(cor(d), 3, fm = "ml").
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from support.factor_samples import three_correlated_factors

from gfactor.psychometrics.factor.exploratory import Efa, efa, schmid_leiman

UNIQUENESSES = """0.242747781755 0.512240677485 0.774051243777 0.262556515523 0.584260288219
0.736711241296 0.349149156287 0.596644484763 0.573221120814"""
CHI_SQUARE = 7.2325757559444
FIT = {"tli": 1.0256654678, "rmsea": 0.0, "rmsea_high": 0.0382022029633, "bic": -58.5350913105}
OMEGA = (0.632480233829, 0.851140381505, 0.743097434421, 0.799581705312)
LOADINGS = {
    "oblimin": """0.20363026295695 0.08752900223419 0.69430031092594
-0.10443183225280 -0.02721526200229 0.76112498034739
0.06850730953432 0.03781293349357 0.41477317027030
0.84767884377032 0.04293427115203 -0.01603025993534
0.49555989569689 0.02541671221552 0.20605512841945
0.54531827476043 -0.13015493168046 0.02375619710004
0.00909620215514 0.82887956431540 -0.05948400195281
-0.00575294495353 0.61269949476926 0.05050800955863
-0.01256475307862 0.54131591767830 0.20176589822194""",
    "geomin": """0.25433660881278 0.05306603699271 0.68373976531377
-0.05287082852338 -0.05773599486253 0.74769795243455
0.09819443354645 0.01831430276676 0.40830402743708
0.85456697289338 0.02924690742986 -0.01797367587690
0.51451649556779 0.00817101063072 0.20120698746710
0.55072761030422 -0.13790035516507 0.01790825352029
0.01231923572599 0.81804032738600 -0.03742861487990
0.00306369981103 0.60083689039361 0.06522839097529
0.00604585398074 0.52421692100303 0.21208689505682""",
    "varimax": """0.4089842061707 0.3079882606753 0.7036528748880
0.1191075981640 0.1365017382010 0.6744923860446
0.1918489104920 0.1566905618059 0.4056979443101
0.8009706261780 0.2496816657201 0.1831627876778
0.5311492623583 0.1997550023877 0.3061341373183
0.4988178913406 0.0164769266589 0.1191552778782
0.1298616718086 0.7892183799054 0.1054568072972
0.1118003373097 0.6037153992080 0.1624312696270
0.1375673797375 0.5705187952293 0.2869885033423""",
    "quartimax": """0.3820456850932 0.2555188267129 0.7389204569140
0.0859283035436 0.1013698342034 0.6856382476701
0.1753740934428 0.1288697944565 0.4225934950509
0.8005721237193 0.1979905009821 0.2394316629666
0.5217364671345 0.1576326177102 0.3445035944808
0.4910877661460 -0.0156011636237 0.1479127030215
0.1639975738710 0.7758896065484 0.1481585549518
0.1330420685719 0.5894068670441 0.1955885198254
0.1496532948030 0.5496556637189 0.3197834007961""",
}
CORRELATIONS = {
    "oblimin": (0.442380475720, 0.543695811673, 0.465408547331),
    "geomin": (0.441694541774, 0.508221813850, 0.462562658830),
}


def numbers(text: str) -> np.ndarray:
    return np.array(text.split(), float)


def aligned(found: Efa, loadings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Loadings and factor correlations of `found` in the order of `loadings`."""
    values, phi = found.loadings.to_numpy(), found.phi.to_numpy()
    orders = [list(order) for order in itertools.permutations(range(found.factors))]
    best = min(orders, key=lambda order: np.abs(values[:, order] - loadings).max())
    return values[:, best], phi[np.ix_(best, best)]


@pytest.mark.parametrize("rotation", list(LOADINGS))
def test_rotations(rotation: str) -> None:
    found = efa(three_correlated_factors(), 3, rotation=rotation)
    expected = numbers(LOADINGS[rotation]).reshape(9, 3)
    loadings, phi = aligned(found, expected)
    np.testing.assert_allclose(loadings, expected, rtol=1e-6, atol=1e-7)
    if rotation in CORRELATIONS:
        np.testing.assert_allclose(phi[np.triu_indices(3, 1)], CORRELATIONS[rotation], rtol=1e-6)
    else:
        assert not found.oblique


def test_extraction_and_fit() -> None:
    found = efa(three_correlated_factors(), 3)
    np.testing.assert_allclose(found.indicators["uniqueness"], numbers(UNIQUENESSES), rtol=1e-6)
    assert found.fit.chi_square == pytest.approx(CHI_SQUARE, rel=1e-11)
    for name, value in FIT.items():
        assert getattr(found.fit, name) == pytest.approx(value, rel=1e-5), name
    assert found.gradient < 1e-9
    assert found.diagnostics == ()


def test_omega() -> None:
    found = schmid_leiman(efa(three_correlated_factors(), 3))
    mine = (found.omega_hierarchical, found.omega_total, found.omega_limit, found.alpha)
    assert mine == pytest.approx(OMEGA, rel=1e-5)
    assert found.to_dict()["ecv"] == pytest.approx(0.527498971687, rel=1e-5)
