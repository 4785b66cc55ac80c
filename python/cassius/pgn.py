"""Takes collections of games apart."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Iterable, Iterator, Union

from . import _native

if TYPE_CHECKING:
    import chess.pgn

Games = Union[str, "os.PathLike[str]", Iterable[Union[str, "chess.pgn.Game"]]]
"""Games: a text in PGN with any number of them, a file as a `pathlib.Path`, or the games themselves."""


def read_games(games: Games) -> Iterator[str]:
    r"""Returns the games one by one, each as a text in PGN.

    Comments, variations and glyphs are kept. A file is read as it is needed, however large it is.

    Raises:
        OSError: the file cannot be read.
        ValueError: a game is broken; the message names it and the line. `next` then goes on with the one
            after it.

    >>> [game.split("\n")[-2] for game in read_games("1. e4 e5 * 1. d4 *")]
    ['1. e4 e5 *', '1. d4 *']
    """
    if isinstance(games, str):
        return _native.Games(text=games)
    if isinstance(games, os.PathLike):
        return _native.Games(path=os.fspath(games))
    return map(str, games)
