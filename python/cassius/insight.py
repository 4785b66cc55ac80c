"""Explains positions and annotates games: how safe the value of a position is for both sides."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, Literal, Optional, Tuple, Union, overload

from . import _arguments, _native, _position
from ._position import Position
from .score import Score, Side, side_of

if TYPE_CHECKING:
    import chess.pgn

Verdict = Literal["lost", "only", "natural", "few", "some", "free"]
"""How many moves hold: none could (`lost`); one, which must be found (`only`) or which is easy to see
(`natural`); two or three (`few`); less than half (`some`); at least half (`free`)."""

Mark = Literal["only_move", "inaccuracy", "mistake", "blunder"]
"""A remark on a move: □, ?!, ? or ??."""


@dataclass(frozen=True)
class Value:
    """The value of a position, for one side."""

    score: Score
    chance: float
    """The win probability of the side of `score`, from 0 to 1."""

    def pov(self, side: Side) -> Value:
        """Returns the same value in the eyes of a side."""
        return Value(self.score.pov(side), self.chance if side == self.score.side else 1 - self.chance)

    def __str__(self) -> str:
        return f"{self.score} ({self.chance:.0%})"


@dataclass(frozen=True)
class JudgedMove:
    """A legal move."""

    uci: str
    san: str
    holds: bool
    """Whether it keeps the win probability within 0.10 of the best."""
    verified: int
    """The iteration that established `holds`; 0: only a shallow search did."""
    looks_right: bool
    """Whether it looks right in a shallow search."""
    share: float
    """The chance that a player of the rating plays it, from 0 to 1."""


@dataclass(frozen=True)
class Trap:
    """A move that looks right and does not hold."""

    san: str
    chance: float
    """The win probability after it, from 0 to 1."""
    refutation: Tuple[str, ...]
    """What refutes it, in standard algebraic notation."""


@dataclass(frozen=True)
class Judged:
    """What a position asks of its side to move."""

    fen: str
    turn: Side
    value: Value
    """The value for the side to move."""
    verdict: Verdict
    line: Tuple[str, ...]
    """The best line in standard algebraic notation."""
    moves: Tuple[JudgedMove, ...] = field(repr=False)
    """Every legal move: the best, then those that hold, then the others."""
    traps: Tuple[Trap, ...] = field(repr=False)
    """Moves that look right and do not hold, the most tempting first."""
    natural: Optional[str]
    """Why the only move that holds is easy to find, if so: `sole_legal`, `mates`, `recapture`, `hanging`,
    `retreat` or `expected`."""
    error_chance: Optional[float]
    """The chance that a player of the rating errs, from 0 to 1; `None` where there is nothing to lose."""
    expected_loss: Optional[float]
    """How much win probability such a player is expected to lose by errors."""
    nodes: int
    """Nodes searched."""

    @property
    def holding(self) -> Tuple[JudgedMove, ...]:
        """The moves that hold."""
        return tuple(move for move in self.moves if move.holds)

    @property
    def only_move(self) -> Optional[JudgedMove]:
        """The only move that holds, if there is exactly one and it has to be found."""
        return self.moves[0] if self.verdict == "only" else None


@dataclass(frozen=True)
class Plan:
    """How safe one side's plan is."""

    least: float
    """The win probability that the plan keeps; 0 or less if there is nothing to hold."""
    depth: Optional[float]
    """The depth of the deepest plan that was shown; `None`: none. 1.0 is one move of the plan's owner with as
    many options as one could wish for, or several moves with few."""
    certain: bool
    """Whether each of its lines has a certain end."""
    against: Optional[float]
    """The depth of the deepest plan against it, if any was shown."""
    critical: Tuple[str, ...]
    """Its least safe line in standard algebraic notation."""


@dataclass(frozen=True)
class Explanation:
    """What a position asks of both sides."""

    headline: str
    """What matters most, in a sentence or two."""
    own: Judged
    """What it asks of the side to move."""
    other: Optional[Judged]
    """What the position after the best move asks of the other side; `None` if the game is over there."""
    movement: Optional[float]
    """The chance that a search with twelve times the nodes that found the value changes the win probability
    by more than 0.05; `None` where nothing was measured: for proven values, if the game is over after the
    best move, with endgame tables, and for fewer than 20,000 or more than 1,000,000 nodes."""
    plans: Tuple[Plan, Plan]
    """The plan of the side to move, and the other side's."""
    runs: Tuple[Tuple[str, ...], Tuple[str, ...]]
    """Only moves in a row that have to be found: by the side to move, and by the other side."""
    nodes: int
    """Nodes searched, without those of the plans."""

    def __str__(self) -> str:
        return self.headline


