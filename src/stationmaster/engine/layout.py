"""The numbers that the core is laid out by; ``layout.pxd`` gives the compiler the same as constants.

A test holds the two to each other.
"""

# Values of an end: 0–18 are the numbers; row 19 of a hand holds every tile with a wild end, letters are bits of it.
WILD = 19
LETTER_A = 20  # 20, 21, 22: three equal tiles
LETTER_D = 23
LETTER_R = 24
LETTER_S = 25
LETTER_T = 26
NUMBERS = 19  # 0 to 18
ROWS = 20
WILD_BIT = 1 << 19
A_BITS = 7 << 20
LETTER_BITS = 127 << 20
RANK_W = 31  # W sorts behind the letters

SEATS = 14
MEXICAN = 14  # the Mexican train's number; seats' trains have the number of the seat
MEXICAN_BIT = 1 << 14
NOTHING = -1

# Phases of a turn: what the next decision of the seat is about.
PLAY = 0  # the turn's tile
FOLLOW = 1  # the follow-up of a double laid in this turn (2.7)
TWO = 2  # two doubles of this turn lie exposed: the next tile goes on one of them (3.8)
EXTRA = 3  # one more play after T-W (3.7)
STRING = 4  # a first turn that goes on, tile after tile, on the own train (2.6)
MUST_DRAW = 5  # after D-W: draw, and nothing else (3.4)

# What waits for the end of a turn, as flags.
SKIP = 1  # S-W was laid in this turn
FORCE = 2  # D-W was
FINISHING = 4  # somebody went out on a first turn, the others take theirs
WHOLE_TURN = 8  # a first tile that had to be drawn: nothing is added to it but a double's follow-up

# Parameters of the rulebook.
ANY_TRAIN = 0
OWN_TILE = 1
OWN_STRING = 2
THIRD_TILE = 0
LAST_TILE = 1
FREE = 2
NEVER = 3

# How a round ends.
RUNNING = 0
OUT = 1
BLOCKED = 2

# Moves as numbers. A placement's number sorts in the canonical order: by tile, by train, by attached end.
STOP_CODE = 1 << 20
DRAW_CODE = (1 << 20) + 1
PASS_CODE = (1 << 20) + 2

# What a move did besides what it says, as flags.
TOOK_MARKER = 1
LAID_MARKER = 2
ONE_LEFT = 4
ENDED_TURN = 64
ENDED_BY_ITSELF = 128  # nothing could be placed, which shows what the hand lacks
BEGAN_TRAIN = 256
COVERED = 512

# How a seat plays when a round is played out (planner/policy.py).
RANDOM = 0
GREEDY = 1
PLANNER = 2
PIP = 4096  # what a pip weighs in its plans and scores
