"""Pieces fill an outline when some placement of each, all disjoint, covers it: all placements of
all pieces as bit masks, joined one piece after the other, without regard to order or corners."""


def placements(piece, board):
    found = set()
    for turn in range(4):
        cells = [tuple(cell) for cell in piece]
        for _ in range(turn):
            cells = [(c, -r) for r, c in cells]
        for r0, c0 in board:
            dr, dc = r0 - cells[0][0], c0 - cells[0][1]
            moved = [(r + dr, c + dc) for r, c in cells]
            if all(cell in board for cell in moved):
                found.add(sum(1 << board[cell] for cell in moved))
    return found


def answer(scene, options):
    board = {tuple(cell): k for k, cell in enumerate(scene["outline"])}
    fits = []
    for number, pieces in enumerate(options):
        assert sum(map(len, pieces)) == len(board)
        covered = {0}
        for piece in pieces:
            masks = placements(piece, board)
            covered = {a | b for a in covered for b in masks if not a & b}
        if (1 << len(board)) - 1 in covered:
            fits.append(number)
    assert len(fits) == 1
    return fits[0]
