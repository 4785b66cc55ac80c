"""Searches the same games of OpenSpiel by OpenSpiel's algorithms in Python and by the package `cassius`.

It needs OpenSpiel (`pip install open_spiel==2.0.2`): `python openspiel.py`.

An adapter of a few lines makes such a game of OpenSpiel a game for `cassius.search`. So both
call the same methods of the same game, and what differs is the search. Times are of the processor.
"""

import time
from typing import Any, Callable, Iterable, Tuple

import cassius
import numpy
import open_spiel.python.games  # registers python_tic_tac_toe
import pyspiel
from open_spiel.python.algorithms import mcts, minimax


class Adapted:
    """A position of a game of OpenSpiel: two players in turn, perfect information, zero sum."""

    def __init__(self, state: pyspiel.State):
        self.state = state

    def moves(self) -> Iterable[int]:
        return self.state.legal_actions()

    def play(self, action: int) -> "Adapted":
        return Adapted(self.state.child(action))

    def outcome(self) -> str:
        points = self.state.returns()[(len(self.state.history())) % 2]
        return "win" if points > 0 else "loss" if points < 0 else "draw"

    def key(self) -> str:
        return str(self.state)  # tells who is to move by the number of stones


def timed(search: Callable[[], Any]) -> Tuple[Any, float]:
    """Returns what a search returns, and its processor time in seconds."""
    begin = time.process_time()
    return search(), time.process_time() - begin


def counted(game: pyspiel.Game, depth: int) -> int:
    """Counts the positions of OpenSpiel's alpha-beta search."""
    count, inner = 0, minimax._alpha_beta

    def counting(*arguments, **named):
        nonlocal count
        count += 1
        return inner(*arguments, **named)

    minimax._alpha_beta = counting
    theirs(game, depth)
    minimax._alpha_beta = inner
    return count


def theirs(game: pyspiel.Game, depth: int) -> None:
    minimax.alpha_beta_search(game, value_function=lambda _: 0, maximum_depth=depth, maximizing_player_id=0)


def size(node: mcts.SearchNode) -> int:
    """Counts the nodes of OpenSpiel's tree."""
    return 1 + sum(map(size, node.children))


def line(who: str, nodes: int, seconds: float) -> None:
    print(f"  {who:<22} {nodes:>8,} nodes in {seconds:6.3f} s, {nodes / seconds:>9,.0f} a second")


def main() -> None:
    for name, depth in [("python_tic_tac_toe", 9), ("connect_four", 10), ("hex(board_size=7)", 3)]:
        game = pyspiel.load_game(name)
        start = Adapted(game.new_initial_state())
        print(f"{name}, alpha-beta to depth {depth}")
        count = counted(game, depth)
        line("OpenSpiel, minimax.py", count, timed(lambda: theirs(game, depth))[1])
        for recipe in ["alphabeta", "pvs"]:
            line(recipe, *timed(lambda: cassius.search(start, recipe=recipe, depth=depth).nodes))
        print(f"{name}, Monte Carlo tree search, one random game for each expanded node")
        evaluator = mcts.RandomRolloutEvaluator(1, numpy.random.RandomState(1))
        bot = mcts.MCTSBot(game, 2.0, 1_000, evaluator, random_state=numpy.random.RandomState(1))
        root, seconds = timed(lambda: bot.mcts_search(game.new_initial_state()))
        nodes = size(root)
        line("OpenSpiel, mcts.py", nodes, seconds)
        line("uct", *timed(lambda: cassius.search(start, recipe="uct", nodes=nodes).nodes))
        print(f"{name}, proof numbers")
        line("pns", *timed(lambda: cassius.search(start, recipe="pns", nodes=20_000).nodes))


if __name__ == "__main__":
    main()
