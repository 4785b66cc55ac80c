"""Studies: trees that grow for as long as anybody likes, and whose leaves are judged by any engine."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import functools
import json
import os
import shlex
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Deque,
    Dict,
    Iterator,
    List,
    Mapping,
    Optional,
    Tuple,
    TypeVar,
    Union,
)

from . import _arguments, _native, _position
from ._position import Position
from .analysis import Engine
from .score import Score, Side, side_of

if TYPE_CHECKING:
    import chess
    import chess.engine

T = TypeVar("T")

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Leaf:
    """A leaf that is to be judged: a position, and those of its moves that are not followed."""

    name: Tuple[int, int] = field(repr=False)
    """The number of the position in the study, and how many of its moves are followed."""
    fen: str
    turn: Side
    line: Tuple[str, ...]
    """The moves from the root, in UCI notation."""
    moves: Tuple[str, ...] = field(repr=False)
    """The moves to consider, in UCI notation."""
    nodes: int
    """The nodes to search."""


@dataclass(frozen=True)
class Judgement:
    """What an engine found about a leaf."""

    score: Score
    line: Tuple[str, ...]
    """The best line, in UCI notation. Its first move is among those of the leaf."""
    nodes: int = 0
    """The nodes that were searched."""
    depth: int = 0
    proven: bool = False
    """Whether the value is certain. Then it needs no line."""
    engine: str = ""
    """What the engine calls itself."""
    options: str = ""
    """The options that were set."""


@dataclass(frozen=True)
class Candidate:
    """A move at the root."""

    uci: Optional[str]
    """The move in UCI notation; `None` for all moves that were not judged."""
    san: Optional[str]
    score: Optional[Score]
    """The value by minimax of the judged values; `None` if it was not judged."""
    least: Score
    greatest: Score
    """The true value lies between the two with a chance of 80 %."""
    chance: float
    """The chance that the move is best, from 0 to 1."""


@dataclass(frozen=True)
class Conspirator:
    """A leaf that would have to be misjudged."""

    fen: str
    line: Tuple[str, ...]
    """The moves from the root, in UCI notation."""
    san: str
    """The same in standard algebraic notation."""
    best: Optional[str]
    """The best move there, in standard algebraic notation, if it was judged."""
    score: Score
    judged: bool
    """Whether the score was judged, or comes from the position before."""
    needed: Score
    """The score that would suffice."""
    at_least: bool
    """Whether that is the least such score for the side to move there; otherwise it is the greatest."""
    chance: float
    """The chance of that, from 0 to 1."""


@dataclass(frozen=True)
class Conspiracy:
    """Leaves that would have to be misjudged together for another move to be best."""

    chance: float
    """The chance that they are, from 0 to 1."""
    instead: Optional[str]
    """The move that would then be best, in standard algebraic notation, if it is known."""
    members: Tuple[Conspirator, ...]


@dataclass(frozen=True)
class StudyVerdict:
    """What a study says at this moment. Scores are for the side to move."""

    fen: str
    turn: Side
    moves: Tuple[Candidate, ...]
    """The best by value first, then by their chances to be best."""
    conspiracies: Tuple[Conspiracy, ...] = field(repr=False)
    """What the verdict hangs on, the most probable first."""
    positions: int
    """The positions of the tree."""
    judgements: int
    nodes: int
    """The nodes that were searched for all judgements."""

    @property
    def best(self) -> Optional[str]:
        """The best move in UCI notation; `None` if nothing was judged."""
        return self.moves[0].uci

    @property
    def doubt(self) -> float:
        """The chance that another move is best, from 0 to 1; 1 if nothing was judged."""
        if self.moves[0].score is None:
            return 1.0
        return sum(move.chance for move in self.moves[1:])


class Study:
    """A tree of positions whose leaves are judged by somebody else.

    `ask` names the leaves on which it hangs most which move is best, `tell` takes judgements, in any order,
    and `verdict` says what follows from them. `grow` does the first two for you. The file is that of the
    command `cassius study`: every change is in it before anything else happens. While `grow` runs, no other
    program can grow the file; `ask` and `tell` by hand are for a file that no other program grows meanwhile.

    Args:
        position: the position at the root, as for `analyse`. The game before it does not count. Castling is
            written as in standard chess wherever that can express it.
        path: a new file; without it the study is in memory only. `open` opens one that exists.
        nodes: the nodes for the first judgement of a leaf, up to 1,000,000,000. They are kept in the file.

    Raises:
        ValueError: no legal position, or the game is over there.
        FileExistsError: there is such a file.

    >>> study = Study("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", nodes=1_000)
    >>> study.grow(judge, judgements=1).best
    'a1a8'
    """

    def __init__(
        self,
        position: Position,
        path: Optional[Path] = None,
        *,
        nodes: int = 100_000,
    ) -> None:
        # A file has FENs, which do not tell Chess960 with the usual set-up from standard chess.
        self._begin({**_position.read(position), "chess960": False}, path, nodes)

    def _begin(self, position: Any, path: Any, nodes: Optional[int]) -> None:
        setup = {
            "position": position,
            "path": None if path is None else os.fspath(path),
            "nodes": None if nodes is None else _arguments.count("nodes", nodes, most=1_000_000_000),
        }
        self._native = _native.Study(json.dumps(setup))

    @classmethod
    def open(cls, path: Path) -> Study:
        """Opens the file of a study, one of the command `cassius study` too.

        Raises:
            OSError: the file cannot be read.
            ValueError: it is no study.
        """
        study = cls.__new__(cls)
        study._begin(None, path, None)
        return study

    def ask(self, count: int = 1) -> List[Leaf]:
        """Names up to `count` leaves, the most worthwhile first; fewer if no other leaf matters.

        A leaf is not named again until it is told or given back.
        """
        count = _arguments.count("count", count, most=1_000_000)
        named: List[str] = []
        try:
            return self._ask(count, named)
        except BaseException:
            self._give_back(named)
            raise

    def _ask(self, count: int, named: List[str]) -> List[Leaf]:
        """Names leaves. What is named is in `named` before an interrupt can come."""
        self._native.ask(count, named)
        return [
            Leaf(
                name=(leaf["name"]["position"], leaf["name"]["followed"]),
                fen=leaf["fen"],
                turn=side_of(leaf["white"]),
                line=tuple(leaf["line"]),
                moves=tuple(leaf["moves"]),
                nodes=leaf["nodes"],
            )
            for leaf in json.loads(named[-1])
        ]

    def _give_back(self, named: List[str]) -> None:
        """Gives back what `_ask` has named."""
        for text in named:
            for leaf in json.loads(text):
                self._native.give_back(json.dumps(leaf["name"]))

    def tell(self, leaf: Leaf, judgement: Judgement) -> None:
        """Takes a judgement. If the leaf was judged before, the new value counts, and the file has both.

        Raises:
            TypeError: it is not a `Judgement`.
            ValueError: the leaf is no longer open, the best move is none of its moves, or the score is a mate
                on the board, where there is no leaf.
            OSError: the file cannot be written.
        """
        if not self._tell(leaf, judgement):
            raise ValueError("the leaf is no longer open")

    def _tell(self, leaf: Leaf, judgement: Judgement) -> bool:
        """Takes a judgement. Returns whether the leaf is still open."""
        if not isinstance(judgement, Judgement):
            raise TypeError(f"a judge must return a Judgement, not {judgement!r}")
        score = judgement.score.pov(leaf.turn)
        if score.mate == 0:
            raise ValueError(f"a mate on the board was told of a position that has moves: {leaf.fen}")
        told = {
            "name": _name(leaf),
            "centipawns": score.centipawns,
            "mate": score.mate,
            "line": list(judgement.line),
            "effort": leaf.nodes,
            "nodes": judgement.nodes,
            "depth": judgement.depth,
            "proven": judgement.proven,
            "engine": judgement.engine,
            "options": judgement.options,
        }
        return self._native.tell(json.dumps(told))

    def give_back(self, leaf: Leaf) -> None:
        """Gives a leaf back that was not judged. It may be named again."""
        self._native.give_back(json.dumps(_name(leaf)))

    def fulfil(self) -> List[str]:
        """Fulfils what `cassius study include` and the like have wished, and returns what came of each wish.

        `grow` does it before it asks for a leaf.

        Raises:
            OSError: the file cannot be read or written.
        """
        said: List[str] = json.loads(self._native.fulfil())
        return said

    def verdict(self) -> StudyVerdict:
        """Returns what the study says at this moment."""
        found = json.loads(self._native.verdict())
        turn = side_of(found["white"])
        return StudyVerdict(
            fen=found["fen"],
            turn=turn,
            moves=tuple(
                Candidate(
                    uci=move["uci"],
                    san=move["san"],
                    score=move["value"] and _score(move["value"], turn),
                    least=_score(move["range"][0], turn),
                    greatest=_score(move["range"][1], turn),
                    chance=move["chance"],
                )
                for move in found["moves"]
            ),
            conspiracies=tuple(map(_conspiracy, found["conspiracies"])),
            positions=found["positions"],
            judgements=found["judgements"],
            nodes=found["nodes"],
        )

    def doubt(self) -> float:
        """Returns the chance that another move is best, sooner than `verdict` does."""
        return self._native.doubt()

    def grow(
        self,
        judge: Callable[[Leaf], Judgement],
        *,
        judgements: int,
        doubt: float = 0.0,
        at_once: int = 1,
        progress: Optional[Callable[[Leaf, Judgement], object]] = None,
    ) -> StudyVerdict:
        """Grows the study in this process, and returns the verdict.

        `cassius.cluster.grow` does the same on many machines, and with the same numbers grows the same tree.

        Args:
            judge: judges a leaf: `judge`, a `UciJudge`, or a function of yours. What it raises comes out.
            judgements: how many judgements are added at most.
            doubt: stop when the chance that another move is best is at most this, from 0 to 1.
            at_once: how many leaves are asked for before the first of them is told. Judgements are told in
                the order in which the leaves were asked for.
            progress: called with each leaf and its judgement. What it raises ends the growth and comes out.

        Raises:
            OSError: another program is growing the file, or it cannot be written.
            ValueError: a number is outside of its range, or a judgement does not fit its leaf.
        """
        return grown(self, lambda leaf: leaf, judge, judgements, doubt, at_once, progress)


def grown(
    study: Study,
    begin: Callable[[Leaf], T],
    end: Callable[[T], Judgement],
    judgements: int,
    doubt: float,
    at_once: int,
    progress: Optional[Callable[[Leaf, Judgement], object]],
) -> StudyVerdict:
    """Grows a study: `begin` begins to judge a leaf, and `end` waits for the judgement.

    Which leaf is asked for depends on nothing but the judgements that were told before, and on wishes. So the
    tree does not depend on how long each judgement takes.
    """
    _arguments.callback("progress", progress)
    left = _arguments.count("judgements", judgements)
    doubt = _arguments.chance("doubt", doubt)
    at_once = _arguments.count("at_once", at_once, most=1_000_000)
    work: Deque[Tuple[Leaf, T]] = deque()
    named: List[str] = []
    with _alone(study):
        try:
            while True:
                study.fulfil()
                while len(work) < min(at_once, left) and (not doubt or study.doubt() > doubt):
                    asked = study._ask(1, named)
                    if asked:
                        work.append((asked[0], begin(asked[0])))
                    named.clear()
                    if not asked:
                        break
                if not work:
                    return study.verdict()
                leaf, begun = work[0]
                judgement = end(begun)
                is_taken = study._tell(leaf, judgement)
                work.popleft()
                if not is_taken:  # a wish has changed the leaf meanwhile, which is asked for anew
                    continue
                left -= 1
                if progress:
                    progress(leaf, judgement)
        finally:
            study._give_back(named)
            for leaf, _ in work:
                study.give_back(leaf)


@contextlib.contextmanager
def _alone(study: Study) -> Iterator[None]:
    """Keeps other programs from growing a study."""
    study._native.begin_growth()
    try:
        yield
    finally:
        study._native.end_growth()


def judge(leaf: Leaf, *, recipe: str = "plies", hash: int = 16) -> Judgement:
    """Judges a leaf by a search of this library. The same leaf always has the same judgement.

    For other arguments there is `functools.partial(judge, recipe="lab")`.

    >>> leaf, = Study("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", nodes=1_000).ask()
    >>> str(judge(leaf).score), judge(leaf).line
    ('#1', ('a1a8',))
    """
    engine = Engine(recipe, hash=hash)
    found = engine.analyse(leaf.fen, nodes=leaf.nodes, only=leaf.moves)
    best = found.lines[0]
    if best.score is None:
        raise ValueError(f"{leaf.nodes} nodes are too few for a judgement")
    return Judgement(
        score=best.score,
        line=best.moves,
        nodes=found.nodes,
        depth=best.iteration,
        engine="Cassius",
        options=f"Recipe={recipe}, Hash={hash}",
    )


TRIES = 3
"""How often a `UciJudge` asks about a leaf, each time a new engine, before it gives up."""


@dataclass(frozen=True)
class UciJudge:
    """Judges leaves by any UCI engine, with python-chess. The engine is started anew for each leaf.

    With one thread, most engines give the same judgement of the same leaf each time.
    """

    command: str
    """The engine, as on a command line."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """UCI options, such as `{"Hash": 64}`."""
    patience: float = 60.0
    """For how many seconds the engine may get ready, or search on after a millisecond for each node."""

    def __post_init__(self) -> None:
        if not isinstance(self.command, str):
            raise TypeError(f"command must be a str, not {self.command!r}")
        if not shlex.split(self.command):
            raise ValueError("command must name a program, but it is empty")
        _arguments.seconds("patience", self.patience)

    def __call__(self, leaf: Leaf) -> Judgement:
        """Judges a leaf. An engine that fails is started again, twice.

        Raises:
            FileNotFoundError: there is no such program.
            OSError: it cannot be started.
            TimeoutError: the engine is silent for too long.
            chess.engine.EngineError: it answers nonsense, or ends.
            ValueError: it gives no value.
        """
        import chess.engine

        failure: Optional[Exception] = None
        for _ in range(TRIES):
            try:
                return self._judge(leaf)
            except asyncio.TimeoutError:
                failure = TimeoutError(f"engine {self.command!r} was silent for too long, {TRIES} times")
            except concurrent.futures.CancelledError:
                failure = chess.engine.EngineTerminatedError(f"engine {self.command!r} has ended")
            except (chess.engine.EngineError, ValueError) as error:
                failure = error
        assert failure is not None
        raise failure

    def _judge(self, leaf: Leaf) -> Judgement:
        import chess.engine

        board = chess.Board(leaf.fen, chess960=True)  # which keeps all castling rights
        moves = [chess.Move.from_uci(move) for move in leaf.moves]
        # A king takes his own rook in Chess960 only, where it is how castling is written.
        castles = any(board.color_at(move.to_square) == board.turn for move in moves)
        board.chess960 = castles or board.has_chess960_castling_rights()
        try:
            command = shlex.split(self.command)
            started = chess.engine.SimpleEngine.popen_uci(command, timeout=self.patience)
        except FileNotFoundError:
            raise FileNotFoundError(f"engine {self.command!r}: no such program") from None
        with started as engine:
            engine.configure(dict(self.options))
            name = engine.id.get("name", self.command)
            info, nodes = self._search(engine, board, moves, leaf.nodes)
        if "score" not in info or not info.get("pv"):
            raise ValueError(f"{name} gave no value and no line")
        score = info["score"].relative
        mate = score.mate()
        return Judgement(
            score=Score(None if mate is not None else score.score(), mate, leaf.turn),
            line=tuple(move.uci() for move in info["pv"]),
            nodes=nodes,
            depth=info.get("depth", 0),
            engine=name,
            options=", ".join(f"{option}={value}" for option, value in self.options.items()),
        )

    def _search(
        self, engine: chess.engine.SimpleEngine, board: chess.Board, moves: List[chess.Move], limit: int
    ) -> Tuple[chess.engine.InfoDict, int]:
        """Returns the last whole answer, and the nodes that were searched."""
        import chess.engine

        whole: Optional[chess.engine.InfoDict] = None
        nodes, longest = 0, limit / 1000 + self.patience
        until = time.monotonic() + longest
        # What waits for an engine that is closed ends with an exception.
        watch = threading.Timer(longest, engine.close)
        watch.start()
        try:
            analysis = engine.analysis(board, chess.engine.Limit(nodes=limit), root_moves=moves)
            for info in analysis:
                nodes = max(nodes, info.get("nodes", 0))
                is_bound = info.get("lowerbound") or info.get("upperbound")
                if "score" in info and info.get("pv") and not is_bound and info.get("multipv", 1) == 1:
                    whole = info
            return whole or analysis.info, nodes
        except (chess.engine.EngineError, concurrent.futures.CancelledError):
            if time.monotonic() < until:
                raise
            raise asyncio.TimeoutError from None
        finally:
            watch.cancel()


def _name(leaf: Leaf) -> Dict[str, int]:
    return {"position": leaf.name[0], "followed": leaf.name[1]}


def _score(found: Dict[str, Any], side: Side) -> Score:
    return Score(found["centipawns"], found["mate"], side)


def _conspiracy(found: Dict[str, Any]) -> Conspiracy:
    def member(of: Dict[str, Any]) -> Conspirator:
        score = functools.partial(_score, side=side_of(of["white"]))
        return Conspirator(
            fen=of["fen"],
            line=tuple(of["line"]),
            san=of["san"],
            best=of["best"],
            score=score(of["value"]),
            judged=of["judged"],
            needed=score(of["needed"]),
            at_least=of["at_least"],
            chance=of["chance"],
        )

    return Conspiracy(found["chance"], found["instead"], tuple(map(member, found["members"])))
