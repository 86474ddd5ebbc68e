"""A second referee: plain lists, dicts and loops, written from the referee's book alone.

It shares nothing with the package. What both say of the same deal is compared at every step of random play,
so a rule misread on one side shows as a difference. A rulebook is any object with the named parameters as
attributes; tiles are texts in notation. The paragraph numbers are those of the referee's book.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

LETTERS = "ADRST"
MEXICAN = "M"
END_ORDER = {str(number): number for number in range(19)} | {end: 19 + i for i, end in enumerate(LETTERS + "W")}

Train = int | str  # a seat, or "M"


# ---- Tiles -----------------------------------------------------------------------------------------


@cache
def ends(tile: str) -> tuple[str, str]:
    """The two ends of a tile: ``"5-12"`` has 5 and 12."""
    low, _, high = tile.partition("-")
    return low, high


def rank(tile: str) -> tuple[int, int]:
    """The place of a tile in the one order of all tiles."""
    low, high = ends(tile)
    return END_ORDER[low], END_ORDER[high]


def named(one: str, other: str) -> str:
    """The tile with these two ends, as it is written."""
    low, high = sorted((one, other), key=END_ORDER.__getitem__)
    return f"{low}-{high}"


def is_wild(end: str) -> bool:
    """Whether an end joins any other: a red train or a letter."""
    return end == "W" or end in LETTERS


def is_double(tile: str) -> bool:
    """Whether a tile lies crosswise and asks for a follow-up."""
    low, high = ends(tile)
    return low == high


def joins(attached: str, end: str) -> bool:
    """Whether the one end of a tile may be laid against an open end."""
    return attached == end or is_wild(attached) or is_wild(end)


@cache
def ways(tile: str) -> tuple[tuple[str, str], ...]:
    """Every way round in which a tile can lie, as (attached, exposed), in the order of moves (§4)."""
    low, high = ends(tile)
    if low == high:
        return ((low, high),)
    if low in LETTERS:
        return ((high, low),)
    return ((low, high), (high, low))


@cache
def _whole_set(highest: int, wild_tiles: bool) -> tuple[str, ...]:
    tiles = [f"{low}-{high}" for low in range(highest + 1) for high in range(low, highest + 1)]
    if wild_tiles:
        tiles += [f"{number}-W" for number in range(highest + 1)]
        tiles += ["W-W", "A-W", "A-W", "A-W", "D-W", "R-W", "S-W", "T-W"]
    return tuple(sorted(tiles, key=rank))


def tile_set(book: Any) -> list[str]:
    """The whole set, in order."""
    return list(_whole_set(book.highest, book.wild_tiles))


@cache
def _coverers(double: str, highest: int, wild_tiles: bool) -> dict[str, int]:
    """The tiles that could cover a double, and how many of each the set has (2.9, 3.10)."""
    end = ends(double)[0]
    tiles = [tile for tile in _whole_set(highest, wild_tiles) if tile != double]
    if double != "W-W":
        tiles = [tile for tile in tiles if tile != "W-W" and any(e == end or is_wild(e) for e in ends(tile))]
    return dict(Counter(tiles))


# ---- A round ---------------------------------------------------------------------------------------


class OracleRound:
    """One round, from the deal to its points."""

    def __init__(
        self,
        book: Any,
        engine: str,
        starter: int,
        hands: list[list[str]],
        bone_pile: list[str],
        pot: int = 0,
        last_round: bool = False,
    ) -> None:
        seats = range(len(hands))
        self.book = book
        self.engine = engine
        self.starter = starter
        self.last_round = last_round
        self.hands = [list(hand) for hand in hands]
        self.bone_pile = list(bone_pile)
        self.trains: dict[Train, list[tuple[str, str]]] = {**{seat: [] for seat in seats}, MEXICAN: []}
        self.markers: set[int] = set()
        self.direction = 1
        self.ending: str | None = None
        self.had_first_turn: set[int] = set()
        self.passed: set[int] = set()  # since the last placement, as 2.11 counts
        self.went_out: list[int] = []
        self.finishing = False  # somebody is out, and only first turns are still taken (2.11)
        self.skips = False  # an S-W was placed: who comes next is passed over
        self.owes_draw = False  # a D-W was placed: who plays next draws first
        self.pot = pot + book.ante * len(hands)
        self.paid = [book.ante] * len(hands)
        self.took = [0] * len(hands)
        self.turn: int | None = None
        self._begin_turn(starter)

    def _begin_turn(self, seat: int) -> None:
        self.turn = seat
        self.must_draw = self.owes_draw and bool(self.bone_pile)
        self.owes_draw = False
        self.phase = "start"  # then "follow-up", "extra" (after T-W) or "string"
        self.drew = False  # at this point of the turn
        self.drawn: str | None = None  # the tile that was drawn at this point: only it may be placed
        self.placed = False  # anything in this turn
        self.doubles: list[Train] = []  # trains that show a double laid in this turn
        self.stringing = False  # a string of tiles is under way (2.6)
        self.drawn_start = False  # the first tile of a string had to be drawn: it is the whole turn (2.6)
        self._legal: list[str] | None = None

    # -- What lies there

    def _exposed(self, train: Train) -> tuple[str, bool]:
        """The open end of a train, and whether the tile that shows it is a double (the engine is one)."""
        line = self.trains[train]
        if not line:
            return ends(self.engine)[0], True
        attached, exposed = line[-1]
        return exposed, attached == exposed

    def _is_dead(self, double: str) -> bool:
        """Whether every tile that could cover this double is on the table (2.9)."""
        table = Counter(named(*placed) for line in self.trains.values() for placed in line)
        table[self.engine] += 1
        coverers = _coverers(double, self.book.highest, self.book.wild_tiles)
        return all(table[tile] >= count for tile, count in coverers.items())

    def _left_open(self) -> list[Train]:
        """The trains with a double that an earlier turn left open and that binds everybody (2.8)."""
        if not self.book.open_doubles_bind:
            return []
        found = []
        for train, line in self.trains.items():
            if line and train not in self.doubles:
                attached, exposed = line[-1]
                if attached == exposed and not self._is_dead(named(attached, exposed)):
                    found.append(train)
        return found

    def _is_first_turn(self) -> bool:
        return self.turn not in self.had_first_turn

    def _own_train_only(self) -> bool:
        """Whether this is a first turn that 2.6 keeps on the own train."""
        return self._is_first_turn() and self.book.first_turn != "any-train" and not self._left_open()

    # -- What is legal

    def legal(self) -> list[str]:
        """All legal moves, in the order of §4."""
        if self.turn is None:
            return []
        if self._legal is None:
            self._legal = self._find_legal()
        return list(self._legal)

    def _find_legal(self) -> list[str]:
        if self.must_draw:
            return ["draw"]
        moves = self._placements()
        if moves:
            return [*moves, "stop"] if self.phase == "string" else moves
        return ["draw"] if self._may_draw() else ["pass"]

    def _may_draw(self) -> bool:
        if self.drew or not self.bone_pile:
            return False
        if self.phase == "follow-up":
            return self.book.follow_up_draw and not self.drawn_start
        return self.phase == "start"

    def _placements(self) -> list[str]:
        assert self.turn is not None
        hand = self.hands[self.turn]
        tiles = [self.drawn] if self.drawn is not None else sorted(set(hand), key=rank)
        left_open = self._left_open()
        moves = []
        for tile in tiles:
            open_trains = self._open_trains(tile, left_open)
            for train in self.trains:
                if train in open_trains:
                    for attached, exposed in ways(tile):
                        if self._may_place(tile, attached, train):
                            moves.append(f"{attached}-{exposed}@{train}")
        return moves

    def _open_trains(self, tile: str, left_open: list[Train]) -> list[Train]:
        """The trains that are open to the seat for this tile, whether or not its ends fit."""
        assert self.turn is not None
        own: Train = self.turn
        book = self.book
        if self.phase == "follow-up" and book.follow_up == "on-double":
            last_double = is_double(tile) and len(self.hands[self.turn]) == 1
            if not (last_double and book.second_double == "last-tile"):
                return self.doubles
        if self.stringing or self.drawn_start:
            return [own]
        if len(self.doubles) >= 2 and book.second_double == "third-tile":
            return self.doubles  # 3.8: the next tile must go on one of them
        if left_open:
            return left_open + self.doubles
        if self._is_first_turn() and book.first_turn != "any-train":
            return [own, *self.doubles]
        if ends(tile)[0] == "A":
            return list(self.trains)
        return [own, MEXICAN, *self.markers, *self.doubles]

    def _may_place(self, tile: str, attached: str, train: Train) -> bool:
        """Whether a tile fits an open train by this end."""
        assert self.turn is not None
        end, on_double = self._exposed(train)
        if not joins(attached, end):
            return False
        if tile == "W-W" and on_double:
            return False  # 3.1
        begins_another = not self.trains[train] and train != self.turn
        if begins_another and self.book.own_train_first and not self.trains[self.turn]:
            return False  # 2.5, 2.6
        return not is_double(tile) or self._may_lay_double(tile, train)

    def _may_lay_double(self, double: str, train: Train) -> bool:
        """Whether a double may be laid beside the doubles of this turn (2.7, 3.8)."""
        assert self.turn is not None
        mode = self.book.second_double
        rest = list(self.hands[self.turn])
        rest.remove(double)
        showing = {other: self._exposed(other)[0] for other in self.doubles}
        showing[train] = ends(double)[0]
        if mode == "free":
            return True
        if mode == "third-tile":
            return len(showing) < 2 or not rest or _third_tile(rest, list(showing.values()))
        if mode == "last-tile" and not rest:
            return True
        return self.phase != "follow-up" and len(showing) < 2

    # -- What happens

    def play(self, move: str) -> None:
        """Make a move of the seat whose turn it is."""
        if move not in self.legal():
            raise ValueError(f"{move} is not legal for seat {self.turn}; legal are {', '.join(self.legal())}")
        self._legal = None
        if move == "draw":
            self._draw()
        elif move == "pass":
            self._pass()
        elif move == "stop":
            self._end_turn()
        else:
            tile, _, train = move.partition("@")
            attached, exposed = ends(tile)
            self._place(attached, exposed, MEXICAN if train == MEXICAN else int(train))

    def _draw(self) -> None:
        assert self.turn is not None
        tile = self.bone_pile.pop(0)
        self.hands[self.turn].append(tile)
        self.passed.clear()
        if self.must_draw:
            self.must_draw = False  # 3.4: a full normal turn follows
        else:
            self.drew = True
            self.drawn = tile

    def _pass(self) -> None:
        assert self.turn is not None
        seat = self.turn
        counts = not self.placed and not self._own_train_only()
        self.paid[seat] += self.book.pass_fee
        self.pot += self.book.pass_fee
        if seat not in self.markers:
            self.markers.add(seat)
            self.passed.clear()
        if counts:
            self.passed.add(seat)
        if not self.bone_pile and len(self.passed) == len(self.hands):
            self._end_round("blocked")
        else:
            self._end_turn()

    def _place(self, attached: str, exposed: str, train: Train) -> None:
        assert self.turn is not None
        seat = self.turn
        tile = named(attached, exposed)
        hand = self.hands[seat]
        if self.phase == "start" and self.book.first_turn == "own-string" and self._own_train_only():
            self.stringing = self.drawn is None
            self.drawn_start = self.drawn is not None
        hand.remove(tile)
        self.trains[train].append((attached, exposed))
        self.placed = True
        self.drew = False
        self.drawn = None
        self.passed.clear()
        if train == seat:
            self.markers.discard(seat)
        if train in self.doubles:
            self.doubles.remove(train)
        if is_double(tile):
            self.doubles.append(train)
        if not hand:
            self._out(seat)
            return
        self._letter(ends(tile)[0])
        if is_double(tile):
            if self.book.follow_up == "on-double" and self._is_dead(tile):
                self._end_turn()  # 2.9
            else:
                self.phase = "follow-up"
        elif self.stringing:
            self._go_on("string")
        elif tile == "T-W" and not self.drawn_start:
            self._go_on("extra")
        else:
            self._end_turn()

    def _letter(self, letter: str) -> None:
        if letter == "D":
            self.owes_draw = True
        elif letter == "R":
            self.direction = -self.direction
        elif letter == "S":
            self.skips = True

    def _go_on(self, phase: str) -> None:
        """More may be placed; if nothing can be, the turn ends by itself."""
        self.phase = phase
        if not self._placements():
            self._end_turn()

    def _out(self, seat: int) -> None:
        self.went_out.append(seat)
        if self._is_first_turn() and self.book.first_turn_out == "others-finish":
            self.finishing = True
            self._end_turn()
        else:
            self._end_round("out")

    def _end_turn(self) -> None:
        assert self.turn is not None
        self.had_first_turn.add(self.turn)
        if self.finishing and len(self.had_first_turn) == len(self.hands):
            self._end_round("out")
            return
        seat = self._next(self.turn)
        if self.skips:
            self.skips = False
            seat = self._next(seat)
        self._begin_turn(seat)

    def _next(self, seat: int) -> int:
        while True:
            seat = (seat + self.direction) % len(self.hands)
            if not self.finishing or seat not in self.had_first_turn:
                return seat

    # -- The end

    def _end_round(self, ending: str) -> None:
        self.ending = ending
        self.turn = None
        self.must_draw = False
        if ending == "out":
            self._share_pot(self.went_out)
        elif self.last_round:
            self._share_pot(list(range(len(self.hands))))

    def _share_pot(self, seats: list[int]) -> None:
        """Share the pot equally, odd cents one each clockwise from the starter (2.13)."""
        clockwise = sorted(seats, key=lambda seat: (seat - self.starter) % len(self.hands))
        share, odd = divmod(self.pot, len(seats))
        for place, seat in enumerate(clockwise):
            self.took[seat] += share + (1 if place < odd else 0)
        self.pot = 0

    def points(self) -> list[int]:
        """What is left in each hand (2.12)."""
        return [sum(self._tile_points(tile) for tile in hand) for hand in self.hands]

    def _tile_points(self, tile: str) -> int:
        if tile == "0-0":
            return int(self.book.double_blank)
        return sum(self.book.wild_points if is_wild(end) else int(end) for end in ends(tile))

    def cents(self) -> list[int]:
        """What each seat took from the pot, less its ante and its fees (2.13)."""
        return [took - paid for took, paid in zip(self.took, self.paid, strict=True)]

    # -- For the comparison

    def copy(self) -> OracleRound:
        """An equal round that goes its own way."""
        twin = OracleRound.__new__(OracleRound)
        twin.__dict__.update(self.__dict__)
        twin.hands = [list(hand) for hand in self.hands]
        twin.trains = {train: list(line) for train, line in self.trains.items()}
        for field in ("bone_pile", "markers", "had_first_turn", "passed", "went_out", "doubles", "paid", "took"):
            setattr(twin, field, getattr(self, field).copy())
        return twin

    def key(self) -> tuple[Any, ...]:
        """Everything that can differ, in one value."""
        return (
            self.turn,
            self.phase,
            self.must_draw,
            self.drew,
            self.drawn,
            self.placed,
            self.stringing,
            self.drawn_start,
            self.skips,
            self.owes_draw,
            self.finishing,
            self.direction,
            self.ending,
            self.pot,
            tuple(tuple(sorted(hand, key=rank)) for hand in self.hands),
            tuple(self.bone_pile),
            tuple(tuple(line) for line in self.trains.values()),
            tuple(sorted(self.markers)),
            tuple(sorted(self.had_first_turn)),
            tuple(sorted(self.passed)),
            tuple(self.went_out),
            tuple(sorted(self.doubles, key=str)),
            tuple(self.paid),
            tuple(self.took),
        )


def _third_tile(hand: list[str], showing: list[str]) -> bool:
    """Whether the hand holds a tile that may go on one of the doubles that show these ends (3.8)."""
    for tile in set(hand):
        if tile == "W-W":
            continue  # it goes on no double
        for place, end in enumerate(showing):
            if not any(joins(attached, end) for attached, _ in ways(tile)):
                continue
            if not is_double(tile):
                return True
            rest = list(hand)  # a number double on W-W: the question is asked again
            rest.remove(tile)
            if not rest or _third_tile(rest, [*showing[:place], ends(tile)[0], *showing[place + 1 :]]):
                return True
    return False


def perft(round: OracleRound, depth: int) -> int:
    """The number of move sequences of this length."""
    if depth == 0:
        return 1
    moves = round.legal()
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        after = round.copy()
        after.play(move)
        count += perft(after, depth - 1)
    return count


# ---- A match ---------------------------------------------------------------------------------------


def match_totals(
    rounds_points: list[list[int]], rounds_cents: list[list[int]], book: Any
) -> tuple[list[int], list[int]]:
    """The points of each seat over all rounds, and who won (2.14)."""
    seats = range(len(rounds_points[0]))
    totals = [sum(points[seat] for points in rounds_points) for seat in seats]
    standing: list[tuple[int, ...]] = []  # of each seat: the lower the better
    for seat in seats:
        if book.objective == "most-money":
            measure = -sum(cents[seat] for cents in rounds_cents)
        else:
            measure = totals[seat]
        if book.tie_break == "most-zeros":
            above_zero = [points[seat] for points in rounds_points if points[seat] > 0]
            zeros = len(rounds_points) - len(above_zero)
            standing.append((measure, -zeros, min(above_zero, default=0)))
        else:
            standing.append((measure,))
    return totals, [seat for seat in seats if standing[seat] == min(standing)]


# ---- Deals and choices for random play ---------------------------------------------------------------


def engines(book: Any) -> list[str]:
    """The engines of the rounds, when they descend."""
    lowest = 0 if book.last_engine == "W-W" else int(ends(book.last_engine)[0])
    found = [f"{number}-{number}" for number in range(book.highest, lowest - 1, -1)]
    return [*found, "W-W"] if book.last_engine == "W-W" else found


def deal_random(
    book: Any, players: int, number: int, rng: Any, stacked: bool = False
) -> tuple[str, int, list[list[str]], list[str]]:
    """The engine, the starter, the hands and the bone pile of round ``number`` (from 1).

    ``stacked`` brings what is rare: hands full of doubles, wild tiles and strings, and bone piles that run out.
    """
    tiles = tile_set(book)
    rng.shuffle(tiles)
    engine = None
    if book.engine == "descending":
        engine = engines(book)[number - 1]
        tiles.remove(engine)
    size = book.deal[players]
    if stacked:
        _stack(tiles, engine, size, players, rng)
    hands = [tiles[seat * size : (seat + 1) * size] for seat in range(players)]
    bone_pile = tiles[players * size :]
    if engine is None:
        engine, starter = highest_held(hands, bone_pile, number)
    elif book.starter == "seat":
        starter = (book.first_starter + number - 1) % players
    else:
        starter = rng.randrange(players)
    if stacked and rng.random() < 0.6:
        del bone_pile[rng.randrange(min(len(bone_pile), 12) + 1) :]
    return engine, starter, hands, bone_pile


def highest_held(hands: list[list[str]], bone_pile: list[str], number: int) -> tuple[str, int]:
    """Take the engine out of the hand that holds the highest double; draw for one if nobody does (§1)."""
    held = [(rank(tile), tile, seat) for seat, hand in enumerate(hands) for tile in hand if is_double(tile)]
    if held:
        _, engine, seat = max(held)
        hands[seat].remove(engine)
        return engine, seat
    seat = (number - 1) % len(hands)
    while True:
        tile = bone_pile.pop(0)
        if is_double(tile):
            return tile, seat
        hands[seat].append(tile)
        seat = (seat + 1) % len(hands)


def _stack(tiles: list[str], engine: str | None, size: int, players: int, rng: Any) -> None:
    """Order the tiles so that rare rules come up; the front of the list is dealt."""
    favourite = str(rng.randrange(10))
    liking = rng.choice(["doubles", "doubles and wilds", "wilds", "favourite", "no doubles", "strings"])

    def is_liked(tile: str) -> bool:
        if liking == "favourite":  # one number is played out early and its double comes late, and is dead
            return favourite in ends(tile) and not is_double(tile)
        if liking == "no doubles":
            return not is_double(tile)
        wild = any(is_wild(end) for end in ends(tile))
        return ("doubles" in liking and is_double(tile)) or ("wilds" in liking and wild)

    dealt = size * players
    tiles.sort(key=lambda tile: not (is_liked(tile) and rng.random() < 0.9))
    front = tiles[:dealt]
    rng.shuffle(front)
    if rng.random() < 0.4:  # one hand for long turns: T-W, and doubles for about half of it
        gathered = [tile for tile in front if tile == "T-W"] + [tile for tile in front if is_double(tile)]
        for place, tile in enumerate(gathered[: size // 2 + 1]):
            found = front.index(tile, place)
            front[place], front[found] = front[found], front[place]
    tiles[:dealt] = front
    if liking == "favourite":
        back = tiles[dealt:]
        rng.shuffle(back)
        tiles[dealt:] = sorted(back, key=lambda tile: tile == f"{favourite}-{favourite}")
    if liking == "strings" and engine is not None:
        for seat in range(players):
            if rng.random() < 0.5:
                _string_for(tiles, engine, seat * size, size, rng)


def _string_for(tiles: list[str], engine: str, start: int, size: int, rng: Any) -> None:
    """Swap tiles until the hand that starts here, or most of it, is one string on the engine."""
    end = ends(engine)[0]
    seen = {end, *LETTERS}
    for place in range(start, start + size):
        onward, doubles = [], []
        for found in range(place, len(tiles)):
            low, high = ends(tiles[found])
            if low == high == end:
                doubles.append(found)
            elif (low == end and high not in seen) or (high == end and low not in seen):
                onward.append(found)
        if doubles and rng.random() < 0.5:
            onward = doubles
        if not onward:
            return
        found = rng.choice(onward)
        tiles[place], tiles[found] = tiles[found], tiles[place]
        low, high = ends(tiles[place])
        end = high if low == end else low
        seen.add(end)


def choose_stacked(legal: list[str], rng: Any) -> str:
    """A random choice that likes doubles, letters and strings, so that long turns come up."""
    moves = legal
    if "stop" in legal and rng.random() < 0.9:
        moves = legal[:-1]
    trains = {move.partition("@")[2] for move in moves}
    doubles = [move for move in moves if is_double(move.partition("@")[0])]
    letters = [move for move in moves if move[2:3] and move[2] in LETTERS]
    twice = [move for move in letters if move[2] == "T"]
    if len(twice) < len(moves) and len(trains) > 2 and rng.random() < 0.7:
        moves = [move for move in moves if move not in twice]  # kept for when two doubles are exposed
        twice = []
    covering = [move for move in doubles if move[0] == "W"]
    liking = rng.random()
    for chance, liked in ((0.2, covering), (0.4, twice if len(trains) <= 2 else []), (0.7, doubles), (0.8, letters)):
        if liking < chance and liked:
            return str(rng.choice(liked))
    return str(rng.choice(moves))
