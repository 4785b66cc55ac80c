"""Works on many machines, with Ray (https://docs.ray.io).

A task is a function of its arguments alone, and results come in the order of the arguments. So they are the
same as in one process, byte for byte, as long as no limit is a time. What a machine was doing when it died is
done again by another. The package has to be installed on each machine. `ray.init(address=...)` connects to
machines that run Ray; without it, Ray starts on this one.

>>> from cassius import cluster
>>> print(cluster.play_game(1, nodes=100, longest=4).splitlines()[-1])  # as each machine does
1. Nc3 g5 2. b3 a6 3. f3 h6 4. g3 Bg7 5. d4 1/2-1/2
"""

from __future__ import annotations

import functools
import importlib
import random
from collections import deque
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Deque,
    Dict,
    Iterable,
    Iterator,
    List,
    Optional,
    Tuple,
    TypeVar,
)

from . import _arguments, frames, insight, study
from .analysis import Engine
from .pgn import Games, read_games
from .study import Judgement, Leaf, Study, StudyVerdict

if TYPE_CHECKING:
    import chess
    import pandas

A = TypeVar("A")
R = TypeVar("R")


def _ray() -> Any:
    """Returns Ray, which runs."""
    try:
        ray = importlib.import_module("ray")
    except ImportError as error:
        raise ImportError("cassius.cluster needs Ray: pip install ray") from error
    if not ray.is_initialized():
        ray.init()
    return ray


def _call(function: Callable[[A], R], argument: A) -> R:
    return function(argument)


