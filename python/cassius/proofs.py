"""Proves mates, certifies values, and checks certificates."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple, Union

from . import _arguments, _native, _position
from ._position import Position
from .score import Side, side_of

if TYPE_CHECKING:
    import chess


@dataclass(frozen=True)
class MateProof:
    """The answer to the question whether a side mates by force."""

    fen: str
    winner: Side
    """The side that was to mate."""
    mate_in: Optional[int]
    """The moves of the mate that is proven; `None`: no mate is proven. 0: the mate is on the board."""
    shortest: bool
    """Whether it is proven that no mate is shorter."""
    no_mate_in: Optional[int]
    """The number of moves within which it is proven that there is no mate."""
    moves: Tuple[str, ...]
    """The longest defence, in UCI notation."""
    san: str
    """The same in standard algebraic notation."""
    positions: int
    """Positions of the winner's strategy; all were replayed by the rules."""
    proof_number: Optional[int]
    """If nothing is proven: how many open positions must at least be won to prove the mate."""
    disproof_number: Optional[int]
    certificate: Optional[str] = field(repr=False)
    """The strategy against every defence, for `check`; `None` if it was not asked for, if the mate is on the
    board, or if it has more than 2,000,000 positions."""
    nodes: int
    """Moves played in the search."""

    def __bool__(self) -> bool:
        """Whether a mate is proven."""
        return self.mate_in is not None

    def to_chess(self) -> List[chess.Move]:
        """Returns the moves as python-chess has them."""
        return _position.to_chess(self.moves)


