"""Explanations and annotated games."""

import io
import pathlib
import tempfile
import unittest

import cassius
import chess
import chess.engine
import chess.pgn

RETI = "7K/8/k1P5/7p/8/8/8/8 w - - 0 1"
FOOLS_MATE = "1. f3 e5 2. g4 { Careless. } ( 2. e4 ) Qh4# 0-1"


class Explanations(unittest.TestCase):
    def test_the_only_move_is_found(self):
        explained = cassius.explain(RETI, nodes=60_000, plan_nodes=200)
        self.assertEqual(explained.own.only_move.san, "Kg7")
        self.assertEqual([move.uci for move in explained.own.holding], ["h8g7"])
        self.assertIn("must find Kg7", str(explained))
        self.assertAlmostEqual(sum(move.share for move in explained.own.moves), 1)
        self.assertTrue(0 < explained.own.error_chance < 1)
        self.assertEqual(explained.own.value.pov("black").chance, 1 - explained.own.value.chance)
        self.assertEqual(explained, cassius.explain(chess.Board(RETI), nodes=60_000, plan_nodes=200))

    def test_nodes_are_told_and_exceptions_come_out(self):
        told = []
        explained = cassius.explain(RETI, nodes=30_000, plan_nodes=0, progress=told.append)
        self.assertEqual(told, sorted(told))
        self.assertGreaterEqual(told[-1], explained.nodes // 2)

        def progress(nodes):
            raise LookupError(nodes)

        with self.assertRaises(LookupError):
            cassius.explain(RETI, nodes=30_000, plan_nodes=0, progress=progress)

    def test_ratings_matter(self):
        weak, strong = (cassius.explain(RETI, nodes=30_000, plan_nodes=0, elo=elo) for elo in (800, 2500))
        self.assertGreater(weak.own.error_chance, strong.own.error_chance)

    def test_wrong_arguments_are_named(self):
        for message, arguments in [
            ("elo must be from 400 to 3000", {"position": RETI, "elo": 9000}),
            ("the game is over", {"position": "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"}),
            ("plan_nodes must be from 0", {"position": RETI, "plan_nodes": -1}),
        ]:
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                cassius.explain(**arguments)


class Annotations(unittest.TestCase):
    def test_a_text_gives_a_text(self):
        text = cassius.annotate(FOOLS_MATE, nodes=5_000, plan_nodes=0)
        game = chess.pgn.read_game(io.StringIO(text))
        blunder = game.next().next().next()
        self.assertEqual((blunder.san(), blunder.nags), ("g4", {chess.pgn.NAG_BLUNDER}))
        self.assertIn("Careless.", blunder.comment)
        self.assertEqual(blunder.eval(), chess.engine.PovScore(chess.engine.Mate(-1), chess.WHITE))
        self.assertEqual(cassius.annotate(text, nodes=5_000, plan_nodes=0), text)

    def test_a_game_gives_a_game(self):
        game = chess.pgn.read_game(io.StringIO(FOOLS_MATE))
        before = str(game)
        annotated = cassius.annotate(game, nodes=5_000, plan_nodes=0)
        self.assertIsInstance(annotated, chess.pgn.Game)
        self.assertEqual(str(game), before)
        self.assertEqual(list(annotated.mainline_moves()), list(game.mainline_moves()))
        self.assertEqual(annotated.next().next().next().nags, {chess.pgn.NAG_BLUNDER})

    def test_every_move_is_judged(self):
        game = cassius.judge_game(FOOLS_MATE, nodes=5_000, plan_nodes=0)
        self.assertEqual([move.san for move in game.moves], ["f3", "e5", "g4", "Qh4#"])
        self.assertEqual(game.moves[2].mark, "blunder")
        self.assertEqual((game.moves[1].turn, game.moves[1].number), ("black", 1))
        self.assertEqual(str(game.moves[2].value.score), "#-1")
        self.assertGreater(game.moves[2].loss, 0.3)

    def test_a_mate_on_the_board_is_of_a_side(self):
        for moves, given in ((FOOLS_MATE, "black"), ("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0", "white")):
            score = cassius.judge_game(moves, nodes=2_000, plan_nodes=0).moves[-1].value.score
            self.assertEqual(score.pov(given), cassius.Score(None, 0, given, True))
            self.assertEqual(score.to_chess().pov(given == "white"), chess.engine.MateGiven)

    def test_safety_is_told(self):
        game = cassius.judge_game(FOOLS_MATE, nodes=5_000, plan_nodes=100)
        blunder = game.moves[2].safety
        self.assertGreater(blunder.black, blunder.white)  # Black mates
        bare = cassius.judge_game(FOOLS_MATE, nodes=2_000, plan_nodes=0)
        self.assertEqual([move.safety for move in bare.moves], [None] * 4)

    def test_steps_are_told_and_exceptions_come_out(self):
        steps = []
        cassius.annotate(FOOLS_MATE, nodes=2_000, plan_nodes=0, progress=lambda *step: steps.append(step))
        self.assertEqual(steps, [(left, 5) for left in (4, 3, 2, 1, 0)])

        def progress(left, _):
            if left == 2:
                raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            cassius.annotate(FOOLS_MATE, nodes=2_000, progress=progress)

    def test_a_collection_is_taken_apart(self):
        text = f"{FOOLS_MATE}\n\n1. e4 e5 2. Ke3 *\n\n[White \"B\"]\n\n1. d4 *\n"
        games = cassius.read_games(text)
        self.assertIn("{ Careless. }", next(games))
        with self.assertRaisesRegex(ValueError, "game 2, line 3: move 2.: 'Ke3' is not legal here"):
            next(games)
        self.assertIn('[White "B"]', next(games))
        self.assertEqual(list(games), [])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "games.pgn")
            with self.assertRaisesRegex(FileNotFoundError, "games.pgn"):
                cassius.read_games(path)
            path.write_text("1. e4 *\n\n1. d4 *\n")
            self.assertEqual(len(list(cassius.read_games(path))), 2)
        game = chess.pgn.read_game(io.StringIO(FOOLS_MATE))
        self.assertEqual(list(cassius.read_games([game])), [str(game)])

    def test_a_broken_game_is_named(self):
        with self.assertRaisesRegex(ValueError, "line 1: move 2.: 'Ke3' is not legal here"):
            cassius.annotate("1. e4 e5 2. Ke3 *")


if __name__ == "__main__":
    unittest.main()
