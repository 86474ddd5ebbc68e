# cython: language_level=3
"""In which order the tiles of a train are laid, when it is known which they are.

Without wild ends that is a walk over all of them (Hierholzer). With wild ends it is a walk from the yard to the yard
(see ``leftovers.py``) over rounds that begin and end with a change or with a wild end, may be walked either way, and
come in such an order that two changes never meet: a round with one of each fits anywhere, those with two changes
alternate with those with two wild ends.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.stationmaster.engine.bits import lowest
    from cython.cimports.stationmaster.engine.layout import NUMBERS, WILD
else:
    from stationmaster.engine.bits import lowest
    from stationmaster.engine.layout import NUMBERS, WILD

# How a walk goes on
TILE = 0  # over a tile with two numbers
HALF = 1  # over n-W
LETTER = 2  # over a letter tile
RED = 3  # over W-W
CHANGE = 4  # without a tile, between a number and the yard
END = 5  # not at all


def straight(rows: list, start: cython.int, doubles: cython.uint) -> list:
    """The tiles, (attached, exposed) each, on a walk over all of them; a double where its number first shows."""
    stack: list = [start]
    walk: list = []
    v: cython.int
    w: cython.int
    row: cython.uint
    while stack:
        v = stack[len(stack) - 1]
        row = rows[v]
        if row:
            w = lowest(row)
            rows[v] = row & (row - 1)
            row = rows[w]
            rows[w] = row & ~(cython.cast(cython.uint, 1) << v)
            stack.append(w)
        else:
            walk.append(v)
            stack.pop()
    path: list = []
    v = WILD
    while walk:
        w = walk.pop()
        if v != WILD:
            path.append((v, w))
        if (doubles >> w) & 1:
            doubles ^= cython.cast(cython.uint, 1) << w
            path.append((w, w))
        v = w
    return path


def with_wilds(
    start: int, engine: bool, rows: list, changes: list, doubles: int, halves: int, letters: list, place: int, last: int
) -> list | None:
    """The same with wild ends: W-W at ``place`` and the end at ``last`` (None where it cannot be laid so).

    ``letters`` are the tiles without a number; W-W is the last of them where its place is not said.
    """
    tokens: list = [[HALF] * (halves >> v & 1) for v in range(NUMBERS)]
    for v, count in enumerate(changes):
        tokens[v] += [CHANGE] * (count - (v == place) - (v == last))
    if 0 <= place < NUMBERS:
        tokens[place].append(RED)
    if last >= 0 and last != WILD:
        tokens[last].append(END)
    first, rounds = _rounds(start, engine and place == start, rows, tokens)
    if first is None:
        return None
    steps = _in_order(first, rounds + [(LETTER, [], LETTER)] * len(letters), start, place == WILD)
    if steps is None:
        return None
    if not letters or letters[len(letters) - 1] != WILD:
        return _placed(steps, letters, doubles, start, engine)
    for i in range(len(letters)):  # W-W now here, now there, until it may lie there
        path = _placed(steps, [*letters[:i], WILD, *letters[i : len(letters) - 1]], doubles, start, engine)
        if path is not None:
            return path
    return None


def _rounds(start: int, later: bool, rows: list, tokens: list) -> tuple:
    """The walk from the start to the yard, and the rounds from the yard to the yard: (from, numbers, to) each.

    ``later``: W-W lies at the start, but only when the walk comes back there.
    """
    first: tuple | None = (END, [], LETTER)
    rounds: list = []
    if start != WILD:
        first = _back(start, rows, tokens) if later else None
        if first is None:
            first = _go(END, start, rows, tokens, (HALF, CHANGE, END) if later else (RED, HALF, CHANGE, END))
        if first is None:
            return None, []
    for kind, ways in ((RED, (HALF, CHANGE)), (END, (CHANGE, HALF)), (HALF, (HALF, CHANGE)), (CHANGE, (CHANGE,))):
        for v in range(NUMBERS):
            while kind in tokens[v]:
                tokens[v].remove(kind)
                round = _go(kind, v, rows, tokens, ways)
                if round is None:
                    return None, []
                rounds.append(_turned(round) if kind in (RED, END) else round)
    for _, numbers, _ in sorted([first, *rounds], key=lambda round: round[2] != END):  # the end is not to be empty
        i = 0
        while i < len(numbers):
            if rows[numbers[i]]:
                numbers[i : i + 1] = _circle(numbers[i], rows)
            i += 1
    return first, rounds


def _turned(round: tuple) -> tuple:
    """The same walk the other way round."""
    return round[2], round[1][::-1], round[0]


def _go(kind: int, v: int, rows: list, tokens: list, ways: tuple) -> tuple | None:
    """Walk from here to the next number where one of these ways leads on, and take it."""
    for way in ways:
        came = {v: v}
        queue = [v]
        for w in queue:
            if way in tokens[w]:
                tokens[w].remove(way)
                numbers = [w]
                while w != v:
                    rows[w] &= ~(1 << came[w])
                    rows[came[w]] &= ~(1 << w)
                    w = came[w]
                    numbers.append(w)
                return kind, numbers[::-1], way
            for u in range(NUMBERS):
                if rows[w] >> u & 1 and u not in came:
                    came[u] = w
                    queue.append(u)
    return None


def _back(v: int, rows: list, tokens: list) -> tuple | None:
    """Walk from here back to here, and lay W-W."""
    for w in range(NUMBERS):
        if rows[v] >> w & 1:
            rows[v] ^= 1 << w
            rows[w] ^= 1 << v
            tokens[v].append(TILE)
            round = _go(END, w, rows, tokens, (TILE,))
            if round is not None:
                tokens[v].remove(RED)
                return END, [v, *round[1]], RED
            tokens[v].remove(TILE)
            rows[v] ^= 1 << w
            rows[w] ^= 1 << v
    return None


def _circle(v: int, rows: list) -> list:
    """A walk from here back to here over tiles that are left."""
    walk = [v]
    while rows[v]:
        w = lowest(rows[v])
        rows[v] &= ~(1 << w)
        rows[w] &= ~(1 << v)
        walk.append(w)
        v = w
    return walk


def _in_order(first: tuple, rounds: list, start: int, red: bool) -> list | None:
    """The steps of the whole walk, (from, to, over) each; with ``red``, W-W after the first wild end that shows."""
    steps: list = _steps(first)
    changed = first[2] == CHANGE
    ending = [round for round in rounds if round[2] == END]
    kinds: list = [[], [], []]  # the other rounds by their number of changes
    for round in rounds:
        if round[2] != END:
            kinds[(round[0] == CHANGE) + (round[2] == CHANGE)].append(round)
    while True:
        if red and not changed:
            steps.append((WILD, WILD, RED))
            red = False
        one = next((round for round in kinds[1] if round[2] != RED or not changed), None)
        if one is not None:
            kinds[1].remove(one)
            if (one[0] == CHANGE) == changed:
                one = _turned(one)
        elif kinds[2] and not changed:
            one = kinds[2].pop()
        elif kinds[0]:
            one = kinds[0].pop(0)
        else:
            break
        steps += _steps(one)
        changed = one[2] == CHANGE
    if kinds[1] or kinds[2] or red or (first[2] == END and rounds):
        return None
    for one in ending:
        if changed and one[0] == CHANGE:
            return None
        steps += _steps(one)
    return steps


def _steps(round: tuple) -> list:
    """A round step by step."""
    kind, numbers, to = round
    if not numbers:
        return [(WILD, WILD, LETTER)] if kind == LETTER else []
    steps = [] if kind == END else [(WILD, numbers[0], kind)]
    steps += [(numbers[i - 1], numbers[i], TILE) for i in range(1, len(numbers))]
    return steps if to == END else [*steps, (numbers[len(numbers) - 1], WILD, to)]


def _placed(steps: list, letters: list, doubles: int, start: int, engine: bool) -> list | None:
    """What is laid on such a walk, a double where its number first shows; None where W-W would lie on a double."""
    laid = []
    letters = list(letters)
    # The tile that is laid upon the number that each step leads to: is it W-W?
    under_red = []
    left = list(letters)
    for _, _, over in steps:
        under_red.append(over == RED or (over == LETTER and left.pop(0) == WILD))
    shows = [start, *(to for _, to, _ in steps)]
    on_double = engine and start != WILD
    for i in range(len(shows)):
        if i:
            a, b, over = steps[i - 1]
            if over != CHANGE:
                tile = (WILD, letters.pop(0)) if over == LETTER else (WILD, WILD) if over == RED else (a, b)
                if tile == (WILD, WILD) and on_double:
                    return None
                laid.append(tile)
                on_double = False
        v = shows[i]
        if v != WILD and doubles >> v & 1:
            j = i + 1 if i < len(steps) and steps[i][2] == CHANGE else i
            if j < len(steps) and under_red[j] and v in shows[i + 1 :]:
                continue  # it can be laid later, and W-W could not be laid on it
            doubles &= ~(1 << v)
            laid.append((v, v))
            on_double = True
    return laid
