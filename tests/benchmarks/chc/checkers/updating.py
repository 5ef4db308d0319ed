"""The definition of updating: every counter holds its last value, changed by what came after."""


def answer(scene, options):
    state = {}
    for turn in scene["turns"]:
        for update in turn:
            form, number = update["form"], update["number"]
            if update["change"] == "set":
                state[form] = number
            elif update["change"] == "up":
                state[form] += number
            else:
                state[form] -= number
    return [state[form] for form in scene["asked"]]
