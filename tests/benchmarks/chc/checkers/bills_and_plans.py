"""The bill as a till adds it: lots taken off the basket one after the other until it is empty."""


def answer(scene, options):
    prices = {one["form"]: one for one in scene["prices"]}
    total = 0
    for one in scene["bought"]:
        left, lot = one["count"], prices[one["form"]]
        while left > 0:
            left -= lot["pieces"]
            total += lot["price"]
        assert left == 0
    found = scene["paid"] - total if scene["paid"] else total
    assert found > 0
    return options.index(found) if options else found
