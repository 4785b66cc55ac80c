"""Values of chess positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Optional


if TYPE_CHECKING:
    import chess.engine

Side = Literal["white", "black"]
"""A side."""

Bound = Literal["exact", "lower", "upper"]
"""Whether a value is exact, or the real one is at least (`lower`) or at most (`upper`) as high."""


@dataclass(frozen=True)
class Score:
    """A value in the eyes of one side.

    >>> score = Score(31, None, "white")
    >>> str(score), str(score.black())
    ('+0.31', '-0.31')
    >>> str(Score(None, -2, "white").pov("black"))
    '#2'
    >>> mated = Score(None, 0, "white")
    >>> str(mated), str(mated.black())
    ('#-0', '#0')
    """

    centipawns: Optional[int]
    """Hundredths of a pawn; `None` if a mate is seen. Beyond 29,000 it is a win of unknown length, and below
    -29,000 such a loss, as endgame tables and proof numbers know them. What a search finds is proven then."""
    mate: Optional[int]
    """Moves to mate, negative if this side is mated; `None` if no mate is seen. 0 is a mate on the board."""
    side: Side
    """The side for which it is good to be above 0."""
    given: bool = False
    """Whether this side has given the mate on the board; `False` if it is mated, or if there is none."""

    def pov(self, side: Side) -> Score:
        """Returns the same value from the point of view of a side: `white` or `black`."""
        if side not in ("white", "black"):
            raise ValueError(f"a side is 'white' or 'black', not {side!r}")
        if side == self.side:
            return self
        negative = [None if value is None else -value for value in (self.centipawns, self.mate)]
        return Score(negative[0], negative[1], side, self.mate == 0 and not self.given)

    def white(self) -> Score:
        """Returns the value in the eyes of White."""
        return self.pov("white")

    def black(self) -> Score:
        """Returns the value in the eyes of Black."""
        return self.pov("black")

    def to_chess(self) -> chess.engine.PovScore:
        """Returns the value as python-chess has it."""
        import chess
        import chess.engine

        turn = chess.WHITE if self.side == "white" else chess.BLACK
        if self.mate == 0 and self.given:
            return chess.engine.PovScore(chess.engine.MateGiven, turn)
        if self.mate is not None:
            return chess.engine.PovScore(chess.engine.Mate(self.mate), turn)
        return chess.engine.PovScore(chess.engine.Cp(self.centipawns or 0), turn)

    def __str__(self) -> str:
        if self.mate is not None:
            return f"#{self.mate}" if self.mate or self.given else "#-0"
        centipawns = self.centipawns or 0
        if abs(centipawns) > 28_999:
            return "won" if centipawns > 0 else "lost"
        return f"{centipawns / 100:+.2f}"


def side_of(white: bool) -> Side:
    """Returns the name of a side."""
    return "white" if white else "black"
