"""Work on many machines."""

import functools
import importlib.util
import io
import pathlib
import subprocess
import sys
import unittest

import chess.pgn
from cassius import cluster


class OneProcess(unittest.TestCase):
    def test_a_game_depends_on_its_arguments_alone(self):
        one, other = (cluster.play_game(3, nodes=100, longest=20) for _ in range(2))
        self.assertEqual(one, other)
        self.assertNotEqual(cluster.play_game(3, nodes=100, longest=20, seed=2), one)

    def test_two_games_have_the_same_opening_with_colours_reversed(self):
        play = functools.partial(cluster.play_game, players=("plies", "bare"), nodes=100, longest=10)
        games = [chess.pgn.read_game(io.StringIO(play(number))) for number in (4, 5)]
        openings = [list(game.mainline_moves())[:8] for game in games]
        self.assertEqual(openings[0], openings[1])
        self.assertEqual([game.headers["White"] for game in games], ["plies", "bare"])
        self.assertEqual(games[0].headers["Termination"], "adjudication")

    def test_wrong_arguments_are_named(self):
        for message, arguments in [
            ("opening must be from 0 to 300", {"opening": 10_000}),
            ("opening must be from 0 to 300", {"opening": -1}),
            ("longest must be from 1", {"longest": 0}),
            ("players must be two recipes", {"players": ("plies",)}),
        ]:
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                cluster.play_game(0, **arguments)

    def test_games_end_by_the_rules(self):
        by_the_rules = 0
        for number in range(4):
            game = chess.pgn.read_game(io.StringIO(cluster.play_game(number, nodes=50)))
            board = game.end().board()
            if game.headers["Termination"] == "normal":
                by_the_rules += 1
                drawn = board.is_repetition(3) or board.halfmove_clock >= 100
                outcome = board.outcome()
                self.assertTrue(drawn or outcome)
                self.assertEqual(game.headers["Result"], outcome.result() if outcome else "1/2-1/2")
        self.assertGreater(by_the_rules, 0)

    def test_without_ray_it_is_said_what_to_install(self):
        if importlib.util.find_spec("ray"):
            self.skipTest("Ray is installed")
        with self.assertRaisesRegex(ImportError, "pip install ray"):
            cluster.each(abs, [1])

    @unittest.skipUnless(importlib.util.find_spec("ray"), "Ray is not installed: pip install ray")
    def test_nodes_of_ray(self):
        # In a process of its own: an error within Ray ends the process.
        done = subprocess.run(
            [sys.executable, "-m", "unittest", "nodes"],
            cwd=pathlib.Path(__file__).parent,
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Ran 5 tests", done.stderr)


if __name__ == "__main__":
    unittest.main()
