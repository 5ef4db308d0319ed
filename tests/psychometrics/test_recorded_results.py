"""No number and no sentence of a result changes unnoticed.

The modules `recorded_*.py` make the results; `recorded/ROOM.json` holds the figures of each.
Other tests compare the numbers with other programs. After an intended change, record the cases
whose name holds one of the words again, and read the difference:

    PYTHONPATH=src:tests python tests/psychometrics/test_recorded_results.py [WORD ...]
"""

from __future__ import annotations

import sys
import warnings
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
import recorded_designs
import recorded_edges
import recorded_edges_of_models
import recorded_edges_of_scores
import recorded_items
import recorded_latent
import recorded_plans
import recorded_requests
import recorded_rooms
import recorded_sem
import recorded_syntax
import recorded_tables
from support.records import Wider, read_records, record, unlike
from support.tiers import slow

RECORDED = Path(__file__).with_name("recorded")
ROOMS = {
    "sem": recorded_sem,
    "syntax": recorded_syntax,
    "latent": recorded_latent,
    "items": recorded_items,
    "requests": recorded_requests,
    "rooms": recorded_rooms,
    "designs": recorded_designs,
    "plans": recorded_plans,
    "tables": recorded_tables,
    "edges": recorded_edges,
    "edges of scores": recorded_edges_of_scores,
    "edges of models": recorded_edges_of_models,
}
CASES = {f"{room}: {name}": (room, name) for room in ROOMS for name in ROOMS[room].CASES}

