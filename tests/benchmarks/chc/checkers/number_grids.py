"""The numbers from 0 to 9999 that make all lines of three follow one rule, tried one by one."""


def answer(scene, options):
    rows = scene["rows"]
    found = set()
    for lines in (rows, [list(column) for column in zip(*rows, strict=True)]):
        if len(lines[0]) != 3:
            continue
        broken = next(line for line in lines if -1 in line)
        whole = [line for line in lines if line is not broken]
        rules = [rule for rule in _RULES if len({rule(*line) for line in whole}) == 1]
        for n in range(10000):
            full = [n if x == -1 else x for x in broken]
            for rule in rules:
                # A rule without a constant is an expression that must be 0.
                if rule(*full) == rule(*whole[0]) and (rule not in _PLAIN or rule(*full) == 0):
                    found.add(n)
    (number,) = found
    return options.index(number) if options else number


_PLAIN = [
    lambda a, b, c: c - a * b,
    lambda a, b, c: (c - b) - (b - a),
    lambda a, b, c: c - b - 2 * a,
    lambda a, b, c: c - a - 2 * b,
]
_CONSTANT = [lambda a, b, c: c - a - b, lambda a, b, c: c - a + b, lambda a, b, c: a + b + c]
_RULES = _PLAIN + _CONSTANT
