"""Reads chess positions: texts, and the objects of python-chess."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Union

if TYPE_CHECKING:
    import chess
    import chess.pgn

Position = Union[str, "chess.Board", "chess.pgn.GameNode"]
"""A FEN or `startpos`, also with moves after it (`startpos moves e2e4 e7e5`); a board; a node of a game."""

Move = Union[str, "chess.Move"]
"""A move in UCI notation, or of python-chess."""


def read(position: Any) -> Dict[str, Any]:
    """Returns where the moves begin, the moves, and whether castling is written as in Chess960.

    A board brings the moves on its stack, so that repetitions count and a recapture is known as one.
    """
    if isinstance(position, str):
        start, *moves = position.split(" moves ")
        if len(moves) > 1:
            raise ValueError(f"' moves ' occurs twice in the position {position!r}")
        return {"start": start.strip(), "moves": " ".join(moves).split(), "chess960": False}
    board = position.board() if callable(getattr(position, "board", None)) else position
    if not hasattr(board, "move_stack") or not hasattr(board, "root"):
        raise TypeError(
            f"a position must be a FEN, 'startpos', a chess.Board or a node of a chess.pgn game, "
            f"not {position!r}"
        )
    if getattr(board, "uci_variant", "chess") != "chess":
        raise ValueError(f"only chess and Chess960 are played, not {board.uci_variant}")
    root, chess960 = board.root(), bool(board.chess960)
    start = root.shredder_fen(en_passant="fen") if chess960 else root.fen(en_passant="fen")
    if any(not move for move in board.move_stack):
        # A null move cannot be searched over: the position stands alone.
        start = board.shredder_fen(en_passant="legal") if chess960 else board.fen()
        return {"start": start, "moves": [], "chess960": chess960}
    return {"start": start, "moves": [move.uci() for move in board.move_stack], "chess960": chess960}


def move_text(move: Any) -> str:
    """Returns a move in UCI notation."""
    if isinstance(move, str):
        return move
    if not callable(getattr(move, "uci", None)):
        raise TypeError(f"a move must be a text in UCI notation or a chess.Move, not {move!r}")
    return str(move.uci())


def to_chess(moves: Any) -> List["chess.Move"]:
    """Returns moves as objects of python-chess."""
    import chess

    return [chess.Move.from_uci(move) for move in moves]
