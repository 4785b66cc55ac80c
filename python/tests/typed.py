"""How a user's program is typed: it is not run, but checked by mypy."""

from __future__ import annotations

from typing import List, Optional

import cassius
import chess
import chess.engine
import chess.pgn
from cassius import cluster


class Nim:
    """A game whose moves are numbers."""

    def __init__(self, stones: int) -> None:
        self.stones = stones

    def moves(self) -> List[int]:
        return list(range(1, min(self.stones, 3) + 1))

    def play(self, move: int) -> Nim:
        return Nim(self.stones - move)

    def outcome(self) -> cassius.Outcome:
        return "loss"

    def key(self) -> int:
        return self.stones


best: Optional[int] = cassius.search(Nim(3)).best
column: Optional[str] = cassius.search_game("connect4").best
text: str = cassius.annotate("1. e4 *")
game: chess.pgn.Game = cassius.annotate(chess.pgn.Game())
move: Optional[chess.Move] = cassius.analyse(chess.Board()).best_move()
verdict: cassius.StudyVerdict = cassius.Study(chess.Board()).grow(cassius.judge, judgements=1)
lengths: List[int] = list(cluster.each(len, cassius.read_games("1. e4 *")))
played: List[str] = list(cluster.play(2, nodes=100))


def centipawns(position: cassius.Position) -> chess.engine.PovScore:
    """Returns the value of a position."""
    score = cassius.analyse(position).score
    assert score is not None
    return score.to_chess()
