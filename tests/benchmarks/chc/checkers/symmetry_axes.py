"""A line through the square's middle is an axis when every point and its mirror image have one
shade: reflections in lines at 0, 45, 90 and 135 degrees, of the points by coordinates."""


def answer(scene, options):
    fields = scene["fields"]
    n = len(fields)
    # Twice the coordinates of a field's middle, from the middle of the square.
    shade = {(2 * c - n + 1, 2 * r - n + 1): fields[r][c] for r in range(n) for c in range(n)}
    count = 0
    # The reflection in a line of direction (cos, sin) has the matrix of the doubled angle.
    for cos2, sin2 in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        mirror = {p: (cos2 * p[0] + sin2 * p[1], sin2 * p[0] - cos2 * p[1]) for p in shade}
        count += all(shade[p] == shade[q] for p, q in mirror.items())
    return options.index(count) if options else count
