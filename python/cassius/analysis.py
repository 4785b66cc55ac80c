"""Searches chess positions, by any recipe of the library."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Optional, Tuple

from . import _arguments, _native, _position
from ._arguments import Parameters
from ._position import Move, Position
from .score import Bound, Score, Side, side_of

if TYPE_CHECKING:
    import chess

NODES = 1_000_000
"""The nodes of a search that has no limit: about a second."""


@dataclass(frozen=True)
class PlanDepths:
    """How deep the plans behind a value were searched, in plies.

    White's plan shows that the value is at least this high, Black's that it is at most this high.
    """

    white: float
    black: float


@dataclass(frozen=True)
class Line:
    """A line of play with its value."""

    number: int
    """0 for the best line."""
    moves: Tuple[str, ...]
    """The moves in UCI notation."""
    san: str
    """The moves in standard algebraic notation, with numbers."""
    score: Optional[Score]
    """The value for the side to move; `None` if nothing is known yet."""
    bound: Optional[Bound]
    """Whether the score is exact, or a bound in the eyes of the side to move; `None` if nothing is known."""
    iteration: int
    """The iteration that found it; 0 if none was finished. Of a best-first search: the number of leaves that
    would have to be wrong for the value to leave `range`."""
    plans: Optional[PlanDepths]
    """The depths of both plans; `None` for a best-first search."""
    range: Optional[Tuple[Optional[int], Optional[int]]]
    """Of a best-first search: the least and the greatest value, for the side to move; `None` is no bound."""
    longest: int
    """The length of the longest line searched, in plies."""
    nodes: int
    """Nodes searched until then."""

    def to_chess(self) -> List[chess.Move]:
        """Returns the moves as python-chess has them."""
        return _position.to_chess(self.moves)

    def __str__(self) -> str:
        sign = {"exact": "", "lower": "≥", "upper": "≤"}[self.bound or "exact"]
        return f"{sign}{self.score if self.score else '?'} {self.san}"


@dataclass(frozen=True)
class Analysis:
    """What a search has found."""

    fen: str
    """The position."""
    turn: Side
    """The side to move."""
    recipe: str
    """The name of the recipe."""
    lines: Tuple[Line, ...]
    """The best lines, the best first; empty if the game is over."""
    nodes: int
    """Nodes searched."""
    complete: bool
    """Whether every iteration that was asked for is finished."""
    full: bool = field(repr=False)
    """Whether the search ended because its tree was full: a greater `hash` holds more."""

    @property
    def best(self) -> Optional[str]:
        """The best move in UCI notation; `None` if the game is over."""
        return self.lines[0].moves[0] if self.lines else None

    @property
    def score(self) -> Optional[Score]:
        """The value of the best line, for the side to move."""
        return self.lines[0].score if self.lines else None

    def best_move(self) -> Optional[chess.Move]:
        """Returns the best move as python-chess has it."""
        return self.lines[0].to_chess()[0] if self.lines else None

    def __str__(self) -> str:
        return "\n".join(map(str, self.lines)) or "the game is over"


@dataclass(frozen=True)
class Parameter:
    """A parameter of a recipe."""

    name: str
    """`Component.parameter`; `Component.on` says whether the component takes part."""
    doc: str
    unit: str
    value: int
    """The value that the recipe gives it."""
    default: int
    """The value that the component gives it."""
    min: int
    max: int


@dataclass(frozen=True)
class Recipe:
    """A named search: one component for each of its slots."""

    name: str
    summary: str
    parameters: Tuple[Parameter, ...] = field(repr=False)
    differs: Tuple[str, ...] = field(default=(), repr=False)
    """In what it differs from the paper that it is named after, if that is listed."""


def read_recipes(listed: List[Dict[str, Any]]) -> List[Recipe]:
    """Makes recipes of what the compiled part lists."""
    return [
        Recipe(
            found["name"],
            found["summary"],
            tuple(Parameter(**parameter) for parameter in found["parameters"]),
            tuple(found.get("differs", ())),
        )
        for found in listed
    ]


def recipes() -> List[Recipe]:
    """Returns the recipes for chess with their parameters. The first is the default.

    >>> [recipe.name for recipe in recipes()][:3]
    ['plies', 'coupled', 'two-depths']
    """
    return read_recipes(json.loads(_native.recipes()))


def _line(found: Dict[str, Any], white: bool) -> Line:
    known = found["centipawns"] is not None or found["mate"] is not None
    plans = found["plans"]
    return Line(
        number=found["line"],
        moves=tuple(found["moves"]),
        san=found["san"],
        score=Score(found["centipawns"], found["mate"], side_of(white)) if known else None,
        bound=found["bound"],
        iteration=found["iteration"],
        plans=plans and PlanDepths(*(plans if white else reversed(plans))),
        range=found["range"] and tuple(found["range"]),
        longest=found["longest"],
        nodes=found["nodes"],
    )


def _teller(progress: Callable[[Line], object], position: Dict[str, Any]) -> Callable[[str], None]:
    """Returns what receives lines as JSON."""
    fields = position["start"].split()
    white_begins = not (len(fields) > 1 and fields[1] == "b")
    white = white_begins == (len(position["moves"]) % 2 == 0)

    def tell(text: str) -> None:
        progress(_line(json.loads(text), white))

    return tell


class Engine:
    """A recipe with its table, its threads and its parameters.

    It keeps what it has learned from one search to the next; `forget` makes it as new. With one thread and a
    limit of nodes or depth, the same searches in the same order give the same answers.

    Args:
        recipe: the name of a recipe, see `recipes()`.
        hash: the size of the transposition table, or of the tree of a best-first search, in MiB.
        threads: how many threads search: at most four for each processor, and eight are always allowed. A
            recipe that expands one leaf at a time uses one.
        parameters: values of parameters, such as `{"NullMove.reduction": 720}`, and components switched on or
            off, such as `{"NullMove": False}`. Of a recipe whose components are fixed, switching makes the
            same recipe with switches. Of windows, and of depth rules, the first that is on counts, in the
            order of `Engine.parameters()`: switch earlier ones off.
        syzygy: folders with Syzygy endgame tables, separated by `;` (or by `:`, except on Windows).

    Raises:
        ValueError: unknown recipe, unknown parameter, or a value outside of its range; the message names
            those that there are.

    >>> engine = Engine("bare", hash=1)
    >>> engine.analyse("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", depth=4).best
    'a1a8'
    """

    def __init__(
        self,
        recipe: str = "plies",
        *,
        hash: int = 16,
        threads: int = 1,
        parameters: Optional[Parameters] = None,
        syzygy: Optional[str] = None,
    ) -> None:
        setup = {
            "recipe": str(recipe),
            "hash": _arguments.hash_size(hash),
            "threads": _arguments.count("threads", threads, most=1024),
            "parameters": _arguments.parameters(parameters),
            "syzygy": syzygy,
        }
        self._native = _native.Engine(json.dumps(setup))
        self._recipe = self._native.recipe()

    @property
    def recipe(self) -> str:
        """The name of the recipe."""
        return self._recipe

    def parameters(self) -> List[Parameter]:
        """Returns the parameters with their present values."""
        return [Parameter(**parameter) for parameter in json.loads(self._native.parameters())]

    def forget(self) -> None:
        """Forgets what was learned."""
        self._native.forget()

    def analyse(
        self,
        position: Position,
        *,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
        time: Optional[float] = None,
        lines: int = 1,
        only: Iterable[Move] = (),
        progress: Optional[Callable[[Line], object]] = None,
    ) -> Analysis:
        """Searches a position. Other Python threads run meanwhile.

        Args:
            position: a FEN, `startpos`, either followed by ` moves e2e4 …`, a `chess.Board`, or a node of a
                `chess.pgn.Game`.
            nodes: the greatest number of nodes. A million without any limit. Recipes that grow a tree expand
                the root in any case.
            depth: the last iteration, 1 to 200. Not for `pns` and `b-star`.
            time: the greatest time, in seconds. Answers then depend on the machine.
            lines: how many best lines are wanted, 1 to 256. With one, a confirmed mate ends the search.
            only: the moves to consider; all if empty.
            progress: called with every line that is found. What it raises ends the search and comes out.

        Raises:
            ValueError: no legal position or move, or a limit outside of its range.
            RuntimeError: this engine is searching already.
        """
        _arguments.callback("progress", progress)
        _arguments.depth_of(self.recipe, depth)
        question = {
            "position": _position.read(position),
            "lines": _arguments.count("lines", lines, most=256),
            "only": [_position.move_text(move) for move in only],
            **_arguments.limits(nodes, depth, time, NODES),
        }
        tell = progress and _teller(progress, question["position"])
        found = json.loads(self._native.analyse(json.dumps(question), tell))
        return Analysis(
            fen=found["fen"],
            turn=side_of(found["white"]),
            recipe=found["recipe"],
            lines=tuple(_line(line, found["white"]) for line in found["lines"]),
            nodes=found["nodes"],
            complete=found["complete"],
            full=found["full"],
        )

    def __repr__(self) -> str:
        return f"Engine({self.recipe!r})"


def analyse(
    position: Position,
    *,
    nodes: Optional[int] = None,
    depth: Optional[int] = None,
    time: Optional[float] = None,
    lines: int = 1,
    only: Iterable[Move] = (),
    recipe: str = "plies",
    parameters: Optional[Parameters] = None,
    hash: int = 16,
    threads: int = 1,
    syzygy: Optional[str] = None,
    progress: Optional[Callable[[Line], object]] = None,
) -> Analysis:
    """Searches a position with a new engine: see `Engine` and `Engine.analyse`.

    >>> found = analyse("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", depth=4)
    >>> found.best, str(found.score)
    ('a1a8', '#1')
    """
    engine = Engine(recipe, hash=hash, threads=threads, parameters=parameters, syzygy=syzygy)
    return engine.analyse(
        position, nodes=nodes, depth=depth, time=time, lines=lines, only=only, progress=progress
    )