LARGER = {
    "sem: ordinal_groups_theta": "sem: ordinal_theta",
    "sem: ord_groups_strict": "sem: ordinal_groups",
    "sem: ord_groups_wlsm": "sem: ord_wlsm",
    "sem: ord_mixed_groups": "sem: ord_mixed",
    "sem: cov_groups": "sem: cov_mimic",
    "sem: cov_mimic_theta": "sem: cov_mimic",
    "sem: cov_mimic_ulsmv": "sem: ord_ulsmv",
    "sem: cov_mimic_wls": "sem: ord_wls",
    "sem: weighted_groups": "sem: weighted_wlsmv",
    "sem: pair_groups": "sem: pair_wlsmv",
    "sem: pair_covariate": "sem: pair_wlsmv",
    "sem: effect_coding_groups": "sem: effect_coding",
    "sem: stages_groups": "sem: stages",
    "sem: replay_groups_gls": "sem: cfa_gls",
    "sem: replay_groups_ulsmv": "sem: ord_ulsmv",
    "sem: replay_wishart_groups": "sem: replay_wishart_mlr",
    "sem: groups_strict": "sem: groups_metric",
    "sem: groups_scalar": "sem: groups_metric",
    "sem: groups_configural": "sem: groups_metric",
    "sem: design_weights_metric": "sem: design_weights",
    "sem: design_weights_groups": "sem: design_weights",
    "sem: design_clusters_groups": "sem: design_clusters",
    "sem: bootstrap groups_scalar": "sem: bootstrap cfa_ml",
    "sem: bifactor": "sem: cfa_stdlv",
    "sem: invariance of ordinal answers": "sem/test_invariance.py",
    "sem: bootstrap fiml": "sem: bootstrap cfa_ml",
    "sem: ord_wlsmvs": "sem: ordinal_wlsmv",
    "sem: ordinal_dwls": "sem: ordinal_wlsmv",
    "sem: parametric groups_metric": "sem: groups_metric",
    "sem: weighted_mixed": "sem: ord_mixed",
    "sem: weighted_theta": "sem: ordinal_theta",
    "sem: weighted_pairwise": "sem: pair_wlsmv",
    "sem: pair_listwise": "sem: pair_wlsmv",
    "sem: pair_mixed": "sem: ord_mixed",
    "sem: pair_wls_available": "sem: ord_wls",
    "sem: cov_mixed": "sem: ord_mixed",
    "sem: second_order_mlr": "sem: second_order",
    "sem: effect_coding_second_order": "sem: effect_coding",
    "sem: design_both_fiml": "sem: design_both",
    "sem: design_clusters_fiml": "sem: design_clusters",
    "sem: design_weights_fiml": "sem: design_weights",
    "sem: gaps_yuan_bentler_unstructured": "sem: gaps_yuan_bentler",
    "latent: ordinal with covariates": "sem/test_ordinal_covariates.py",
    "latent: explored": "efa/test_efa_recorded.py",
    "latent: path results": "pls/test_pls_result.py",
    "rooms: 2pl": "rooms: sandwich",
    "rooms: 3pl": "rooms: priors",
    "rooms: generalized partial credit": "rooms: partial credit",
    "rooms: clustered": "rooms: sandwich",
    "rooms: guess": "items: shrunk",
    "rooms: pruning": "pruning/test_pruning_worth.py",
    "rooms: benchmarks": "gold/test_gold_diagnostics.py",
    "rooms: one model per item": "requests: item models",
    "rooms: rating": "rooms: partial credit",
    "rooms: respondents": "plans: small forensics",
    "rooms: psychophysics": "plans: small psychometric functions",
    "rooms: two factors": "rooms: factors",
    "rooms: pls anchor_factorial": "rooms: pls chain_factorial",
    "rooms: pls chain_path": "rooms: pls five_constructs",
    "rooms: pls chain_centroid": "rooms: pls mixed_modes_centroid",
    "rooms: pls negative_paths_centroid": "rooms: pls mixed_modes_centroid",
    "rooms: pls consistent": "rooms: pls consistent_mixed",
    "rooms: pls interaction_product": "rooms: pls interaction_orthogonal",
    "rooms: pls second_order_two_stage_b": "rooms: pls second_order_two_stage",
    "items: broken": "irt/test_broken_items.py",
    "items: polytomous": "rooms: graded",
    "items: unequal": "rooms: dif",
    "items: testlets": "irt/test_testlet_effects.py",
    "items: many": "irt/test_large_problems.py",
    "items: by design": "rooms: design",
    "plans: gap analysis": "plans: small perception gap",
    "plans: plan threshold": "edges of models: planned",
    "plans: plan phi": "plans: plan e_rho2",
    "plans: plan graded pilot": "plans: plan pilot",
    "plans: plan clusters": "plans: plan se, clusters",
    "tables: parts of gaps": "designs: trees",
    "tables: forms": "irt/test_forms_by_enumeration.py",
    "tables: released equalities": "sem: partial invariance",
    "edges: differences": "rooms: differences",
    "edges: one by one": "designs: sequential",
    "edges of scores: aligned": "plans: small alignment",
    "edges of scores: copied": "plans: small forensics",
    "edges of scores: consensus": "agreement/test_consensus.py",
    "edges of scores: normed": "plans: small norms",
    "edges of models: trees of gaps": "designs: trees",
    "edges of models: gold and pruned": "pruning/test_pruning_worth.py",
}
"""Cases that `make test-all` looks at, and what goes the same way in `make test`: another case, or
a file of tests beside this one."""

WIDER: tuple[Wider, ...] = ()
"""Figures that the last bits of their input move by more than a millionth, and why."""


def result(room: str, name: str) -> dict[str, object]:
    with np.errstate(all="ignore"):
        return ROOMS[room].CASES[name]()


@cache
def records(room: str) -> dict[str, object]:
    return read_records(RECORDED / f"{room.replace(' ', '_')}.json")


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=slow) if case in LARGER else case for case in CASES]
)
def test_a_result_is_what_was_recorded(case: str) -> None:
    room, name = CASES[case]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = result(room, name)
    differences = unlike(case, found, records(room)[name], WIDER)
    assert not differences, "\n".join(differences)


def test_every_larger_case_has_a_quick_one_beside_it() -> None:
    assert CASES.keys() >= LARGER.keys()
    for nearest in LARGER.values():
        file = Path(__file__).parent / nearest
        assert (nearest in CASES and nearest not in LARGER) or file.is_file(), nearest


def main(words: list[str]) -> None:
    for room, made in ROOMS.items():
        cases = {name: partial(result, room, name) for name in made.CASES}
        chosen = [n for n in cases if any(word in f"{room}: {n}" for word in words)]
        if chosen or not words:
            record(RECORDED / f"{room.replace(' ', '_')}.json", cases, chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
