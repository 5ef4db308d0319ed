"""The definition of a running span: the end of all that was shown, in order or in reverse."""


def answer(scene, options):
    digits = "".join(str(digit) for turn in scene["shown"] for digit in turn)
    tail = digits[len(digits) - scene["last"] :]
    return [int("".join(reversed(tail)) if scene["backwards"] else tail)]
