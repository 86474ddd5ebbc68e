# cython: language_level=3
"""The referee: the one place where a rule of the game is decided.

Python that also compiles: interpreted it is an ordinary module, compiled (Cython's pure-Python mode) it
runs at native speed without holding Python's lock. ``Round`` wraps it in the words of the game; playouts,
search and sampled worlds use the very same functions.

How a round lies in memory. A hand is one row of bits per end value: bit w of row v is set when the seat
holds the tile v-w, so the tiles that fit an open end v are row v itself. The values are

    0–18     the numbers
    19       W, the wild end; row 19 holds every tile with a wild end
    20–22    A, once for each of the three equal A-W tiles; bits of row 19 only
    23–26    D, R, S, T; bits of row 19 only

so a placement is always (attached a, exposed b) = row a, bit b, whatever the set. Trains are numbered by
seat, the Mexican train comes last; sets of trains and of seats are masks.

Decisions. A state is always at a decision of the seat ``turn``, or over. What may be done follows from
``phase`` (below) and from ``drawn``, the tile drawn at this very point. ``find`` lists the placements as
slots: (train, attached end, mask of exposed ends). The numbers in the comments (2.7, 3.8 …) are the
clauses ``referee.2.7`` and so on, in the project's list of clauses.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.stationmaster.engine.bits import FULL, lowest, nth, popcount
    from cython.cimports.stationmaster.engine.layout import (
        A_BITS,
        ANY_TRAIN,
        BEGAN_TRAIN,
        BLOCKED,
        COVERED,
        DRAW_CODE,
        ENDED_BY_ITSELF,
        ENDED_TURN,
        EXTRA,
        FINISHING,
        FOLLOW,
        FORCE,
        FREE,
        LAID_MARKER,
        LAST_TILE,
        LETTER_A,
        LETTER_BITS,
        LETTER_D,
        LETTER_R,
        LETTER_S,
        LETTER_T,
        MEXICAN,
        MUST_DRAW,
        NOTHING,
        ONE_LEFT,
        OUT,
        OWN_STRING,
        PASS_CODE,
        PLAY,
        RANK_W,
        ROWS,
        RUNNING,
        SKIP,
        STOP_CODE,
        STRING,
        THIRD_TILE,
        TOOK_MARKER,
        TWO,
        WHOLE_TURN,
        WILD,
        WILD_BIT,
    )
else:
    from stationmaster.engine.bits import FULL, lowest, nth, popcount
    from stationmaster.engine.layout import (
        A_BITS,
        ANY_TRAIN,
        BEGAN_TRAIN,
        BLOCKED,
        COVERED,
        DRAW_CODE,
        ENDED_BY_ITSELF,
        ENDED_TURN,
        EXTRA,
        FINISHING,
        FOLLOW,
        FORCE,
        FREE,
        LAID_MARKER,
        LAST_TILE,
        LETTER_A,
        LETTER_BITS,
        LETTER_D,
        LETTER_R,
        LETTER_S,
        LETTER_T,
        MEXICAN,
        MUST_DRAW,
        NOTHING,
        ONE_LEFT,
        OUT,
        OWN_STRING,
        PASS_CODE,
        PLAY,
        RANK_W,
        ROWS,
        RUNNING,
        SKIP,
        STOP_CODE,
        STRING,
        THIRD_TILE,
        TOOK_MARKER,
        TWO,
        WHOLE_TURN,
        WILD,
        WILD_BIT,
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def bit(n: cython.int) -> cython.uint:
    return cython.cast(cython.uint, 1) << n


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def rank(value: cython.int) -> cython.int:
    """A value's place in the order of ends: the three A are one, W is last."""
    if value < WILD:
        return value
    if value == WILD:
        return RANK_W
    return LETTER_A if value < LETTER_D else value


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def placement(train: cython.int, attached: cython.int, exposed: cython.int) -> cython.int:
    """The number of a placement."""
    a: cython.int = rank(attached)
    b: cython.int = rank(exposed)
    low: cython.int = a if a < b else b
    high: cython.int = b if a < b else a
    return (((low << 5 | high) << 4 | train) << 5) | a