@dataclass(frozen=True)
class Safety:
    """How deep the plans that keep the value are, in own moves with all their options.

    0 is a plan that was not shown, `None` a side that has nothing to hold.
    """

    white: Optional[float]
    black: Optional[float]


@dataclass(frozen=True)
class AnnotatedMove:
    """A move of an annotated game."""

    number: int
    turn: Side
    """The side that played it."""
    san: str
    uci: str
    fen: str = field(repr=False)
    """The position after it."""
    mark: Optional[Mark]
    loss: float
    """By how much it lowered the win probability of its side, from 0 to 1."""
    value: Value
    """The value after it, for White."""
    best: str
    """The best move instead, in standard algebraic notation."""
    verdict: Verdict
    """How many moves held before it."""
    error_chance: Optional[float]
    """The chance that a player of the rating in the PGN tags, or of 1500 without one, errs here; `None` where
    there was nothing to lose."""
    safety: Optional[Safety]
    """How safe both sides are after it; `None` without plans."""


@dataclass(frozen=True)
class AnnotatedGame:
    """What there is to say of a game."""

    tags: Tuple[Tuple[str, str], ...] = field(repr=False)
    result: str
    moves: Tuple[AnnotatedMove, ...] = field(repr=False)
    pgn: str = field(repr=False)
    """The game in PGN, with comments, variations and glyphs."""
    nodes: int
    """Nodes searched."""


def _value(found: Dict[str, Any], side: Side) -> Value:
    mate, score = found.get("mate"), found["score"]
    centipawns = score if mate is None else None
    return Value(Score(centipawns, mate, side, mate == 0 and score > 0), found["chance"])


def _judged(found: Dict[str, Any], player: Optional[Dict[str, Any]] = None) -> Judged:
    turn = side_of(found["white"])
    shares = player["shares"] if player else [0.0] * len(found["moves"])
    moves = tuple(
        JudgedMove(of["uci"], of["san"], of["holds"], of["verified"], of["looks_right"], share)
        for of, share in zip(found["moves"], shares)
    )
    return Judged(
        fen=found["fen"],
        turn=turn,
        value=_value(found["value"], turn),
        verdict=found["verdict"],
        line=tuple(found["line"]),
        moves=moves,
        traps=tuple(Trap(of["san"], of["chance"], tuple(of["refutation"])) for of in found["traps"]),
        natural=found["room"].get("natural"),
        error_chance=player["error_chance"] if player else None,
        expected_loss=player["expected_loss"] if player else None,
        nodes=found["nodes"],
    )


def _plan(found: Dict[str, Any]) -> Plan:
    critical = tuple(found["critical"])
    return Plan(found["least"], found["depth"], found["certain"], found["against"], critical)


def _amount(
    nodes: Optional[int], plan_nodes: Optional[int], hash: int, syzygy: Optional[str]
) -> Dict[str, Any]:
    return {
        "nodes": None if nodes is None else _arguments.count("nodes", nodes),
        "plan_nodes": None if plan_nodes is None else _arguments.count("plan_nodes", plan_nodes, 0),
        "hash": _arguments.hash_size(hash),
        "syzygy": syzygy,
    }


def explain(
    position: Position,
    *,
    nodes: Optional[int] = None,
    plan_nodes: Optional[int] = None,
    elo: float = 1500,
    hash: int = 16,
    syzygy: Optional[str] = None,
    progress: Optional[Callable[[int], object]] = None,
) -> Explanation:
    """Explains a position: which moves hold, which only seem to, what each side has to find.

    A move holds if its win probability is at most 0.10 below that of the best move; a search verifies each.
    The same nodes give the same answer. Other Python threads run meanwhile.

    Args:
        position: as for `analyse`. The moves before it are looked at for repetitions and recaptures.
        nodes: nodes for the moves of each side; a million if not given, which takes a second or two.
        plan_nodes: nodes for the plan of each side, 1,500 if not given; each costs some fifty
            ordinary nodes. 0 leaves the plans out.
        elo: the Lichess rating, 400 to 3000, of the players whose errors are predicted.
        hash: the size of the transposition table in MiB.
        syzygy: folders with Syzygy endgame tables.
        progress: called after each of the searches with the nodes of all of them, without those of the plans.
            What it raises ends the search and comes out.

    Raises:
        ValueError: no legal position, or the game is over there.

    >>> explained = explain("7K/8/k1P5/7p/8/8/8/8 w - - 0 1", nodes=60_000, plan_nodes=0)
    >>> explained.own.only_move.san
    'Kg7'
    """
    if isinstance(elo, bool) or not isinstance(elo, (int, float)) or not 400 <= elo <= 3000:
        raise ValueError(f"elo must be from 400 to 3000, not {elo!r}")
    question = {
        "position": _position.read(position),
        "elo": float(elo),
        **_amount(nodes, plan_nodes, hash, syzygy),
    }
    _arguments.callback("progress", progress)

    def tell(nodes: str) -> None:
        if progress:
            progress(int(nodes))

    found = json.loads(_native.explain(json.dumps(question), tell if progress else None))
    if found is None:
        raise ValueError(f"the game is over in this position, there is nothing to explain: {position}")
    own, other = found["players"]
    return Explanation(
        headline=found["headline"],
        own=_judged(found["own"], own),
        other=found["other"] and _judged(found["other"], other),
        movement=found.get("movement"),
        plans=(_plan(found["plans"]["own"]), _plan(found["plans"]["other"])),
        runs=(tuple(found["runs"][0]["moves"]), tuple(found["runs"][1]["moves"])),
        nodes=found["nodes"],
    )


