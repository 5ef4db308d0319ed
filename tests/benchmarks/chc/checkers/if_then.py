"""The option whose opposite, supposed besides the rules and facts, leads to a contradiction."""


def answer(scene, options):
    found = [k for k, one in enumerate(options) if not _possible(scene, {**one, "not": True})]
    assert _possible(scene, None)
    (right,) = found
    return right


def _possible(scene, supposed):
    """Whether some coloring satisfies everything: clauses of two, closed by propagation.

    For clauses of two literals each sign can be settled on its own: a color is tried, what follows
    is followed, and it is dropped where that contradicts.
    """
    true = {(f["form"], f["shade"] == "black") for f in scene["facts"]}
    if supposed is not None:
        true.add((supposed["form"], supposed["shade"] != "black"))
    clauses = [
        ((r["given"]["form"], r["given"]["shade"] != "black"),
         (r["then"]["form"], r["then"]["shade"] == "black"))
        for r in scene["rules"]
    ]  # fmt: skip
    if (true := _closed(true, clauses)) is None:
        return False
    for form in {form for clause in clauses for form, _ in clause}:
        if {(form, True), (form, False)} & true:
            continue
        tries = [_closed({*true, (form, black)}, clauses) for black in (True, False)]
        left = [one for one in tries if one is not None]
        if not left:
            return False
        true = left[0]
    return True


def _closed(true, clauses):
    true = set(true)
    grown = True
    while grown:
        grown = False
        for one, two in clauses:
            for a, b in ((one, two), (two, one)):
                if (a[0], not a[1]) in true and b not in true:
                    true.add(b)
                    grown = True
    return None if any((form, not black) in true for form, black in true) else true
