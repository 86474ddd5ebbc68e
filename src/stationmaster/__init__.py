"""Stationmaster: Mexican Train dominoes by the rulebook.

>>> import stationmaster as sm
>>> book = sm.rulebook("tactic")
>>> round = sm.Round(book, sm.Deal.shuffle(book, players=4, number=1, seed=7))
>>> round.legal_moves()[0] in round.legal_moves()
True
"""

from stationmaster import engine
from stationmaster.bots import Advice, Bot, Limit, bot, bots
from stationmaster.bots.levels import Level, levels
from stationmaster.engine.deal import Deal
from stationmaster.engine.events import Event
from stationmaster.engine.moves import Move
from stationmaster.engine.observation import Observation
from stationmaster.engine.position import Position
from stationmaster.engine.reasons import Reason
from stationmaster.engine.round import Outcome, Round
from stationmaster.engine.standing import Standing
from stationmaster.engine.tiles import Tile
from stationmaster.errors import (
    DealError,
    IllegalMoveError,
    NotationError,
    RecordError,
    RulebookError,
    StationmasterError,
    WordsError,
)
from stationmaster.match.match import Match
from stationmaster.match.record import Record
from stationmaster.planner.line_up import Extra, LineUp, line_up
from stationmaster.planner.longest import Train, longest_train
from stationmaster.rulebooks.rulebook import Rulebook, load_house_rules, rulebook, rulebooks, save_house_rules

__version__ = "0.1.0"

__all__ = [
    "Advice",
    "Bot",
    "Deal",
    "DealError",
    "Event",
    "Extra",
    "IllegalMoveError",
    "Level",
    "Limit",
    "LineUp",
    "Match",
    "Move",
    "NotationError",
    "Observation",
    "Outcome",
    "Position",
    "Reason",
    "Record",
    "RecordError",
    "Round",
    "Rulebook",
    "RulebookError",
    "Standing",
    "StationmasterError",
    "Tile",
    "Train",
    "WordsError",
    "bot",
    "bots",
    "engine",
    "levels",
    "line_up",
    "load_house_rules",
    "longest_train",
    "rulebook",
    "rulebooks",
    "save_house_rules",
]