def judge_game(
    game: Union[str, chess.pgn.Game],
    *,
    nodes: Optional[int] = None,
    plan_nodes: Optional[int] = None,
    hash: int = 16,
    syzygy: Optional[str] = None,
    progress: Optional[Callable[[int, int], object]] = None,
) -> AnnotatedGame:
    """Judges every move of a game; the arguments are those of `annotate`.

    >>> game = judge_game("1. f3 e5 2. g4 Qh4# 0-1", nodes=5_000, plan_nodes=0)
    >>> [(move.san, move.mark) for move in game.moves if move.mark == "blunder"]
    [('g4', 'blunder')]
    """
    _arguments.callback("progress", progress)
    question = {"pgn": str(game), **_amount(nodes, plan_nodes, hash, syzygy)}
    found = json.loads(_native.annotate(json.dumps(question), progress and _teller(progress)))
    game_found = found["game"]
    return AnnotatedGame(
        tags=tuple((name, value) for name, value in game_found["tags"]),
        result=game_found["result"],
        moves=tuple(map(_annotated, game_found["moves"])),
        pgn=found["pgn"],
        nodes=game_found["nodes"],
    )


def _teller(progress: Callable[[int, int], object]) -> Callable[[str], None]:
    def tell(text: str) -> None:
        step = json.loads(text)
        progress(step["left"], step["of"])

    return tell


def _annotated(found: Dict[str, Any]) -> AnnotatedMove:
    return AnnotatedMove(
        number=found["number"],
        turn=side_of(found["white"]),
        san=found["san"],
        uci=found["uci"],
        fen=found["fen"],
        mark=found["remark"],
        loss=found["loss"],
        value=_value(found["after"]["value"], "white"),
        best=found["judged"]["moves"][0]["san"],
        verdict=found["judged"]["verdict"],
        error_chance=found["error_chance"],
        safety=found["after"]["safety"] and Safety(**found["after"]["safety"]),
    )


@overload
def annotate(
    game: str,
    *,
    nodes: Optional[int] = ...,
    plan_nodes: Optional[int] = ...,
    hash: int = ...,
    syzygy: Optional[str] = ...,
    progress: Optional[Callable[[int, int], object]] = ...,
) -> str: ...


@overload
def annotate(
    game: chess.pgn.Game,
    *,
    nodes: Optional[int] = ...,
    plan_nodes: Optional[int] = ...,
    hash: int = ...,
    syzygy: Optional[str] = ...,
    progress: Optional[Callable[[int, int], object]] = ...,
) -> chess.pgn.Game: ...


def annotate(
    game: Any,
    *,
    nodes: Optional[int] = None,
    plan_nodes: Optional[int] = None,
    hash: int = 16,
    syzygy: Optional[str] = None,
    progress: Optional[Callable[[int, int], object]] = None,
) -> Any:
    """Annotates a game with comments, variations and glyphs.

    Of a text in PGN it returns such a text, of a `chess.pgn.Game` another one; the given one stays as it is.
    Comments and variations of others stay. Annotations of an earlier run are replaced.

    Args:
        game: a game in PGN (the first of the text), or a `chess.pgn.Game`.
        nodes: nodes for the moves of a position, 150,000 if not given: some five positions a second.
        plan_nodes: nodes for each plan, 600 if not given. 0 leaves the plans out.
        hash: the size of the transposition table in MiB.
        syzygy: folders with Syzygy endgame tables.
        progress: called with the number of steps left, and of all steps. What it raises ends the search and
            comes out.

    Raises:
        ValueError: the text is no game; the message names the line.

    >>> "$4" in annotate("1. f3 e5 2. g4 Qh4# 0-1", nodes=5_000, plan_nodes=0)
    True
    """
    found = judge_game(
        game, nodes=nodes, plan_nodes=plan_nodes, hash=hash, syzygy=syzygy, progress=progress
    )
    if isinstance(game, str):
        return found.pgn
    import chess.pgn

    return chess.pgn.read_game(io.StringIO(found.pgn))