@cython.final
@cython.cclass
class State:
    """A round as the referee sees it: everything, the hidden hands and the bone pile too."""

    # The rulebook's say (2.x, 3.x); fixed for the round.
    players: cython.int
    highest: cython.int
    wild: cython.bint
    first_turn: cython.int
    finish_first_turns: cython.bint
    own_train_first: cython.bint
    follow_on_double: cython.bint
    follow_draw: cython.bint
    second_double: cython.int
    bind: cython.bint
    double_blank: cython.int
    wild_points: cython.int
    tile_count: cython.int
    # Where the round stands.
    turn: cython.int
    phase: cython.int
    drawn: cython.int  # the tile drawn at this point as low << 5 | high, or NOTHING
    direction: cython.int
    ending: cython.int
    turns: cython.int  # turns that have ended
    laid: cython.int  # tiles on the table, the engine too
    pile_next: cython.int
    pile_end: cython.int
    placed: cython.bint  # the seat has placed a tile in this turn
    pending: cython.uint  # what waits for the end of the turn, or of the round: SKIP, FORCE, FINISHING, WHOLE_TURN
    marked: cython.uint  # trains with a marker
    begun: cython.uint  # trains with a tile
    doubles: cython.uint  # trains whose exposed tile is a double
    turn_doubles: cython.uint  # those of them that were laid in this turn
    first_pending: cython.uint  # seats that have not had their first turn
    passed: cython.uint  # seats that have passed since the last placement (2.11)
    ends: cython.uchar[16]
    sizes: cython.uchar[14]
    passes: cython.ushort[14]
    table: cython.uint[20]
    pile: cython.ushort[190]
    hands: cython.uint[280]
    # Not copied: what find() found, what the last push did, and a fast generator for playouts. The slots come first, as
    # they are used at every decision: at the end, whole rounds take 1 % longer.
    found: cython.int  # placements in the slots; NOTHING when they are stale
    slots: cython.int
    slot_fits: cython.uint[320]
    slot_from: cython.uint[320]  # placements in the slots before it
    slot_train: cython.uchar[320]
    slot_attached: cython.uchar[320]
    by_itself: cython.bint  # the last move was followed by a turn's end without a move
    left_open: cython.uint  # the doubles that the last turn left exposed
    tracking: cython.bint  # find_void() is called when a turn ends by itself
    as_void: cython.bint  # find() is asked what a hand would have to lack
    joint: cython.bint  # … and what a hand lacks could not be said tile by tile
    void: cython.uint[20]
    rng: cython.uint
    plays: cython.longlong
    draws: cython.longlong
    gave_up: cython.longlong
    stops: cython.longlong
    blocked: cython.longlong
    points: cython.longlong
    checksum: cython.uint
    set_size: cython.int
    whole_set: cython.ushort[190]
    end_of_fields: cython.int  # no array is the last field, so that a checked build knows all their bounds
    _undo: list

    def __init__(self) -> None:
        self.rng = 2463534242
        self.found = NOTHING
        self._undo = []
        if not cython.compiled:
            self._interpreted_fields()

    def _interpreted_fields(self) -> None:
        """Interpreted, declared fields do not exist until they are set."""
        for name in (
            "players highest wild first_turn finish_first_turns own_train_first follow_on_double follow_draw "
            "second_double bind tile_count turn phase direction ending laid turns pile_next pile_end placed pending "
            "marked begun doubles turn_doubles first_pending passed slots by_itself as_void "
            "double_blank wild_points tracking joint left_open set_size plays draws gave_up stops blocked points checksum"
        ).split():
            setattr(self, name, 0)
        self.drawn = NOTHING
        for name, length in (
            ("ends", 16),
            ("sizes", 14),
            ("passes", 14),
            ("table", 20),
            ("pile", 190),
            ("hands", 280),
            ("slot_train", 320),
            ("slot_attached", 320),
            ("slot_fits", 320),
            ("slot_from", 320),
            ("void", 20),
            ("whole_set", 190),
        ):
            setattr(self, name, [0] * length)

    # ---- Setting a round up --------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def clear(self, engine: cython.int, starter: cython.int) -> cython.void:
        """An empty table with an engine; hands and bone pile are given next."""
        i: cython.int
        for i in range(self.players * ROWS):
            self.hands[i] = 0
        for i in range(ROWS):
            self.table[i] = 0
        for i in range(self.players):
            self.sizes[i] = 0
            self.passes[i] = 0
            self.ends[i] = engine
        self.ends[self.players] = engine
        self.table[engine] = bit(engine)
        self.laid = 1
        self.turns = 0
        self.turn = starter
        self.phase = PLAY
        self.drawn = NOTHING
        self.direction = 1
        self.ending = RUNNING
        self.pile_next = 0
        self.pile_end = 0
        self.placed = False
        self.pending = 0
        self.marked = 0
        self.begun = 0
        self.doubles = 0
        self.turn_doubles = 0
        self.first_pending = bit(self.players) - 1
        self.passed = 0
        self.found = NOTHING

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def take(self, seat: cython.int, a: cython.int, b: cython.int) -> cython.void:
        """Put a tile into a hand."""
        base: cython.int = seat * ROWS
        self.hands[base + a] |= bit(b)
        if b < ROWS:
            self.hands[base + b] |= bit(a)
        self.sizes[seat] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def copy_from(self, other: State) -> cython.void:
        """Become the same round, by value."""
        i: cython.int
        self.players = other.players
        self.highest = other.highest
        self.wild = other.wild
        self.first_turn = other.first_turn
        self.finish_first_turns = other.finish_first_turns
        self.own_train_first = other.own_train_first
        self.follow_on_double = other.follow_on_double
        self.follow_draw = other.follow_draw
        self.second_double = other.second_double
        self.bind = other.bind
        self.double_blank = other.double_blank
        self.wild_points = other.wild_points
        self.tile_count = other.tile_count
        self.turn = other.turn
        self.phase = other.phase
        self.drawn = other.drawn
        self.direction = other.direction
        self.ending = other.ending
        self.laid = other.laid
        self.turns = other.turns
        self.pile_next = other.pile_next
        self.pile_end = other.pile_end
        self.placed = other.placed
        self.pending = other.pending
        self.marked = other.marked
        self.begun = other.begun
        self.doubles = other.doubles
        self.turn_doubles = other.turn_doubles
        self.first_pending = other.first_pending
        self.passed = other.passed
        for i in range(16):
            self.ends[i] = other.ends[i]
        for i in range(14):
            self.sizes[i] = other.sizes[i]
            self.passes[i] = other.passes[i]
        for i in range(ROWS):
            self.table[i] = other.table[i]
        for i in range(other.pile_end):
            self.pile[i] = other.pile[i]
        for i in range(other.players * ROWS):
            self.hands[i] = other.hands[i]
        self.found = NOTHING

    # ---- What may be done ----------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def alive(self, train: cython.int) -> cython.bint:
        """Can the double at the end of this train still be covered by a tile not on the table? (2.9, 3.10)"""
        end: cython.int = self.ends[train]
        if end == WILD:
            return self.laid < self.tile_count
        numbers: cython.uint = bit(self.highest + 1) - 1
        if numbers & ~self.table[end]:
            return True
        return self.wild and ((numbers | LETTER_BITS) & ~self.table[WILD]) != 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def binding(self) -> cython.uint:
        """The trains whose open double was left by an earlier turn and binds everybody (2.8)."""
        left: cython.uint = self.doubles & ~self.turn_doubles
        if left == 0 or not self.bind:
            return 0
        live: cython.uint = 0
        train: cython.int
        while left:
            train = lowest(left)
            left &= left - 1
            if self.alive(train):
                live |= bit(train)
        return live

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def on_own_only(self) -> cython.bint:
        """A first turn that is bound to the own train (2.6)."""
        return self.first_turn != ANY_TRAIN and (self.first_pending & bit(self.turn)) != 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def open_trains(self) -> cython.uint:
        """The trains that are open to the seat to play, before what a double or a string adds to it."""
        own: cython.uint = bit(self.turn)
        trains: cython.uint
        if self.doubles & ~self.turn_doubles:
            trains = self.binding()
            if trains:
                return trains | self.turn_doubles
        if self.on_own_only():
            return own | self.turn_doubles
        trains = own | self.marked | bit(self.players) | self.turn_doubles
        if self.own_train_first and (self.begun & own) == 0:
            trains &= self.begun | own  # 2.5, 2.6: nobody begins another train before the own
        return trains

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def third_tile(self, train: cython.int, value: cython.int) -> cython.bint:
        """With the double ``value`` laid on ``train``, two of this turn lie exposed: is there a tile for one? (3.8)

        The hand is taken without that double. An exposed W-W takes any tile but another double, which would
        have to be followed in its turn: from the hand only a tile that fits W-W anyway could do that, so a
        double fits there only as the last tile.
        """
        base: cython.int = self.turn * ROWS
        other: cython.int = self.ends[lowest(self.turn_doubles & ~bit(train))]
        v: cython.int
        row: cython.uint
        if value == WILD or other == WILD:
            if self.sizes[self.turn] == 2:
                return True
            for v in range(self.highest + 1):
                row = self.hands[base + v] & ~bit(v)
                if row:
                    return True
            return (self.hands[base + WILD] & ~WILD_BIT) != 0
        row = self.hands[base + value] & ~bit(value)
        row |= self.hands[base + other]
        if self.wild:
            row |= self.hands[base + WILD] & ~WILD_BIT
        return row != 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def double_allowed(self, train: cython.int, value: cython.int) -> cython.bint:
        """May this double be laid while the turn has laid one before? (2.7, 3.8)"""
        exposed: cython.int = popcount(self.turn_doubles | bit(train))
        last: cython.bint = self.sizes[self.turn] == 1
        if self.second_double == FREE:
            return True
        if self.second_double == THIRD_TILE:
            if exposed <= 1 or last:
                return True
            if exposed > 2:
                return False
            if self.as_void:  # see void_rows
                self.joint = self.joint or (value == WILD and self.sizes[self.turn] > 2)
                return value == WILD and self.sizes[self.turn] == 2
            return self.third_tile(train, value)
        if self.phase == EXTRA:
            return exposed <= 1 or (last and self.second_double == LAST_TILE)
        return last and self.second_double == LAST_TILE

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def add_slot(self, train: cython.int, attached: cython.int, fits: cython.uint) -> cython.void:
        self.slot_train[self.slots] = train
        self.slot_attached[self.slots] = attached
        self.slot_fits[self.slots] = fits
        self.slot_from[self.slots] = self.found
        self.found += popcount(fits)
        self.slots += 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def only_drawn(self, attached: cython.int, fits: cython.uint) -> cython.uint:
        """Of the tiles that fit, the one just drawn (2.3)."""
        low: cython.int = self.drawn >> 5
        high: cython.int = self.drawn & 31
        if attached == low:
            return fits & bit(high)
        if attached == high:
            return fits & bit(low)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find(self) -> cython.int:
        """List every legal placement of the seat to play as slots; how many there are."""
        trains: cython.uint
        if self.phase == PLAY and not self.wild:  # by far the most common, so it comes first
            trains = self.open_trains()
            return self.find_held(trains) if self.drawn < 0 else self.find_drawn(trains)
        self.slots = 0
        self.found = 0
        if self.phase == MUST_DRAW:
            return 0
        if self.phase == TWO:
            trains = self.turn_doubles
        elif self.phase == STRING:
            trains = bit(self.turn)
        elif self.phase == FOLLOW and self.follow_on_double:
            trains = self.turn_doubles
        else:
            trains = self.open_trains()
        if self.wild:
            self.find_wild(trains)
        else:
            self.find_after_double(trains)
        if self.phase == FOLLOW and self.follow_on_double:
            self.find_last_double(trains)
        return self.found

    # Without wild tiles there is one slot for every train, also where nothing fits, and three loops where one
    # would do: without a branch on what the hand holds they take half the time.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_held(self, trains: cython.uint) -> cython.int:
        """Any tile of the hand."""
        row: cython.int = self.turn * ROWS
        count: cython.int = self.players + 1
        found: cython.int = 0
        train: cython.int
        fits: cython.uint
        for train in range(count):
            fits = self.hands[row + self.ends[train]] & -((trains >> train) & 1)
            self.slot_fits[train] = fits
            self.slot_from[train] = found
            found += popcount(fits)
        self.slots = count
        self.found = found
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_drawn(self, trains: cython.uint) -> cython.int:
        """The tile just drawn, and no other (2.3)."""
        low: cython.int = self.drawn >> 5
        high: cython.int = self.drawn & 31
        count: cython.int = self.players + 1
        found: cython.int = 0
        train: cython.int
        end: cython.int
        fits: cython.uint
        for train in range(count):
            end = self.ends[train]
            fits = ((bit(high) & -(end == low)) | (bit(low) & -(end == high))) & -((trains >> train) & 1)
            self.slot_fits[train] = fits
            self.slot_from[train] = found
            found += popcount(fits)
        self.slots = count
        self.found = found
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_after_double(self, trains: cython.uint) -> cython.int:
        """Any tile, or the one just drawn; but a second double only where it is allowed (2.7)."""
        row: cython.int = self.turn * ROWS
        count: cython.int = self.players + 1
        found: cython.int = 0
        train: cython.int
        end: cython.int
        fits: cython.uint
        for train in range(count):
            end = self.ends[train]
            fits = self.hands[row + end] & -((trains >> train) & 1)
            if self.drawn >= 0:
                fits = self.only_drawn(end, fits)
            if fits & bit(end) and self.turn_doubles and not self.double_allowed(train, end):
                fits &= ~bit(end)
            self.slot_fits[train] = fits
            self.slot_from[train] = found
            found += popcount(fits)
        self.slots = count
        self.found = found
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_last_double(self, beside: cython.uint) -> cython.void:
        """The last tile, a double, goes on any open train though the follow-up belongs on the double (2.7)."""
        if self.sizes[self.turn] != 1 or self.second_double != LAST_TILE:
            return
        base: cython.int = self.turn * ROWS
        trains: cython.uint = self.open_trains() & ~beside
        train: cython.int
        end: cython.int
        v: cython.int
        while trains:
            train = lowest(trains)
            trains &= trains - 1
            end = self.ends[train]
            for v in range(ROWS):
                if v > self.highest and v != WILD:
                    continue
                if not (self.hands[base + v] & bit(v)):
                    continue
                if v == WILD:
                    if bit(train) & self.begun & ~self.doubles:
                        self.add_slot(train, v, bit(v))
                elif end == v or end == WILD:
                    self.add_slot(train, v, bit(v))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_wild(self, trains: cython.uint) -> cython.void:
        """The slots of a set with wild tiles: a wild end joins any end, and any end joins it (3)."""
        everywhere: cython.uint = trains
        train: cython.int
        v: cython.int
        row: cython.uint = self.hands[self.turn * ROWS + WILD]
        if self.drawn < 0 and self.turn_doubles == 0:
            self.find_wild_plainly(trains, row)
            trains = 0
        while trains:
            train = lowest(trains)
            trains &= trains - 1
            if self.ends[train] == WILD:
                for v in range(self.highest + 1):
                    self.find_wild_slot(train, v)
            else:
                self.find_wild_slot(train, self.ends[train])
            self.find_wild_slot(train, WILD)
        if row & A_BITS and (self.phase == PLAY or self.phase == EXTRA or self.phase == FOLLOW):
            self.find_anywhere(everywhere)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_wild_plainly(self, trains: cython.uint, row: cython.uint) -> cython.void:
        """The same where neither a drawn tile nor a double of this turn narrows it: the usual case, made quick."""
        base: cython.int = self.turn * ROWS
        slots: cython.int = self.slots
        found: cython.int = self.found
        not_on_doubles: cython.uint = self.begun & ~self.doubles
        train: cython.int
        v: cython.int
        last: cython.int
        fits: cython.uint
        if row & A_BITS:  # equal tiles are one move: the lowest held is played
            row = (row & ~A_BITS) | bit(lowest(row & A_BITS))
        while trains:
            train = lowest(trains)
            trains &= trains - 1
            v = self.ends[train]
            last = v
            if v == WILD:
                v = 0
                last = self.highest
            while v <= last:
                fits = self.hands[base + v]
                self.slot_train[slots] = train
                self.slot_attached[slots] = v
                self.slot_fits[slots] = fits
                self.slot_from[slots] = found
                found += popcount(fits)
                slots += fits != 0
                v += 1
            fits = row & ~(WILD_BIT & -(((not_on_doubles >> train) & 1) ^ 1))  # 3.1
            self.slot_train[slots] = train
            self.slot_attached[slots] = WILD
            self.slot_fits[slots] = fits
            self.slot_from[slots] = found
            found += popcount(fits)
            slots += fits != 0
        self.slots = slots
        self.found = found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_wild_slot(self, train: cython.int, attached: cython.int) -> cython.void:
        fits: cython.uint = self.hands[self.turn * ROWS + attached]
        if fits == 0:
            return
        if attached == WILD:
            if fits & A_BITS:  # equal tiles are one move: the lowest held is played
                fits = (fits & ~A_BITS) | bit(lowest(fits & A_BITS))
            if fits & WILD_BIT and not (bit(train) & self.begun & ~self.doubles):
                fits &= ~WILD_BIT  # 3.1: W-W never on a double, nor on the engine
        if self.drawn >= 0:
            fits = self.only_drawn(attached, fits)
        if self.turn_doubles and fits & bit(attached) and not self.double_allowed(train, attached):
            fits &= ~bit(attached)
        if fits:
            self.add_slot(train, attached, fits)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_anywhere(self, beside: cython.uint) -> cython.void:
        """A-W on the trains of seats that are not open to this one (3.3)."""
        if self.phase == FOLLOW and self.follow_on_double:
            return
        if self.on_own_only() or self.binding():
            return
        fits: cython.uint = bit(lowest(self.hands[self.turn * ROWS + WILD] & A_BITS))
        if self.drawn >= 0:
            fits = self.only_drawn(WILD, fits)
            if fits == 0:
                return
        trains: cython.uint = (bit(self.players) - 1) & ~beside
        if self.own_train_first and (self.begun & bit(self.turn)) == 0:
            trains &= self.begun
        while trains:
            self.add_slot(lowest(trains), WILD, fits)
            trains &= trains - 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def may_draw(self) -> cython.bint:
        """Is a draw allowed at this point, if nothing can be placed? (2, 2.3, 2.7)"""
        return self.pile_next < self.pile_end and self.drawn < 0 and self.draws_here()

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def draws_here(self) -> cython.bint:
        """Is this a point of the turn at which a tile may be drawn at all?"""
        if self.phase == PLAY or self.phase == MUST_DRAW:
            return True
        if not self.follow_draw:
            return False
        if self.phase == STRING:
            return (self.doubles & bit(self.turn)) != 0
        return self.phase == FOLLOW and not (self.pending & WHOLE_TURN)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def may_stop(self) -> cython.bint:
        """A string may be left when its tail is not a double (2.6)."""
        return self.phase == STRING and (self.doubles & bit(self.turn)) == 0

    # ---- Doing it ------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def place(self, train: cython.int, a: cython.int, b: cython.int) -> cython.void:
        """The seat to play joins its tile a-b to the train by a, showing b."""
        seat: cython.int = self.turn
        base: cython.int = seat * ROWS
        here: cython.uint = bit(train)
        own: cython.uint = bit(seat)
        string: cython.bint = self.phase == STRING
        if self.first_turn == OWN_STRING and self.phase == PLAY and self.first_pending & own and self.binding() == 0:
            string = self.drawn < 0
            if not string:
                self.pending |= WHOLE_TURN  # 2.6: a first tile that had to be drawn is the whole turn
        self.hands[base + a] &= ~bit(b)
        self.table[a] |= bit(b)
        if b < ROWS:
            self.hands[base + b] &= ~bit(a)
            self.table[b] |= bit(a)
        self.sizes[seat] -= 1
        self.laid += 1
        self.ends[train] = b if b < WILD else WILD
        self.begun |= here
        self.marked &= ~(here & own)
        self.passed = 0
        self.placed = True
        self.drawn = NOTHING
        self.found = NOTHING
        if a == b:
            self.doubles |= here
            self.turn_doubles |= here
        else:
            self.doubles &= ~here
            self.turn_doubles &= ~here
        if self.sizes[seat] == 0:
            self.go_out()
            return
        if a == b:
            if self.follow_on_double and not self.alive(train):
                self.end_turn()  # 2.9: nothing can cover it, and nothing else would do
            elif string:
                self.phase = STRING
            elif self.second_double == THIRD_TILE and self.turn_doubles & (self.turn_doubles - 1):
                self.phase = TWO
            else:
                self.phase = FOLLOW
            return
        if b >= LETTER_D:
            self.letter(b)
        if string:
            self.phase = STRING
            if self.find() == 0:
                self.end_by_itself()
        elif b == LETTER_T and not (self.pending & WHOLE_TURN):
            self.phase = EXTRA
            if self.find() == 0:
                self.end_by_itself()
        else:
            self.end_turn()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def letter(self, b: cython.int) -> cython.void:
        """What D, R and S do to the seats that come next (3.4–3.6)."""
        if b == LETTER_D:
            self.pending |= FORCE
        elif b == LETTER_R:
            self.direction = -self.direction
        elif b == LETTER_S:
            self.pending |= SKIP

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def go_out(self) -> cython.void:
        """The last tile is placed (2.11). Letters and doubles have no effect any more."""
        first: cython.bint = (self.first_pending & bit(self.turn)) != 0
        if self.finish_first_turns and first and self.first_pending != bit(self.turn):
            self.pending |= FINISHING
            self.end_turn()
        else:
            self.first_pending &= ~bit(self.turn)
            self.ending = OUT
            self.found = 0
            self.slots = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def end_by_itself(self) -> cython.void:
        """Nothing can be placed where nothing else may be done: the turn ends without a move."""
        self.by_itself = True
        if self.tracking:
            self.find_void()
        self.end_turn()

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def after(self, seat: cython.int) -> cython.int:
        """The next seat in the direction of play."""
        seat += self.direction
        if seat == self.players:
            return 0
        return self.players - 1 if seat < 0 else seat

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def end_turn(self) -> cython.void:
        seat: cython.int = self.turn
        self.first_pending &= ~bit(seat)
        self.turns += 1
        self.left_open = self.turn_doubles
        self.turn_doubles = 0
        self.drawn = NOTHING
        self.placed = False
        self.phase = PLAY
        self.found = NOTHING
        self.turn = self.after(seat)
        if self.pending:
            self.meet_pending()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def meet_pending(self) -> cython.void:
        """As a turn begins: S passes the seat over, D makes it draw, and after a first turn that went out only
        those play who have not had theirs (2.11, 3.4, 3.6)."""
        seat: cython.int = self.turn
        if self.pending & FINISHING:
            if self.first_pending == 0:
                self.ending = OUT
                return
            while not (self.first_pending & bit(seat)):
                seat = self.after(seat)
            if self.pending & SKIP:
                seat = self.after(seat)
                while not (self.first_pending & bit(seat)):
                    seat = self.after(seat)
        elif self.pending & SKIP:
            seat = self.after(seat)
        self.turn = seat
        if self.pending & FORCE and self.pile_next < self.pile_end:
            self.phase = MUST_DRAW
        self.pending &= FINISHING

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def draw(self) -> cython.void:
        """The front tile of the bone pile goes into the hand (2.3, 3.4)."""
        tile: cython.int = self.pile[self.pile_next]
        self.pile_next += 1
        self.take(self.turn, tile >> 5, tile & 31)
        self.passed = 0
        self.found = NOTHING
        if self.phase == MUST_DRAW:
            self.phase = PLAY
        else:
            self.drawn = tile

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def give_up(self) -> cython.void:
        """A pass: the marker is laid, and the round may be blocked (2.4, 2.11)."""
        own: cython.uint = bit(self.turn)
        self.passes[self.turn] += 1
        self.passed &= -((self.marked >> self.turn) & 1)  # a new marker begins the count anew; without a branch
        self.marked |= own
        if not self.placed and not (self.on_own_only() and self.binding() == 0):
            self.passed |= own
            if self.passed == bit(self.players) - 1 and self.pile_next == self.pile_end:
                self.ending = BLOCKED
                self.found = 0
                self.slots = 0
                return
        self.end_turn()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def stop(self) -> cython.void:
        """A string is left (2.6)."""
        self.end_turn()

    # ---- What a hand lacks ---------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_void(self) -> cython.void:
        """Leave in ``void``, as rows, every tile that this seat could place now if it held it.

        A draw, a pass and a turn that ends by itself show that it holds none of them. Only W-W as a second
        double cannot be said tile by tile: whether it may be laid depends on what else the hand holds.
        Then ``joint`` is set, and a deal has to be checked by playing the moves through it.
        """
        base: cython.int = self.turn * ROWS
        numbers: cython.uint = bit(self.highest + 1) - 1
        i: cython.int
        a: cython.int
        drawn: cython.int = self.drawn
        kept: cython.uint[20]
        if not cython.compiled:
            kept = [0] * ROWS
        for i in range(ROWS):
            kept[i] = self.hands[base + i]
            self.hands[base + i] = 0
            self.void[i] = 0
        for i in range(self.highest + 1):
            self.hands[base + i] = (numbers | (WILD_BIT if self.wild else 0)) & ~self.table[i]
        if self.wild:
            self.hands[base + WILD] = (numbers | LETTER_BITS | WILD_BIT) & ~self.table[WILD]
        self.drawn = NOTHING
        self.as_void = True
        self.find()
        self.as_void = False
        self.drawn = drawn
        self.found = NOTHING
        for i in range(self.slots):
            a = self.attached_of(i)
            self.void[a] |= self.slot_fits[i]
        if self.void[WILD] & A_BITS:  # the three are equal: which of them lies where is nobody's business
            self.void[WILD] |= A_BITS
        for i in range(ROWS):
            self.hands[base + i] = kept[i]
        for i in range(self.highest + 1):  # a tile is in both its rows
            for a in range(self.highest + 1):
                if self.void[i] & bit(a):
                    self.void[a] |= bit(i)
            if self.void[i] & WILD_BIT:
                self.void[WILD] |= bit(i)
            if self.void[WILD] & bit(i):
                self.void[i] |= WILD_BIT

    # ---- Points --------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def hand_points(self, seat: cython.int) -> cython.int:
        """The points of the tiles left in a hand (2.12)."""
        base: cython.int = seat * ROWS
        total: cython.int = 0
        v: cython.int
        row: cython.uint
        for v in range(self.highest + 1):
            row = self.hands[base + v]
            total += v * (popcount(row) + ((row >> v) & 1))
        if self.hands[base] & 1:
            total += self.double_blank
        if self.wild:
            row = self.hands[base + WILD]
            total += self.wild_points * (popcount(row) + popcount(row & (LETTER_BITS | WILD_BIT)))
        return total

    # ---- Random play ---------------------------------------------------------------------------

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def below(self, n: cython.int) -> cython.int:
        """A number from 0 to n-1 from a fast generator (xorshift; for playouts, not for deals that people play)."""
        return cython.cast(cython.int, (cython.cast(cython.ulonglong, self.number()) * n) >> 32)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def number(self) -> cython.uint:
        """The next number of 32 bits from the same generator."""
        x: cython.uint = self.rng
        x ^= (x << 13) & FULL
        x ^= x >> 17
        x ^= (x << 5) & FULL
        self.rng = x
        return x

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def swap(self, i: cython.int, j: cython.int) -> cython.void:
        """Two tiles of the bone pile change places."""
        tile: cython.int = self.pile[i]
        self.pile[i] = self.pile[j]
        self.pile[j] = tile

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def deal_random(self, engine: cython.int, hand_size: cython.int, starter: cython.int) -> cython.void:
        """Shuffle the whole set and deal it. ``engine`` NOTHING: the highest double held (1, pressman)."""
        n: cython.int = self.set_size
        i: cython.int
        seat: cython.int
        tile: cython.int
        chance: cython.ulonglong
        self.clear(engine if engine >= 0 else self.highest, starter)
        for i in range(n):
            self.pile[i] = self.whole_set[i]
        if engine >= 0:
            n -= 1
            i = n
            while self.pile[i] != engine << 5 | engine:
                i -= 1
            self.pile[i] = self.pile[n]  # the last tile takes its place
        self.pile_end = n
        for i in range(0, n - 1, 2):  # one number of 32 bits is chance enough for two tiles
            chance = cython.cast(cython.ulonglong, self.number()) * (n - i)
            self.swap(i, i + cython.cast(cython.int, chance >> 32))
            chance = (chance & FULL) * (n - i - 1)
            self.swap(i + 1, i + 1 + cython.cast(cython.int, chance >> 32))
        for seat in range(self.players):
            for i in range(hand_size):
                tile = self.pile[self.pile_next]
                self.pile_next += 1
                self.take(seat, tile >> 5, tile & 31)
        if engine < 0:
            self.engine_from_hands(starter)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def engine_from_hands(self, first: cython.int) -> cython.void:
        """The highest double held becomes the engine; if there is none, all draw in turn until there is."""
        v: cython.int
        seat: cython.int
        i: cython.int
        tile: cython.int
        for i in range(self.highest + 1):
            v = self.highest - i
            for seat in range(self.players):
                if self.hands[seat * ROWS + v] & bit(v):
                    self.set_engine(seat, v)
                    return
        seat = first
        while self.pile_next < self.pile_end:
            tile = self.pile[self.pile_next]
            self.pile_next += 1
            self.take(seat, tile >> 5, tile & 31)
            if tile >> 5 == tile & 31:
                self.set_engine(seat, tile & 31)
                return
            seat = seat + 1 if seat + 1 < self.players else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def set_engine(self, seat: cython.int, v: cython.int) -> cython.void:
        i: cython.int
        self.hands[seat * ROWS + v] &= ~bit(v)
        self.sizes[seat] -= 1
        for i in range(16):
            self.ends[i] = v
        self.table[self.highest] = 0
        self.table[v] = bit(v)
        self.turn = seat

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def place_nth(self, k: cython.int) -> cython.void:
        """Place the k-th of the placements that ``find`` listed."""
        slot: cython.int = self.slot_of(k)
        exposed: cython.int = nth(self.slot_fits[slot], k - self.slot_from[slot])
        if self.wild or slot > self.players:
            self.place(self.slot_train[slot], self.slot_attached[slot], exposed)
        else:
            self.place(slot, self.ends[slot], exposed)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def slot_of(self, k: cython.uint) -> cython.int:
        """The slot of the k-th placement."""
        i: cython.int
        slot: cython.int = 0
        for i in range(1, self.slots):
            slot += k >= self.slot_from[i]
        return slot

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def train_of(self, slot: cython.int) -> cython.int:
        """The train of a slot; without wild tiles the first slots are the trains themselves."""
        return slot if not self.wild and slot <= self.players else self.slot_train[slot]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def attached_of(self, slot: cython.int) -> cython.int:
        """The end that a slot's tiles join with."""
        return self.slot_attached[slot] if self.wild else self.ends[self.train_of(slot)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play_randomly(self) -> cython.void:
        """Play the round out, every legal move as likely as any other."""
        n: cython.int
        k: cython.int
        while self.ending == RUNNING:
            n = self.find() if self.found < 0 else self.found
            if n:
                k = self.below(n + 1 if self.may_stop() else n)
                if k == n:
                    self.stop()
                    self.stops += 1
                else:
                    self.place_nth(k)
                    self.plays += 1
            elif self.may_draw():
                self.draw()
                self.draws += 1
            else:
                self.give_up()
                self.gave_up += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def many_rounds(self, rounds: cython.longlong, engine: cython.int, hand_size: cython.int) -> cython.void:
        i: cython.longlong
        seat: cython.int
        starter: cython.int = 0
        points: cython.int
        for i in range(rounds):
            self.deal_random(engine, hand_size, starter)
            self.play_randomly()
            starter = starter + 1 if starter + 1 < self.players else 0
            if self.ending == BLOCKED:
                self.blocked += 1
            for seat in range(self.players):
                points = self.hand_points(seat)
                self.points += points
                self.checksum = (self.checksum * 31 + points + self.passes[seat]) & FULL
            self.checksum = (self.checksum * 31 + self.pile_next * 256 + self.laid) & FULL

    # ---- For Python ----------------------------------------------------------------------------

    def rules(
        self,
        players: cython.int,
        highest: cython.int,
        wild: cython.bint,
        first_turn: cython.int,
        finish_first_turns: cython.bint,
        own_train_first: cython.bint,
        follow_on_double: cython.bint,
        follow_draw: cython.bint,
        second_double: cython.int,
        bind: cython.bint,
        double_blank: cython.int,
        wild_points: cython.int,
    ) -> None:
        """Take over the parameters of a rulebook."""
        a: cython.int
        b: cython.int
        self.players = players
        self.highest = highest
        self.wild = wild
        self.first_turn = first_turn
        self.finish_first_turns = finish_first_turns
        self.own_train_first = own_train_first
        self.follow_on_double = follow_on_double
        self.follow_draw = follow_draw
        self.second_double = second_double
        self.bind = bind
        self.double_blank = double_blank
        self.wild_points = wild_points
        self.set_size = 0
        for a in range(highest + 1):
            for b in range(a, highest + 1):
                self.whole_set[self.set_size] = a << 5 | b
                self.set_size += 1
        if wild:
            for a in range(highest + 1):
                self.whole_set[self.set_size] = a << 5 | WILD
                self.set_size += 1
            for b in range(WILD, LETTER_T + 1):
                self.whole_set[self.set_size] = WILD << 5 | b
                self.set_size += 1
        self.tile_count = self.set_size
        self.clear(0, 0)

    def random_rounds(
        self, rounds: cython.longlong, engine: cython.int, hand_size: cython.int, seed: cython.uint
    ) -> tuple:
        """Deal and play rounds at random; (points, plays, draws, passes, stops, blocked rounds, checksum)."""
        self.rng = seed
        self.plays = self.draws = self.gave_up = self.stops = self.blocked = self.points = 0
        self.checksum = 0
        with cython.nogil:
            self.many_rounds(rounds, engine, hand_size)
        return self.points, self.plays, self.draws, self.gave_up, self.stops, self.blocked, self.checksum

    @cython.ccall
    @cython.nogil
    @cython.exceptval(check=False)
    def whose(self) -> cython.int:
        """The seat to move, or -1 when the round is over."""
        return self.turn if self.ending == RUNNING else NOTHING

    def settle(
        self, starter: cython.int, pot: cython.int, last: cython.bint, ante: cython.int, fee: cython.int
    ) -> tuple:
        """What each seat took from the pot less what it paid in this round, and what stays in the pot (2.13)."""
        seat: cython.int
        passes: list = [self.passes[seat] for seat in range(self.players)]
        cents: list = [-ante - fee * count for count in passes]
        pot -= sum(cents)
        takers: list = []
        for i in range(self.players):  # clockwise from the starter: that is how odd cents are given
            seat = (starter + i) % self.players
            if self.sizes[seat] == 0 if self.ending == OUT else last:
                takers.append(seat)
        if not takers or self.ending == RUNNING:
            return cents, pot
        for i, taker in enumerate(takers):
            cents[taker] += pot // len(takers) + (i < pot % len(takers))
        return cents, 0

    def void_rows(self) -> bytes:
        """``void`` as 20 rows of four bytes, as they lie in memory."""
        if cython.compiled:
            return cython.cast(cython.p_char, self.void)[:80]
        from struct import pack

        return pack("20I", *self.void)

    def lacks(self) -> bytes:
        """What the seat to play cannot hold if it draws or passes now, as rows."""
        self.joint = False
        self.find_void()
        return self.void_rows()

    def track(self, joint: cython.bint) -> bool:
        """Keep what a turn that ends by itself shows, for ``void_rows``; whether it was joint."""
        was: cython.bint = self.joint
        self.tracking = True
        self.joint = joint
        return was

    def load(self, engine: cython.int, starter: cython.int, hands: list, bone_pile: list) -> None:
        """Take over a deal: the engine's value, and tiles as numbers (``Tile.code``)."""
        seat: cython.int
        tile: cython.int
        self.clear(engine, starter)
        copies: cython.int = 0
        for seat in range(self.players):
            for code in hands[seat]:
                tile = inner_tile(code, copies)
                copies += is_letter_a(tile)
                self.take(seat, tile >> 5, tile & 31)
        for code in bone_pile:
            tile = inner_tile(code, copies)
            copies += is_letter_a(tile)
            self.pile[self.pile_end] = tile
            self.pile_end += 1
        self._undo = []

    def lay_out(
        self,
        trains: dict,
        markers: cython.uint,
        first_turns: cython.uint,
        direction: cython.int,
        must_draw: cython.bint,
    ) -> None:
        """Add what lies on the table to a deal: train -> [(tile, attached, exposed) as numbers]."""
        a: cython.int
        b: cython.int
        train: cython.int
        copies: cython.int = 2  # from the back: the lowest copies are in the hands
        for train, line in trains.items():
            for code, exposed in line:
                b = value_of(exposed)
                low: cython.int = value_of(code >> 5)
                high: cython.int = value_of(code & 31)
                a = high if b == low else low
                if b >= LETTER_A or a >= LETTER_A:
                    b = b if b >= LETTER_A else a
                    a = WILD
                    if b < LETTER_D:
                        b = LETTER_A + copies
                        copies -= 1
                self.table[a] |= bit(b)
                if b < ROWS:
                    self.table[b] |= bit(a)
                self.laid += 1
                self.begun |= bit(train)
                self.ends[train] = b if b < WILD else WILD
                if a == b:
                    self.doubles |= bit(train)
                else:
                    self.doubles &= ~bit(train)
        self.marked = markers
        self.first_pending = first_turns
        self.direction = direction
        if must_draw:
            self.phase = MUST_DRAW
        self.found = NOTHING

    def legal(self) -> list:
        """The legal moves as numbers, in the canonical order."""
        codes: list = []
        slot: cython.int
        train: cython.int
        fits: cython.uint
        if self.ending != RUNNING:
            return codes
        if self.found < 0:
            self.find()
        for slot in range(self.slots):
            fits = self.slot_fits[slot]
            if fits:
                train = self.outer_train(self.train_of(slot))
                while fits:
                    codes.append(placement(train, self.attached_of(slot), lowest(fits)))
                    fits &= fits - 1
        if self.may_stop():
            codes.sort()
            codes.append(STOP_CODE)
        elif self.found:
            codes.sort()
        else:
            codes.append(DRAW_CODE if self.may_draw() else PASS_CODE)
        return codes

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def outer_train(self, train: cython.int) -> cython.int:
        return train if train < self.players else MEXICAN

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def exposed_if_legal(self, train: cython.int, attached: cython.int, exposed: cython.int) -> cython.int:
        """The value that a placement would show (which A, of three), or NOTHING when it is not legal."""
        slot: cython.int
        fits: cython.uint
        if self.found < 0:
            self.find()
        for slot in range(self.slots):
            if self.slot_fits[slot] and self.train_of(slot) == train and self.attached_of(slot) == attached:
                fits = self.slot_fits[slot]
                if exposed == LETTER_A:
                    fits &= A_BITS
                    if fits:
                        return lowest(fits)
                elif fits & bit(exposed):
                    return exposed
        return NOTHING

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def may(self, code: cython.int) -> cython.bint:
        """Is this move legal now?"""
        train: cython.int
        if self.ending != RUNNING:
            return False
        if self.found < 0:
            self.find()
        if code < STOP_CODE:
            train = (code >> 5) & 15
            if train >= self.players and train != MEXICAN:
                return False
            if train > self.players:
                train = self.players
            return self.exposed_if_legal(train, value_of(code & 31), exposed_of(code)) >= 0
        if code == STOP_CODE:
            return self.may_stop()
        if self.found or self.may_stop():
            return False
        return self.may_draw() if code == DRAW_CODE else code == PASS_CODE and not self.may_draw()

    def allows(self, code: cython.int) -> bool:
        """Is this move legal now?"""
        return self.may(code)

    def push(self, code: cython.int) -> int:
        """Play a legal move; what happened besides, as flags. ``pop`` takes it back."""
        a: cython.int = 0
        b: cython.int = 0
        train: cython.int = 0
        flags: cython.int = 0
        seat: cython.int = self.turn
        turns: cython.int = self.turns
        marked: cython.uint = self.marked
        if self.found < 0:
            self.find()
        if code < STOP_CODE:
            train = min((code >> 5) & 15, self.players)
            a = value_of(code & 31)
            b = self.exposed_if_legal(train, a, exposed_of(code))
        self._undo.append(
            (
                code, a, b, train, self.ends[train], self.turn, self.phase, self.drawn, self.direction, self.ending,
                self.laid, self.turns, self.pile_next, self.placed, self.pending,
                self.marked, self.begun, self.doubles, self.turn_doubles, self.first_pending, self.passed,
            )
        )  # fmt: skip
        self.by_itself = False
        if code < STOP_CODE:
            if not (self.begun & bit(train)):
                flags |= BEGAN_TRAIN
            elif self.doubles & bit(train):
                flags |= COVERED
            self.place(train, a, b)
            if marked != self.marked:
                flags |= TOOK_MARKER
            if self.sizes[seat] == 1:
                flags |= ONE_LEFT
        elif code == DRAW_CODE:
            self.draw()
        elif code == PASS_CODE:
            self.give_up()
            if marked != self.marked:
                flags |= LAID_MARKER
        else:
            self.stop()
        if self.by_itself:
            flags |= ENDED_BY_ITSELF
        if self.turns != turns:
            flags |= ENDED_TURN
        return flags

    def pop(self) -> int:
        """Take the last move back, exactly; its number."""
        a: cython.int
        b: cython.int
        train: cython.int
        seat: cython.int
        tile: cython.int
        pile_next: cython.int = self.pile_next
        (
            code, a, b, train, end, self.turn, self.phase, self.drawn, self.direction, self.ending,
            self.laid, self.turns, self.pile_next, self.placed, self.pending,
            self.marked, self.begun, self.doubles, self.turn_doubles, self.first_pending, self.passed,
        ) = self._undo.pop()  # fmt: skip
        seat = self.turn
        self.ends[train] = end
        if code < STOP_CODE:
            self.take(seat, a, b)
            self.table[a] &= ~bit(b)
            if b < ROWS:
                self.table[b] &= ~bit(a)
        elif code == PASS_CODE:
            self.passes[seat] -= 1
        if pile_next != self.pile_next:
            tile = self.pile[self.pile_next]
            a = tile >> 5
            b = tile & 31
            self.hands[seat * ROWS + a] &= ~bit(b)
            if b < ROWS:
                self.hands[seat * ROWS + b] &= ~bit(a)
            self.sizes[seat] -= 1
        self.found = NOTHING
        return code

    def copy(self) -> State:
        """The same round in a new state; its moves can be taken back there too."""
        other: State = State()
        other._undo = list(self._undo)
        other.tracking = self.tracking
        other.copy_from(self)
        other.set_size = self.set_size
        i: cython.int
        for i in range(self.set_size):
            other.whole_set[i] = self.whole_set[i]
        return other

    def hand(self, seat: cython.int) -> list:
        """The tiles of a hand as numbers, in canonical order."""
        base: cython.int = seat * ROWS
        codes: list = []
        v: cython.int
        row: cython.uint
        for v in range(self.highest + 1):
            row = self.hands[base + v] & ~(bit(v) - 1)
            while row:
                codes.append(outer_tile(v, lowest(row)))
                row &= row - 1
        row = self.hands[base + WILD] & (LETTER_BITS | WILD_BIT)
        while row:
            codes.append(outer_tile(WILD, lowest(row)))
            row &= row - 1
        codes.sort()
        return codes

    def bone_pile(self) -> list:
        """The tiles of the bone pile as numbers, the next to be drawn first."""
        return [outer_tile(self.pile[i] >> 5, self.pile[i] & 31) for i in range(self.pile_next, self.pile_end)]

    def newest_tile(self) -> int:
        """The tile that was drawn last, as a number."""
        tile: cython.int = self.pile[self.pile_next - 1]
        return outer_tile(tile >> 5, tile & 31)

    def drawn_tile(self) -> int:
        """The tile drawn at this very point as a number, or -1."""
        return outer_tile(self.drawn >> 5, self.drawn & 31) if self.drawn >= 0 else NOTHING

    def look(self) -> tuple:
        """(turn, phase, direction, ending, markers, begun, exposed doubles, of this turn, binding, tiles in the pile)."""
        return (
            self.turn, self.phase, self.direction, self.ending, self.marked, self.begun, self.doubles,
            self.turn_doubles, self.binding(), self.pile_end - self.pile_next,
        )  # fmt: skip

    def lives(self, train: cython.int) -> bool:
        """Can the double that this train shows still be covered?"""
        return self.alive(train)

    def left_open_now(self) -> int:
        """Of the doubles that the last turn left exposed, those that bind everybody now."""
        return self.left_open & self.binding()

    def end(self, train: cython.int) -> int:
        """The open end of a train, ranked."""
        return rank(self.ends[train])

    def size(self, seat: cython.int) -> int:
        return self.sizes[seat]

    def passes_of(self, seat: cython.int) -> int:
        return self.passes[seat]

    def first_turns(self) -> int:
        """The seats that have yet to take their first turn."""
        return self.first_pending

    def points_of(self, seat: cython.int) -> int:
        return self.hand_points(seat)

    def key(self) -> tuple:
        """Everything that is copied, for comparing two states."""
        return (
            self.turn, self.phase, self.drawn, self.direction, self.ending, self.laid, self.turns, self.pile_next,
            self.pile_end, self.placed, self.pending, self.marked, self.begun, self.doubles,
            self.turn_doubles, self.first_pending, self.passed,
            [self.ends[i] for i in range(self.players + 1)],  # one by one: an array of bytes as a whole ends at a 0
            [self.sizes[i] for i in range(self.players)], list(self.passes)[: self.players], list(self.table),
            list(self.pile)[: self.pile_end], list(self.hands)[: self.players * ROWS],
        )  # fmt: skip

    def seed(self, seed: cython.uint) -> None:
        """Set the fast generator."""
        self.rng = seed

    def deal(self, engine: cython.int, hand_size: cython.int, starter: cython.int) -> None:
        """Shuffle and deal with the fast generator, as ``random_rounds`` does."""
        self.deal_random(engine, hand_size, starter)
        self._undo = []

    def random_move(self) -> int:
        """The move that ``random_rounds`` would make now, with the same numbers from the generator."""
        n: cython.int = self.find() if self.found < 0 else self.found
        k: cython.int
        slot: cython.int
        if n == 0:
            return DRAW_CODE if self.may_draw() else PASS_CODE
        k = self.below(n + 1 if self.may_stop() else n)
        if k == n:
            return STOP_CODE
        slot = self.slot_of(k)
        exposed: cython.int = nth(self.slot_fits[slot], k - self.slot_from[slot])
        return placement(self.outer_train(self.train_of(slot)), self.attached_of(slot), exposed)

    @cython.ccall
    @cython.nogil
    @cython.exceptval(check=False)
    def number_of(self, train: cython.int, attached: cython.int, exposed: cython.int) -> cython.int:
        """The number of a placement by the core's own train and ends."""
        return placement(self.outer_train(train), attached, exposed)

    def copies(self, times: cython.longlong) -> int:
        """Copy this state so many times into another: what a copy costs, for the benchmark."""
        other: State = State()
        i: cython.longlong
        with cython.nogil:
            for i in range(times):
                other.copy_from(self)
                other.turn = cython.cast(cython.int, i & 1)
        return other.turn

    def bytes(self) -> int:
        """How many bytes the copied part has."""
        return (
            4 * 28
            + 4 * 6
            + (self.players + 1)
            + 3 * self.players
            + 4 * ROWS
            + 2 * self.pile_end
            + 4 * self.players * ROWS
        )

    # ---- Why not -------------------------------------------------------------------------------

    def refusal(self, code: cython.int) -> tuple | None:
        """Why a move is not legal: (reason, train or -1, value or -1); None when it is legal."""
        if self.ending != RUNNING:
            return ("over", -1, -1)
        if self.allows(code):
            return None
        if code >= STOP_CODE:
            return self.refusal_of_giving_up(code)
        train: cython.int = (code >> 5) & 15
        if train >= self.players and train != MEXICAN:
            return ("no-train", train, -1)
        train = min(train, self.players)
        a: cython.int = value_of(code & 31)
        b: cython.int = exposed_of(code)
        return (
            self.refusal_of_tile(train, a, b) or self.refusal_of_train(train, a, b) or self.refusal_of_fit(train, a, b)
        )

    @cython.cfunc
    def refusal_of_giving_up(self, code: cython.int) -> tuple:
        if code == STOP_CODE:
            if self.phase != STRING:
                return ("stop-without-string", -1, -1)
            return ("stop-on-double", self.turn, rank(self.ends[self.turn]))
        if self.phase == MUST_DRAW:
            return ("must-draw", -1, -1)
        if self.found or self.may_stop():
            return ("must-play-or-stop" if self.may_stop() else "must-play", -1, -1)
        if code == PASS_CODE:
            return ("draw-first", -1, -1)
        if self.drawn >= 0:
            return ("drawn-already", -1, -1)
        if not self.draws_here():
            return ("no-draw-here", -1, -1)
        return ("pile-empty", -1, -1)

    @cython.cfunc
    def refusal_of_tile(self, train: cython.int, a: cython.int, b: cython.int) -> tuple | None:
        """Is it about the tile itself?"""
        base: cython.int = self.turn * ROWS
        held: cython.uint = self.hands[base + a] & (A_BITS if b == LETTER_A else bit(b))
        if (a > self.highest and a != WILD) or (b > self.highest and not self.wild) or (a == WILD and not self.wild):
            return ("not-in-set", train, -1)
        if self.highest < b < WILD:
            return ("not-in-set", train, -1)
        if not held:
            return ("not-held", train, -1)
        if self.phase == MUST_DRAW:
            return ("must-draw", -1, -1)
        if self.drawn >= 0 and self.only_drawn(a, held) == 0:
            return ("drawn-only", train, -1)
        return None

    @cython.cfunc
    def refusal_of_train(self, train: cython.int, a: cython.int, b: cython.int) -> tuple | None:
        """Is the train closed to this seat?"""
        here: cython.uint = bit(train)
        own: cython.uint = bit(self.turn)
        bound: cython.uint = self.binding()
        anywhere: cython.bint = a == WILD and LETTER_A <= b < LETTER_D and train < self.players
        first: cython.int
        if self.phase == TWO and not (here & self.turn_doubles):
            return ("two-doubles", lowest(self.turn_doubles), rank(self.ends[lowest(self.turn_doubles)]))
        if self.phase == STRING and train != self.turn:
            return ("string-own-train", train, -1)
        if self.phase == FOLLOW and self.follow_on_double and not (here & self.turn_doubles):
            first = lowest(self.turn_doubles)
            if not (a == b and self.sizes[self.turn] == 1 and self.second_double == LAST_TILE):
                return ("follow-on-double", first, rank(self.ends[first]))
        if bound and not (here & (bound | self.turn_doubles)):
            return ("open-double", lowest(bound), rank(self.ends[lowest(bound)]))
        if not bound and self.on_own_only() and train != self.turn and not (here & self.turn_doubles):
            return ("first-turn-own-train", train, -1)
        if here & (own | self.marked | bit(self.players) | self.turn_doubles) or anywhere or bound:
            if self.own_train_first and not (self.begun & own) and not (self.begun & here) and train != self.turn:
                return ("own-train-first", train, -1)
            return None
        return ("not-marked", train, -1)

    @cython.cfunc
    def refusal_of_fit(self, train: cython.int, a: cython.int, b: cython.int) -> tuple:
        """Does the tile not fit, or may this double not be laid?"""
        end: cython.int = self.ends[train]
        if end != WILD and a != end and a != WILD:
            return ("no-fit", train, rank(end))
        if a == WILD and b == WILD and not (bit(train) & self.begun & ~self.doubles):
            return ("wild-double-on-double", train, rank(end))
        if a == b and self.turn_doubles:
            if self.second_double == THIRD_TILE:
                if popcount(self.turn_doubles | bit(train)) > 2:
                    return ("two-doubles", lowest(self.turn_doubles), rank(self.ends[lowest(self.turn_doubles)]))
                return ("second-double-third-tile", train, rank(a))
            return (
                "second-double-last-tile" if self.second_double == LAST_TILE else "second-double-never",
                train,
                rank(a),
            )
        return ("no-fit", train, rank(end))


@cython.final
@cython.cclass
class Worlds:
    """Deals that agree with everything a seat has seen, each as likely as any other.

    A deal puts the tiles whose place is not known into slots: the slots of the hands as they were dealt,
    of the tiles drawn and kept, and of the bone pile. What the players showed says which tile may lie in
    which slot: who drew or passed held nothing that he could have placed, and what he drew afterwards is
    free of that. A tile that was played came from one of the player's slots that was filled before.

    From one deal to the next: lift a tile, leaving a hole; put it into a slot that may hold it and lift
    the tile from there, and so on at random, until one fits the hole. Lifting and putting are as likely in
    one direction as in the other, and every deal can be reached from every other along such rings, so in
    the long run all are equally likely (the chain of Jerrum and Sinclair on matchings with one hole).
    """

    start: State  # the table before the first move, hands empty
    world: State  # the deal, played up to now
    n: cython.int
    rings: cython.int  # between two deals
    pile_slots: cython.int  # the last slots are the bone pile's
    joint: cython.bint  # what was seen cannot be said tile by tile: a deal is checked by playing it
    turn: cython.int
    phase: cython.int
    moves: cython.int
    draws: cython.int
    fixed: cython.int
    rng: cython.uint
    last_seen: cython.int[2660]  # [seat × 190 + tile]: when the seat last showed that it lacks the tile
    may_lie: cython.uchar[36100]  # [tile × 190 + slot]
    tile: cython.ushort[190]
    tile_seat: cython.int[190]  # who played it; NOTHING for a tile not seen
    tile_move: cython.int[190]  # when
    slot_seat: cython.int[190]  # NOTHING for the bone pile
    slot_move: cython.int[190]  # when it was drawn; NOTHING as dealt
    tile_at: cython.int[190]
    slot_of: cython.int[190]
    draw_slot: cython.int[190]  # of the draws in their order; NOTHING: draw_tile is known
    draw_tile: cython.ushort[190]
    fixed_seat: cython.int[190]  # tiles known as dealt
    fixed_tile: cython.ushort[190]
    played: cython.int[8192]
    letter: cython.int[3]  # the A-W among the tiles
    letters: cython.int
    letters_played: cython.int
    reached: cython.int[190]
    queue: cython.int[190]
    end: cython.int  # so that no array is the last field: a checked build then knows all their bounds

    def __init__(self, start: State, seed: cython.uint) -> None:
        self.start = start
        self.world = start.copy()
        self.letters = self.letters_played = 0
        self.rng = seed if seed else 1
        if not cython.compiled:
            for name in "n rings pile_slots joint turn phase moves draws fixed end".split():
                setattr(self, name, 0)
            for name, length in (
                ("last_seen", 2660), ("may_lie", 36100), ("tile", 190), ("tile_seat", 190), ("tile_move", 190),
                ("slot_seat", 190), ("slot_move", 190), ("tile_at", 190), ("slot_of", 190), ("draw_slot", 190),
                ("draw_tile", 190), ("fixed_seat", 190), ("fixed_tile", 190), ("played", 8192), ("reached", 190),
                ("queue", 190), ("letter", 3),
            ):  # fmt: skip
                setattr(self, name, [0] * length)

    def set_up(
        self,
        slots: list,
        tiles: list,
        fixed: list,
        draws: list,
        played: list,
        pile_slots: cython.int,
        joint: cython.bint,
        turn: cython.int,
        phase: cython.int,
    ) -> None:
        """Take over what is known.

        slots: (seat or -1, move drawn or -1), the bone pile's last; tiles: (tile, seat that played it or -1,
        move); fixed: (seat, tile) as dealt; draws: (slot or -1, tile) in their order; played: the moves, and the turn and phase
        that they have led to.
        """
        i: cython.int = 0
        if len(played) > 8192:
            raise ValueError("a round of more than 8192 moves")
        self.n = len(slots)
        self.pile_slots = pile_slots
        self.joint = joint
        self.turn = turn
        self.phase = phase
        for i, (seat, move) in enumerate(slots):
            self.slot_seat[i] = seat
            self.slot_move[i] = move
        copies: cython.int = 0
        for i, (seat, code) in enumerate(fixed):
            self.fixed_seat[i] = seat
            self.fixed_tile[i] = inner_tile(code, copies)
            copies += is_letter_a(self.fixed_tile[i])
        self.fixed = len(fixed)
        for i, (slot, code) in enumerate(draws):
            self.draw_slot[i] = slot
            if slot < 0:
                self.draw_tile[i] = inner_tile(code, copies)
                copies += is_letter_a(self.draw_tile[i])
        self.draws = len(draws)
        for i, (code, seat, move) in enumerate(tiles):
            self.tile[i] = inner_tile(code, copies)
            copies += is_letter_a(self.tile[i])
            self.tile_seat[i] = seat
            self.tile_move[i] = move
            if is_letter_a(self.tile[i]):
                self.letter[self.letters] = i
                self.letters += 1
                self.letters_played += seat >= 0
        for i, code in enumerate(played):
            self.played[i] = code
        self.moves = len(played)
        for i in range(self.start.players * 190):
            self.last_seen[i] = NOTHING

    def add_lack(self, seat: cython.int, move: cython.int, rows: list) -> None:
        """After so many moves the seat showed that it holds no tile of these rows. In order of time."""
        i: cython.int
        a: cython.int
        b: cython.int
        row: cython.uint
        for i in range(self.n):
            a = self.tile[i] >> 5
            b = self.tile[i] & 31
            row = rows[a]
            if row & bit(b) and (self.tile_seat[i] < 0 or move <= self.tile_move[i]):
                self.last_seen[seat * 190 + i] = move

    def solve(self, highest_double: cython.int) -> bool:
        """Find which tile may lie where, and a first deal; False when there is none.

        ``highest_double``: no hand held a higher double as dealt (the engine is the highest held).
        """
        i: cython.int
        s: cython.int
        seat: cython.int
        may: cython.bint
        for i in range(self.n):
            for s in range(self.n):
                seat = self.slot_seat[s]
                if seat < 0:
                    may = self.tile_seat[i] < 0
                else:
                    may = self.last_seen[seat * 190 + i] <= self.slot_move[s]
                    if self.tile_seat[i] >= 0:
                        may = may and self.tile_seat[i] == seat and self.slot_move[s] < self.tile_move[i]
                    if self.slot_move[s] < 0 and self.tile[i] >> 5 == self.tile[i] & 31:
                        may = may and self.tile[i] & 31 <= highest_double
                self.may_lie[i * 190 + s] = may
            self.tile_at[i] = NOTHING
            self.slot_of[i] = NOTHING
        for i in range(self.n):
            if not self.seat_tile(i):
                return False
        # A ring of few tiles moves few of them, and costs little: the fewer tiles, the more rings to a deal.
        self.rings = 2 + 120 // (self.n + 1)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def seat_tile(self, tile: cython.int) -> cython.bint:
        """Give one more tile a slot, moving others along the shortest chain (Kuhn's algorithm)."""
        s: cython.int
        head: cython.int = 0
        tail: cython.int = 1
        lifted: cython.int
        back: cython.int
        for s in range(self.n):
            self.reached[s] = NOTHING
        self.queue[0] = tile
        while head < tail:
            lifted = self.queue[head]
            head += 1
            for s in range(self.n):
                if self.reached[s] >= 0 or not self.may_lie[lifted * 190 + s]:
                    continue
                self.reached[s] = lifted
                if self.tile_at[s] >= 0:
                    self.queue[tail] = self.tile_at[s]
                    tail += 1
                    continue
                while s >= 0:  # a free slot: everybody along the chain moves up
                    lifted = self.reached[s]
                    back = self.slot_of[lifted]
                    self.tile_at[s] = lifted
                    self.slot_of[lifted] = s
                    s = back
                return True
        return False

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def below(self, n: cython.int) -> cython.int:
        x: cython.uint = self.rng
        x ^= (x << 13) & FULL
        x ^= x >> 17
        x ^= (x << 5) & FULL
        self.rng = x
        return cython.cast(cython.int, (cython.cast(cython.ulonglong, x) * n) >> 32)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def ring(self) -> cython.void:
        """Lift a tile, and put and lift at random until one fits the hole."""
        hole: cython.int
        slot: cython.int
        tile: cython.int
        other: cython.int
        hole = self.below(self.n)
        tile = self.tile_at[hole]
        while True:
            slot = self.below(self.n)
            if not self.may_lie[tile * 190 + slot]:
                continue
            if slot == hole:
                self.tile_at[hole] = tile
                return
            other = self.tile_at[slot]
            self.tile_at[slot] = tile
            tile = other

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def next_deal(self, rings: cython.int) -> cython.void:
        """Go on to another deal, and play it up to now in ``world``."""
        i: cython.int
        s: cython.int
        other: cython.int
        first: cython.int = self.n - self.pile_slots
        while True:
            if self.n > 1:
                for i in range(rings):
                    self.ring()
                for i in range(self.pile_slots - 1, 0, -1):
                    s = first + self.below(i + 1)
                    other = self.tile_at[first + i]
                    self.tile_at[first + i] = self.tile_at[s]
                    self.tile_at[s] = other
            if self.letters_played and not self.fair_letters():
                continue
            if self.play_to_now() or not self.joint:
                return

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fair_letters(self) -> cython.bint:
        """Keep a deal as seldom as it comes up too often, because some of the three equal A-W were played.

        Nobody saw which of the three it was. A deal in which a player could have played any of two comes up
        twice as often as it should, so it is kept once in so many times as the A-W could have changed places.
        """
        if self.letters == 1:
            return True
        return self.below(self.letter_ways()) < (2 if self.letters - self.letters_played == 2 else 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def letter_ways(self) -> cython.int:
        """In how many ways the equal A-W could lie where they lie now."""
        a: cython.int = self.letter[0]
        b: cython.int = self.letter[1]
        c: cython.int = self.letter[2]
        ways: cython.int
        if self.letters == 1:
            return 1
        if self.letters == 2:
            ways = 1 + self.could_change(a, b, b, a, -1, -1)
        else:
            ways = 1 + self.could_change(a, b, b, a, c, c) + self.could_change(a, c, b, b, c, a)
            ways += self.could_change(a, a, b, c, c, b) + self.could_change(a, b, b, c, c, a)
            ways += self.could_change(a, c, b, a, c, b)
        return ways

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def could_change(
        self, a: cython.int, to_a: cython.int, b: cython.int, to_b: cython.int, c: cython.int, to_c: cython.int
    ) -> cython.int:
        """1 when each of these tiles could lie where the other lies."""
        if not (self.may_lie[a * 190 + self.slot_with(to_a)] and self.may_lie[b * 190 + self.slot_with(to_b)]):
            return 0
        return 1 if c < 0 else self.may_lie[c * 190 + self.slot_with(to_c)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def slot_with(self, tile: cython.int) -> cython.int:
        s: cython.int = 0
        while self.tile_at[s] != tile:
            s += 1
        return s

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play_to_now(self) -> cython.bint:
        """Deal as the slots say and make the moves that were made; False when one would not be legal."""
        i: cython.int
        self.deal_out()
        for i in range(self.moves):
            if self.joint and not self.world.may(self.played[i]):
                return False
            self.make_move(i)
        return not self.joint or (self.world.whose() == self.turn and self.world.phase == self.phase)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def deal_out(self) -> cython.void:
        """Deal as the slots say."""
        i: cython.int
        s: cython.int
        tile: cython.int
        self.world.copy_from(self.start)
        for i in range(self.fixed):
            self.world.take(self.fixed_seat[i], self.fixed_tile[i] >> 5, self.fixed_tile[i] & 31)
        for s in range(self.n):
            if self.slot_seat[s] >= 0 and self.slot_move[s] < 0:
                tile = self.tile[self.tile_at[s]]
                self.world.take(self.slot_seat[s], tile >> 5, tile & 31)
        for i in range(self.draws):
            s = self.draw_slot[i]
            self.world.pile[i] = self.draw_tile[i] if s < 0 else self.tile[self.tile_at[s]]
        for i in range(self.pile_slots):
            self.world.pile[self.draws + i] = self.tile[self.tile_at[self.n - self.pile_slots + i]]
        self.world.pile_end = self.draws + self.pile_slots

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def train_played(self, i: cython.int) -> cython.int:
        """The train of the i-th of the moves that were made."""
        train: cython.int = (self.played[i] >> 5) & 15
        return train if train < self.world.players else self.world.players

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def attached_played(self, i: cython.int) -> cython.int:
        """The end that it joined with."""
        return value_of(self.played[i] & 31)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def exposed_played(self, i: cython.int) -> cython.int:
        """The end that it showed; of the three A, the one that the seat to play would lay."""
        b: cython.int = exposed_of(self.played[i])
        return lowest(self.world.hands[self.world.turn * ROWS + WILD] & A_BITS) if b == LETTER_A else b

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def make_move(self, i: cython.int) -> cython.void:
        """Make the i-th of the moves that were made."""
        code: cython.int = self.played[i]
        if code < STOP_CODE:
            self.world.place(self.train_played(i), self.attached_played(i), self.exposed_played(i))
        elif code == DRAW_CODE:
            self.world.draw()
        elif code == PASS_CODE:
            self.world.give_up()
        else:
            self.world.stop()

    def step(self, deals: cython.int = 1) -> None:
        """Go on to another deal, so many times."""
        self.next_deal(deals * self.rings)

    def many(self, deals: cython.longlong) -> None:
        """Deal so often, for the benchmark."""
        i: cython.longlong
        with cython.nogil:
            for i in range(deals):
                self.next_deal(self.rings)

    def state(self) -> State:
        """The deal reached, played up to now."""
        return self.world

    def dealt(self) -> tuple:
        """The hands as dealt and the bone pile before the first draw, as tiles' numbers."""
        hands: list = [[] for _ in range(self.start.players)]
        pile: list = []
        i: cython.int
        tile: cython.int
        for i in range(self.fixed):
            tile = self.fixed_tile[i]
            hands[self.fixed_seat[i]].append(outer_tile(tile >> 5, tile & 31))
        for i in range(self.n):
            if self.slot_seat[i] >= 0 and self.slot_move[i] < 0:
                tile = self.tile[self.tile_at[i]]
                hands[self.slot_seat[i]].append(outer_tile(tile >> 5, tile & 31))
        for i in range(self.draws + self.pile_slots):
            tile = self.world.pile[i]
            pile.append(outer_tile(tile >> 5, tile & 31))
        for hand in hands:
            hand.sort()
        return hands, pile


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def value_of(ranked: cython.int) -> cython.int:
    """The value of an end as it is ranked outside the core: there W is last."""
    return WILD if ranked == RANK_W else ranked


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def exposed_of(code: cython.int) -> cython.int:
    """The value that a placement's number shows."""
    low: cython.int = code >> 14
    return value_of((code >> 9) & 31 if (code & 31) == low else low)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def inner_tile(code: cython.int, copies: cython.int) -> cython.int:
    """A tile's number outside (low << 5 | high, ranked) as the core's (row << 5 | bit)."""
    low: cython.int = code >> 5
    high: cython.int = code & 31
    if high != RANK_W:
        return code
    if low == RANK_W:
        return WILD << 5 | WILD
    if low == LETTER_A:
        return WILD << 5 | (LETTER_A + copies)
    return WILD << 5 | low if low > WILD else low << 5 | WILD


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_letter_a(tile: cython.int) -> cython.int:
    return tile >> 5 == WILD and LETTER_A <= tile & 31 < LETTER_D


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def outer_tile(a: cython.int, b: cython.int) -> cython.int:
    """The core's tile as its number outside."""
    low: cython.int = rank(a)
    high: cython.int = rank(b)
    return low << 5 | high if low <= high else high << 5 | low
