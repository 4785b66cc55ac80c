"""Searches games, also games written in Python."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import (
    Any,
    Callable,
    Dict,
    Generic,
    Hashable,
    Iterable,
    List,
    Literal,
    Optional,
    Protocol,
    Tuple,
    TypeVar,
    Union,
)

from . import _arguments, _native
from ._arguments import Parameters
from .analysis import Recipe, read_recipes
from .score import Bound

Outcome = Union[Literal["win", "draw", "loss"], int]
"""How a game has ended for the side to move; an `int` is its points, from -28,999 to 28,999."""

M = TypeVar("M")
Self = TypeVar("Self", bound="Game[Any]")

NODES = 100_000
"""The nodes of a search of a game written in Python that has no limit."""

LIBRARY_NODES = 1_000_000


class Game(Protocol[M]):
    """What a game for two players must offer, as a position. All values are for the side to move.

    A class may have one more method, `value() -> int`: the value of the position without search, from -28,999
    to 28,999, in a unit of its own. Without it every unfinished position counts as 0.

    Positions are not changed: `play` returns another one. A line of play must come to its end; a game
    whose positions can recur needs a limit of its own, such as a number of moves that is part of the key.

    >>> class Nim:
    ...     '''Take one or two stones; who takes the last one wins.'''
    ...     def __init__(self, stones): self.stones = stones
    ...     def moves(self): return [taken for taken in (1, 2) if taken <= self.stones]
    ...     def play(self, taken): return Nim(self.stones - taken)
    ...     def outcome(self): return "loss"  # the other side took the last one
    ...     def key(self): return self.stones
    >>> search(Nim(7), recipe="pns").best
    1
    """

    def moves(self) -> Iterable[M]:
        """Returns the legal moves; none exactly when the game is over. At most 65,534, of any type.

        Positions with the same key list the same moves in the same order.
        """

    def play(self: Self, move: M) -> Self:
        """Returns the position after a move that `moves` listed."""

    def outcome(self) -> Outcome:
        """Returns how the game has ended for the side to move. It is called only where there are no moves."""

    def key(self) -> Hashable:
        """Returns what distinguishes the position from all others, the side to move included.

        It is how positions are found again. Of an `int` the lower 64 bits count; of `str`, `bytes` and tuples
        of these everything; of anything else Python's `hash`, in which -1 and -2 are the same.
        """


@dataclass(frozen=True)
class GameLine(Generic[M]):
    """A line of play with its value."""

    number: int
    """0 for the best line."""
    moves: Tuple[M, ...]
    """The moves, as the game lists them."""
    value: Optional[int]
    """The value for the side to move, in the game's unit; a proven win or loss is beyond 29,000. `None` if
    nothing is known yet."""
    end: Optional[int]
    """The plies to the end of a proven win, negative for a loss; `None` if it is not proven how soon."""
    proven: Optional[Literal["win", "draw", "loss"]]
    """The result for the side to move, if it is proven. Only proof numbers and Monte Carlo prove draws."""
    bound: Optional[Bound]
    """Whether the value is exact, or a bound; `None` if nothing is known."""
    iteration: int
    range: Optional[Tuple[Optional[int], Optional[int]]]
    """Of a best-first search: the least and the greatest value; `None` is no bound."""
    longest: int
    """The length of the longest line searched, in plies."""
    nodes: int
    """Nodes searched until then."""

    def __str__(self) -> str:
        moves = " ".join(map(str, self.moves))
        if self.end is not None:
            plies = abs(self.end)
            worth = f"{'win' if self.end > 0 else 'loss'} in {plies} {'ply' if plies == 1 else 'plies'}"
        else:
            worth = self.proven or str(self.value)
        return f"{worth}: {moves}" if moves else worth


@dataclass(frozen=True)
class GameAnalysis(Generic[M]):
    """What a search of a game has found."""

    recipe: str
    lines: Tuple[GameLine[M], ...]
    """The best lines, the best first; empty if the game is over."""
    nodes: int
    complete: bool
    """Whether everything that was asked for is finished."""
    full: bool = field(repr=False)
    """Whether the search ended because its tree was full: a greater `hash` holds more."""

    def __str__(self) -> str:
        return "\n".join(map(str, self.lines)) or "the game is over"

    @property
    def best(self) -> Optional[M]:
        """The best move; `None` if the game is over."""
        return self.lines[0].moves[0] if self.lines else None

    @property
    def value(self) -> Optional[int]:
        """The value of the best line, for the side to move."""
        return self.lines[0].value if self.lines else None

    @property
    def proven(self) -> Optional[Literal["win", "draw", "loss"]]:
        """The result for the side to move, if it is proven."""
        return self.lines[0].proven if self.lines else None


def python_game_recipes() -> List[Recipe]:
    """Returns the recipes for games written in Python, with their parameters.

    >>> {"pvs", "alphabeta", "cns", "pns", "df-pn"} <= {recipe.name for recipe in python_game_recipes()}
    True
    """
    return read_recipes(json.loads(_native.python_game_recipes()))


def search(
    game: Game[M],
    *,
    recipe: str = "pvs",
    nodes: Optional[int] = None,
    depth: Optional[int] = None,
    time: Optional[float] = None,
    lines: int = 1,
    parameters: Optional[Parameters] = None,
    hash: int = 16,
    progress: Optional[Callable[[GameLine[M]], object]] = None,
) -> GameAnalysis[M]:
    """Searches a position of a game written in Python.

    What the game's methods raise ends the search and comes out. The search asks no position the same
    twice, as long as it is held: the first 50,000 positions are held until the search ends. To name the moves
    of a line, `moves` and `play` are called once more along it.

    Args:
        game: a position; see `Game`.
        recipe: `pvs` (alpha-beta with a table), `alphabeta`, `cns` (conspiracy numbers), `pns` or `df-pn`
            (proof numbers), `uct` or `puct` (Monte Carlo tree search), or one of `python_game_recipes()`.
            `df-pn` is for games that only the player who moved last can win. `uct` plays each leaf to the end
            by random moves, and needs no `value`; `puct` takes the `value` of a leaf, of which 400 are odds
            of 10 to 1.
        nodes: the greatest number of nodes. 100,000 without any limit. Recipes that grow a tree expand the
            root in any case.
        depth: the last iteration, 1 to 200: plies, or conspirators. Not for `pns`, `b-star`, `uct`, `puct`.
        time: the greatest time, in seconds.
        lines: how many best lines are wanted. With one, a confirmed win or loss ends the search.
        parameters: as for `Engine`.
        hash: the size of the table, or of the tree of a best-first search, in MiB.
        progress: called with every line that is found. What it raises ends the search and comes out.

    Raises:
        ValueError: unknown recipe or parameter, or an outcome, value or limit outside of its range.
        TypeError: the game lacks a method, or a method returns something else than it should.
    """
    question = _question(recipe, nodes, depth, time, NODES, lines, parameters, hash)
    _arguments.callback("progress", progress)

    def line(found: Dict[str, Any]) -> GameLine[M]:
        return _line(found, _played(game, found["moves"]))

    tell = progress and _teller(progress, line)
    return _analysis(_native.search_python_game(game, question, tell), line)


@dataclass(frozen=True)
class LibraryGame:
    """A game of the library."""

    name: str
    about: str
    notation: str
    """How its positions are written."""
    has_start: bool
    """Whether it has a start position, which an empty text means."""
    capabilities: Tuple[str, ...] = field(repr=False)
    """What a search may use of it."""
    recipes: Tuple[Recipe, ...] = field(repr=False)
    """The recipes that it can play."""


def games() -> List[LibraryGame]:
    """Returns the games of the library, with the recipes that they can play.

    >>> [game.name for game in games()]
    ['connect4', 'othello', 'hex', 'tictactoe', 'random-tree', 'random-game', 'tree']
    """
    return [
        LibraryGame(
            name=found["name"],
            about=found["about"],
            notation=found["notation"],
            has_start=found["has_start"],
            capabilities=tuple(found["capabilities"]),
            recipes=tuple(read_recipes(found["recipes"])),
        )
        for found in json.loads(_native.games())
    ]


def search_game(
    game: str,
    position: str = "",
    *,
    recipe: str = "pvs",
    nodes: Optional[int] = None,
    depth: Optional[int] = None,
    time: Optional[float] = None,
    lines: int = 1,
    parameters: Optional[Parameters] = None,
    hash: int = 16,
    progress: Optional[Callable[[GameLine[str]], object]] = None,
) -> GameAnalysis[str]:
    """Searches a position of a game of the library. Other Python threads run meanwhile.

    Args:
        game: the name of a game, see `games()`.
        position: the position, in the game's notation; the start position if empty.
        nodes: the greatest number of nodes, as for `search`. Without any limit it is a million.

    The other arguments, and what is raised, are as for `search`. Moves are columns, squares, labels, or
    numbers from 1.

    >>> found = search_game("connect4", "4455")
    >>> found.best, found.proven, found.lines[0].end
    ('3', 'win', 3)
    >>> print(found)
    win in 3 plies: 3 3 2
    """
    question = _question(recipe, nodes, depth, time, LIBRARY_NODES, lines, parameters, hash)
    _arguments.callback("progress", progress)

    def line(found: Dict[str, Any]) -> GameLine[str]:
        return _line(found, tuple(found["moves"]))

    tell = progress and _teller(progress, line)
    return _analysis(_native.search_game(str(game), str(position), question, tell), line)


def _question(
    recipe: str,
    nodes: Optional[int],
    depth: Optional[int],
    time: Optional[float],
    otherwise: int,
    lines: int,
    parameters: Optional[Parameters],
    hash: int,
) -> str:
    _arguments.depth_of(recipe, depth)
    return json.dumps(
        {
            "recipe": str(recipe),
            "hash": _arguments.hash_size(hash),
            "parameters": _arguments.parameters(parameters),
            "lines": _arguments.count("lines", lines, most=256),
            **_arguments.limits(nodes, depth, time, otherwise),
        }
    )


def _teller(
    progress: Callable[[GameLine[M]], object], line: Callable[[Dict[str, Any]], GameLine[M]]
) -> Callable[[str], None]:
    def tell(text: str) -> None:
        progress(line(json.loads(text)))

    return tell


def _analysis(text: str, line: Callable[[Dict[str, Any]], GameLine[M]]) -> GameAnalysis[M]:
    found = json.loads(text)
    return GameAnalysis(
        recipe=found["recipe"],
        lines=tuple(map(line, found["lines"])),
        nodes=found["nodes"],
        complete=found["complete"],
        full=found["full"],
    )


def _played(game: Game[M], places: Iterable[int]) -> Tuple[M, ...]:
    """Returns the moves at these places of the lists of moves."""
    moves = []
    for place in places:
        move = list(game.moves())[place]
        moves.append(move)
        game = game.play(move)
    return tuple(moves)


def _line(found: Dict[str, Any], moves: Tuple[M, ...]) -> GameLine[M]:
    return GameLine(
        number=found["line"],
        moves=moves,
        value=found["value"],
        end=found["end"],
        proven=found["proven"],
        bound=found["bound"],
        iteration=found["iteration"],
        range=found["range"] and (found["range"][0], found["range"][1]),
        longest=found["longest"],
        nodes=found["nodes"],
    )
