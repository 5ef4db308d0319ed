"""A figure is another one turned when a rotation of the plane about their centers of mass carries
one onto the other; the squares' middles are complex numbers, a rotation a factor of modulus 1."""


def centered(cells):
    points = [complex(c, r) for r, c in cells]
    middle = sum(points) / len(points)
    return [p - middle for p in points]


def answer(scene, options):
    own, fits = centered(scene["figure"]), []
    far = max(own, key=abs)
    for number, (cells, _) in enumerate(options):
        other = centered(cells)
        # A rotation carries the farthest square to one that is as far.
        factors = [p / far for p in other if abs(abs(p) - abs(far)) < 1e-9]
        for factor in factors:
            image = [p * factor for p in own]
            if all(min(abs(p - q) for q in other) < 1e-9 for p in image):
                fits.append(number)
                break
    assert len(fits) == 1
    return fits[0]