class _Tasks:
    """Calls a function on the machines: `begin` does not wait, `end` does."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._ray = _ray()
        # The task of a machine that dies goes to another, however often. An exception comes out at once.
        self._task = self._ray.remote(num_cpus=1, max_retries=-1)(_call)
        self._function = self._ray.put(function)

    def begin(self, argument: Any) -> Any:
        return self._task.remote(self._function, argument)

    def end(self, task: Any) -> Any:
        try:
            return self._ray.get(task)
        except self._ray.exceptions.RayTaskError as error:
            raise (error.cause or error) from None

    def ahead(self) -> int:
        """Returns how many tasks are begun before the first result is taken."""
        return 4 * max(1, int(self._ray.cluster_resources().get("CPU", 1)))


def each(function: Callable[[A], R], arguments: Iterable[A]) -> Iterator[R]:
    """Calls a function for each argument, each call on one processor, and yields the results in order.

    It is what `map(function, arguments)` is in one process. For more arguments there is `functools.partial`.

    Args:
        function: a function of one argument, whose result depends on nothing else. It may be called again if
            a machine dies.
        arguments: they are taken as they are needed, so that there may be any number.

    Raises:
        ImportError: Ray is not installed.

    What the function raises comes out in its turn. When fewer results are taken, up to four calls for each
    processor have been begun; they end on their machines, and their results are dropped.
    """
    return _Results(_Tasks(function), arguments)


class _Results(Iterator[Any]):
    """The results in order. What an argument or a call raises comes out in its turn."""

    def __init__(self, tasks: _Tasks, arguments: Iterable[Any]) -> None:
        self._tasks = tasks
        self._arguments = iter(arguments)
        self._more = True
        # Tasks that nobody waits for any more are not cancelled: Ray 2.60 may abort this process if one of
        # them ends at the same moment.
        self._work: Deque[Tuple[Any, Optional[Exception]]] = deque()

    def __next__(self) -> Any:
        while self._more and len(self._work) < self._tasks.ahead():
            try:
                self._work.append((self._tasks.begin(next(self._arguments)), None))
            except StopIteration:
                self._more = False
            except Exception as error:
                self._work.append((None, error))
        if not self._work:
            raise StopIteration
        task, failure = self._work.popleft()
        if failure:
            raise failure
        return self._tasks.end(task)


def annotate(games: Games, **amount: Any) -> Iterator[str]:
    """Annotates games, and yields each as a text in PGN.

    Args:
        games: as for `read_games`: a text, a file as a `pathlib.Path`, or texts or `chess.pgn.Game`s.
        amount: `nodes`, `plan_nodes`, `hash`, `syzygy`, as for `cassius.annotate`.

    Raises:
        ValueError: a game is broken; the message names it.
    """
    return each(functools.partial(insight.annotate, **amount), read_games(games))


def measure(function: Callable[..., Any], arguments: Iterable[Any], **others: Any) -> pandas.DataFrame:
    """Returns a table of what a function of this package finds about positions or games; it needs pandas.

    The table is that of `cassius.frame`, and its first column, `item`, has the number of the argument.
    `measure(cassius.explain, positions, nodes=100_000)`, for example, has a row for each legal move of each
    position.

    Args:
        function: `analyse`, `explain`, `judge_game`, `prove_mate`, or one of yours with such results.
        arguments: positions, games, whatever the function takes first.
        others: its other arguments, the same for all. A limit of time makes results depend on the machine.
    """
    import pandas

    found = each(functools.partial(_rows, functools.partial(function, **others)), arguments)
    return pandas.DataFrame([{"item": item, **row} for item, rows in enumerate(found) for row in rows])


def _rows(function: Callable[[Any], Any], argument: Any) -> List[Dict[str, Any]]:
    return frames.rows(function(argument))


def play(count: int, *, first: int = 0, **how: Any) -> Iterator[str]:
    """Plays games, and yields each as a text in PGN.

    Args:
        count: the number of games.
        first: the number of the first one, to go on where an earlier run ended.
        how: as for `play_game`.
    """
    last = _arguments.count("first", first, 0) + _arguments.count("count", count)
    return each(functools.partial(play_game, **how), range(first, last))


def play_game(
    number: int,
    *,
    players: Tuple[str, str] = ("plies", "plies"),
    nodes: int = 1_000,
    seed: int = 1,
    opening: int = 8,
    longest: int = 250,
    hash: int = 2,
) -> str:
    """Plays a game, and returns it in PGN; it needs python-chess. It depends on the arguments alone.

    Games 2n and 2n + 1 have the same opening; the first player has White in the first of them. A game is
    drawn when a position occurs for the third time, or after fifty moves without a capture or a pawn move.

    Args:
        number: the number of the game, from 0.
        players: the recipes that play, see `cassius.recipes()`.
        nodes: the nodes for each move.
        seed: where the random numbers of the openings begin.
        opening: the random plies at the beginning, 0 to 300.
        longest: the number of moves after which a game is drawn.
        hash: the size of each player's table in MiB.

    Raises:
        ValueError: there is no such recipe, not two players, or a number outside of its range.
    """
    import chess
    import chess.pgn

    if len(players) != 2:
        raise ValueError(f"players must be two recipes, not {players!r}")
    opening = _arguments.count("opening", opening, 0, 300)
    longest = _arguments.count("longest", longest)
    pair, turned = divmod(_arguments.count("number", number, 0), 2)
    names = players[::-1] if turned else players
    engines = [Engine(name, hash=hash) for name in names]
    board = _opening(random.Random(f"{seed} {pair}"), opening)
    outcome: Optional[chess.Outcome] = None
    termination = "normal"
    while outcome is None:
        white = board.turn == chess.WHITE
        found = engines[0 if white else 1].analyse(board, nodes=nodes)
        move = found.best_move()
        assert move is not None  # the game is not over
        board.push(move)
        outcome = board.outcome()
        if board.is_repetition(3) or board.halfmove_clock >= 100:
            break
        if outcome is None and board.ply() >= 2 * longest:
            termination = "adjudication"
            break
    game = chess.pgn.Game.from_board(board)
    game.headers["Event"] = f"seed {seed}, {nodes} nodes a move"
    game.headers["Round"] = str(number + 1)
    game.headers["White"], game.headers["Black"] = names
    game.headers["Result"] = outcome.result() if outcome else "1/2-1/2"
    game.headers["Termination"] = termination
    return str(game)


def _opening(source: random.Random, plies: int) -> chess.Board:
    """Returns a position after random moves, from which the game goes on."""
    import chess

    while True:
        board = chess.Board()
        for _ in range(plies):
            moves = sorted(move.uci() for move in board.legal_moves)
            if not moves:
                break
            board.push_uci(source.choice(moves))
        if not board.is_game_over():
            return board


def grow(
    tree: Study,
    judge: Callable[[Leaf], Judgement] = study.judge,
    *,
    judgements: int,
    doubt: float = 0.0,
    at_once: int = 4,
    progress: Optional[Callable[[Leaf, Judgement], object]] = None,
) -> StudyVerdict:
    """Grows a study whose leaves are judged on the machines: what `Study.grow` does in one process.

    Args:
        tree: the study, which stays in this process.
        judge: `cassius.judge`, or `cassius.UciJudge("stockfish")`, for an engine that each machine has.
        judgements: how many judgements are added at most.
        doubt: stop when the chance that another move is best is at most this, from 0 to 1.
        at_once: how many leaves are judged at the same time. The tree depends on it, but not on the machines.
        progress: called with each leaf and its judgement. What it raises ends the growth and comes out.

    Raises:
        ImportError: Ray is not installed.
        OSError, ValueError: as of `Study.grow`.
    """
    tasks = _Tasks(judge)
    return study.grown(tree, tasks.begin, tasks.end, judgements, doubt, at_once, progress)
