"""A stack holds as many cubes as there are unit cubes that rest on the floor or on a cube."""


def answer(scene, options):
    cubes = set()
    for y, row in enumerate(scene["heights"]):
        for x, height in enumerate(row):
            z = 0
            while z < height:
                assert z == 0 or (x, y, z - 1) in cubes
                cubes.add((x, y, z))
                z += 1
    return options.index(len(cubes)) if options else len(cubes)
