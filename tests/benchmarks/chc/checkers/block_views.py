"""A view is what rays parallel to the floor hit, ray by ray, from the side of the onlooker."""


def answer(scene, options):
    cubes = {
        (x, y, z)
        for y, row in enumerate(scene["heights"])
        for x, height in enumerate(row)
        for z in range(height)
    }
    base = len(scene["heights"])
    seen = []
    for k in range(base):
        # The onlooker's left is x = 0 from the front, the front from the right side, the back
        # from the left side.
        hit = 0
        for z in range(10):
            for depth in range(base):
                ray = {
                    "front": (k, depth, z),
                    "right": (base - 1 - depth, k, z),
                    "left": (depth, base - 1 - k, z),
                }[scene["side"]]
                if ray in cubes:
                    hit = z + 1
                    break
        seen.append(hit)
    return [list(option) for option in options].index(seen)