def prove_mate(
    position: Position,
    *,
    moves: Optional[int] = None,
    mated: bool = False,
    nodes: Optional[int] = None,
    time: Optional[float] = None,
    hash: int = 64,
    certificate: bool = False,
) -> MateProof:
    """Searches for a forced mate by proof numbers. Other Python threads run meanwhile.

    Args:
        position: as for `analyse`. The game before it does not count.
        moves: the greatest length, 1 to 100 moves; the shortest mate is sought. If not given: any mate, then
            shorter ones.
        mated: whether the other side is to mate.
        nodes: the greatest number of moves to play; ten million if neither nodes nor time is given.
        time: the greatest time of the search, in seconds; replaying and writing the strategy take some more.
        hash: the size of the table in MiB.
        certificate: whether to write the strategy down, for `check`.

    Raises:
        ValueError: no legal position, or a limit outside of its range.

    >>> proof = prove_mate("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
    >>> proof.mate_in, proof.shortest, proof.san
    (1, True, '1. Ra8#')
    """
    limits = _arguments.limits(nodes, None, time, 10_000_000)
    question = {
        "position": _position.read(position),
        "moves": None if moves is None else _arguments.count("moves", moves, most=_native.MAX_PLY // 2),
        "mated": bool(mated),
        "nodes": limits["nodes"],
        "seconds": limits["seconds"],
        "hash": _arguments.hash_size(hash),
        "certificate": 2_000_000 if certificate else 0,
    }
    found = json.loads(_native.prove_mate(json.dumps(question)))
    found["winner"] = side_of(found.pop("white"))
    found["moves"] = tuple(found["moves"])
    return MateProof(**found)


@dataclass(frozen=True)
class HeldPlan:
    """A plan that holds the value it promises."""

    depth: Optional[float]
    """The depth of its least safe line, in own moves with all their options; `None` if it is certain."""
    weakest: Tuple[str, ...]
    """The least safe line, in UCI notation."""
    weakest_value: int
    """The value for the owner of the plan at the end of that line."""
    leaves: int
    """Lines that end with a static value."""
    over: int
    """Lines that end for certain."""


@dataclass(frozen=True)
class Established:
    """What a certificate establishes, according to the rules and the evaluation alone."""

    game: str
    position: str
    value: int
    """In hundredths of a pawn, for the side to move. Wins and losses are beyond 29,000."""
    common: Optional[Tuple[str, ...]]
    """The line that both plans share, if they establish the value together."""
    at_least: Optional[HeldPlan]
    """The plan of the side to move: the value is at least this high."""
    at_most: Optional[HeldPlan]
    """The plan of the other side: the value is at most this high."""


@dataclass(frozen=True)
class Certificate:
    """A value with the plans that establish it."""

    text: str = field(repr=False)
    """What `check` reads."""
    complete: bool
    """Whether both plans are as deep as was asked."""
    nodes: int
    """Nodes searched."""
    established: Established
    """What it establishes; it has been checked."""

    def json(self) -> str:
        """Returns the same as JSON, in the form of `cassius certify --json`."""
        return certificate_json(self.text)

    def __str__(self) -> str:
        return self.text


def _established(found: Dict[str, Any]) -> Established:
    def plan(of: Optional[Dict[str, Any]]) -> Optional[HeldPlan]:
        return HeldPlan(**{**of, "weakest": tuple(of["weakest"])}) if of else None

    common = found["common"]
    return Established(
        game=found["game"],
        position=found["position"],
        value=found["value"],
        common=None if common is None else tuple(common),
        at_least=plan(found["at_least"]),
        at_most=plan(found["at_most"]),
    )


def certify(
    position: Position,
    *,
    depth: float = 1.0,
    nodes: Optional[int] = None,
    time: Optional[float] = None,
    hash: int = 16,
) -> Certificate:
    """Searches for the two plans that establish a value, and writes them down.

    If a limit ends the search early, the plans are those of the last finished iteration.

    Args:
        position: as for `analyse`. The game before it does not count.
        depth: how deep each side's plan is to be, in own moves with all their options; above 0, at most 100.
        nodes: the greatest number of nodes; 200,000 if neither nodes nor time is given.
        time: the greatest time, in seconds; half of it is kept for writing. The check takes some more.
        hash: the size of the table in MiB.

    Raises:
        ValueError: no legal position, the game is over there, or no iteration was finished.

    >>> certificate = certify("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
    >>> check(certificate.text) == certificate.established
    True
    """
    question = {"position": _position.read(position), **_wanted(depth, nodes, time, hash)}
    return _certificate(_native.certify(json.dumps(question)))


def certify_game(
    game: str,
    position: str = "",
    *,
    depth: float = 1.0,
    nodes: Optional[int] = None,
    time: Optional[float] = None,
    hash: int = 16,
) -> Certificate:
    """Certifies a position of a game of the library, as `certify` does for chess.

    Args:
        game: the name of a game, see `games()`.
        position: the position, in the game's notation; the start position if empty.

    The other arguments, and what is raised, are as for `certify`.

    >>> certificate = certify_game("connect4", "4455", depth=2)
    >>> check(certificate.text) == certificate.established
    True
    """
    question = json.dumps(_wanted(depth, nodes, time, hash))
    return _certificate(_native.certify_game(str(game), str(position), question))


def _wanted(depth: float, nodes: Optional[int], time: Optional[float], hash: int) -> Dict[str, Any]:
    """Returns which plans are wanted, and within what limits."""
    limits = _arguments.limits(nodes, None, time, 200_000)
    most = _native.MAX_PLY // 2
    if isinstance(depth, bool) or not isinstance(depth, (int, float)) or not 0 < depth <= most:
        raise ValueError(f"depth must be above 0 and at most {most}, such as 1.5, not {depth!r}")
    return {
        "depth": float(depth),
        "nodes": limits["nodes"],
        "seconds": limits["seconds"],
        "hash": _arguments.hash_size(hash),
    }


def _certificate(text: str) -> Certificate:
    found = json.loads(text)
    if found is None:
        raise ValueError("no iteration was finished and written down: allow more nodes or time")
    return Certificate(found["text"], found["complete"], found["nodes"], _established(found["holds"]))


def certificate_json(certificate: str) -> str:
    """Returns a certificate as JSON, which `check` and the program read as well. Other threads run meanwhile.

    Args:
        certificate: its text, such as `MateProof.certificate`.

    Raises:
        ValueError: it is no certificate; the message names the line.

    >>> import json
    >>> proof = prove_mate("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", certificate=True)
    >>> structured = json.loads(certificate_json(proof.certificate))
    >>> structured["game"], check(structured) == check(proof.certificate)
    ('chess', True)
    """
    return _native.certificate_json(str(certificate))


def check(certificate: Union[str, Mapping[str, Any]], *, bounds: bool = False, work: int = 1) -> Established:
    """Replays a certificate, trusting nothing in it, and returns what it establishes.

    Args:
        certificate: a certificate of `certify`, `certify_game`, `prove_mate`, or of the program: its text, or
            its JSON as a text or as `json.loads` reads it.
        bounds: whether two plans that do not establish one value together are accepted, as two bounds.
        work: by how much the limit of the work is raised, which grows with the size of the certificate.

    Raises:
        ValueError: it does not hold; the message names the first statement that is false, and where it is.
    """
    if isinstance(certificate, Mapping):
        certificate = json.dumps(dict(certificate))
    if not isinstance(certificate, str):
        raise TypeError(
            f"a certificate is a text, not a {type(certificate).__name__}; "
            "that of certify() is in its field text"
        )
    if certificate and "\n" not in certificate and os.path.isfile(certificate):
        raise ValueError(f"{certificate} is the name of a file: check takes the text that it contains")
    question = {"text": certificate, "bounds": bool(bounds), "work": _arguments.count("work", work)}
    return _established(json.loads(_native.check(json.dumps(question))))
