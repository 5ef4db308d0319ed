"""The statement whose denial no Venn diagram of the premises allows, region by region."""

_DENIED = {"all": "some_not", "no": "some", "some": "no", "some_not": "all"}


def answer(scene, options):
    premises = [one["statement"] for one in scene["premises"]]
    assert _possible(premises)
    found = [
        k
        for k, one in enumerate(options)
        if not _possible([*premises, {**one, "mood": _DENIED[one["mood"]]}])
    ]
    (right,) = found
    return right


def _possible(statements):
    """Universal statements empty regions; each existential one needs a region that is left."""
    groups = sorted({g for s in statements for g in (s["subject"], s["predicate"])})
    place = {group: 1 << k for k, group in enumerate(groups)}
    left = range(2 ** len(groups))

    def region(one, inside):
        s, p = place[one["subject"]], place[one["predicate"]]
        return {r for r in left if r & s and bool(r & p) == inside}

    empty = set()
    for one in statements:
        if one["mood"] == "all":
            empty |= region(one, False)
        if one["mood"] == "no":
            empty |= region(one, True)
    needed = [region(s, s["mood"] == "some") for s in statements if s["mood"].startswith("some")]
    return all(one - empty for one in needed)
