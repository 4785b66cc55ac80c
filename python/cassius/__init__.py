"""Cassius: game-tree search for chess and for any two-player game.

- `analyse` searches a chess position, `Engine` keeps what it has learned.
- `explain` says what a position asks of each side, `annotate` and `judge_game` go through a game.
- `prove_mate` proves mates; `certify` writes down why a value holds, and `check` replays it.
- `search` searches a game that you write in Python, see `Game`.
- `search_game` and `certify_game` are for the games of the library: Connect Four, Othello and others.
- `Study` grows a tree of positions that any engines judge, and says on which of them its verdict hangs.
- `cassius.cluster` does all this on many machines, with Ray.
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
    Safety,
    Trap,
    Value,
    annotate,
    explain,
    judge_game,
)
from .pgn import Games, read_games
from .proofs import (
    Certificate,
    Established,
    HeldPlan,
    MateProof,
    certificate_json,
    certify,
    certify_game,
    check,
    prove_mate,
)
from .score import Bound, Score, Side
from .study import (
    Candidate,
    Conspiracy,
    Conspirator,
    Judgement,
    Leaf,
    Study,
    StudyVerdict,
    UciJudge,
    judge,
)

__all__ = [
    "Analysis",
    "AnnotatedGame",
    "AnnotatedMove",
    "Bound",
    "Candidate",
    "Certificate",
    "Conspiracy",
    "Conspirator",
    "Engine",
    "Established",
    "Explanation",
    "Game",
    "GameAnalysis",
    "GameLine",
    "Games",
    "HeldPlan",
    "Judged",
    "JudgedMove",
    "Judgement",
    "Leaf",
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
    "Safety",
    "Score",
    "Side",
    "Study",
    "StudyVerdict",
    "Trap",
    "UciJudge",
    "Value",
    "__version__",
    "analyse",
    "annotate",
    "certificate_json",
    "certify",
    "certify_game",
    "check",
    "explain",
    "frame",
    "games",
    "judge",
    "judge_game",
    "prove_mate",
    "python_game_recipes",
    "read_games",
    "recipes",
    "search",
    "search_game",
]
