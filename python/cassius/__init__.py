"""Cassius: game-tree search for chess and for any two-player game.

- `analyse` searches a chess position, `Engine` keeps what it has learned.
- `explain` says what a position asks of each side, `annotate` and `judge_game` go through a game.
- `prove_mate` proves mates; `certify` writes down why a value holds, and `check` replays it.
- `search` searches a game that you write in Python, see `Game`.
- `search_game` and `certify_game` are for the games of the library: Connect Four, Othello and others.
- `recipes`, `games` and `python_game_recipes` list the searches that there are, with their parameters.
- `frame` makes a table of pandas of what was found.

Chess positions are texts (FEN) or boards of python-chess, which is optional. Units: centipawns, nodes, plies,
MiB, seconds; probabilities are from 0 to 1. Wrong arguments raise `ValueError` or `TypeError`.

>>> import cassius
>>> cassius.analyse("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", depth=4).best
'a1a8'
"""

from ._native import VERSION as __version__
from ._position import Move, Position
from .analysis import Analysis, Engine, Line, Parameter, PlanDepths, Recipe, analyse, recipes
from .frames import frame
from .games import (
    Game,
    GameAnalysis,
    GameLine,
    LibraryGame,
    Outcome,
    games,
    python_game_recipes,
    search,
    search_game,
)
from .insight import (
    AnnotatedGame,
    AnnotatedMove,
    Explanation,
    Judged,
    JudgedMove,
    Plan,
    Trap,
    Value,
    annotate,
    explain,
    judge_game,
)
from .proofs import (
    Certificate,
    Established,
    HeldPlan,
    MateProof,
    certify,
    certify_game,
    check,
    prove_mate,
)
from .score import Bound, Score, Side

__all__ = [
    "Analysis",
    "AnnotatedGame",
    "AnnotatedMove",
    "Bound",
    "Certificate",
    "Engine",
    "Established",
    "Explanation",
    "Game",
    "GameAnalysis",
    "GameLine",
    "HeldPlan",
    "Judged",
    "JudgedMove",
    "LibraryGame",
    "Line",
    "MateProof",
    "Move",
    "Outcome",
    "Parameter",
    "Plan",
    "PlanDepths",
    "Position",
    "Recipe",
    "Score",
    "Side",
    "Trap",
    "Value",
    "__version__",
    "analyse",
    "annotate",
    "certify",
    "certify_game",
    "check",
    "explain",
    "frame",
    "games",
    "judge_game",
    "prove_mate",
    "python_game_recipes",
    "recipes",
    "search",
    "search_game",
]
