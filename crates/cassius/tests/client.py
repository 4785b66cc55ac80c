"""A real client, python-chess, against the program: games, analysis, stopping, bad input.

    python client.py path/to/cassius
"""

import io
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest

import chess
import chess.engine
import chess.pgn
import jsonschema

ENGINE = "target/release/cassius"


class Client(unittest.TestCase):
    def setUp(self):
        self.engine = chess.engine.SimpleEngine.popen_uci(ENGINE, timeout=30)
        self.engine.configure({"Hash": 16})

    def tearDown(self):
        self.engine.quit()

    def play_out(self, board, limit):
        """A game against itself, to its end by the rules or 120 moves.

        python-chess refuses an illegal move.
        """
        while not board.is_game_over(claim_draw=True) and board.fullmove_number <= 120:
            played = self.engine.play(board, limit, game=id(board))
            self.assertIn(played.move, board.legal_moves)
            board.push(played.move)
        return board

    def test_a_whole_game(self):
        board = self.play_out(chess.Board(), chess.engine.Limit(nodes=3000))
        self.assertGreater(board.ply(), 40)

    def test_a_game_by_the_clock(self):
        board = chess.Board("8/8/8/4k3/8/8/4P3/4K2R w K - 0 1")
        # What a busy machine needs between two moves.
        self.engine.configure({"Move Overhead": 1000})
        clocks = [2.0, 2.0]
        while not board.is_game_over(claim_draw=True) and board.fullmove_number <= 60:
            side = 0 if board.turn else 1
            limit = chess.engine.Limit(
                white_clock=clocks[0], black_clock=clocks[1], white_inc=0.02, black_inc=0.02
            )
            start = time.perf_counter()
            board.push(self.engine.play(board, limit).move)
            clocks[side] += 0.02 - (time.perf_counter() - start)
            self.assertGreater(clocks[side], 0, "lost on time")
        self.assertTrue(board.is_checkmate(), board.fen())

    def test_a_game_of_chess960(self):
        board = chess.Board.from_chess960_pos(342)
        self.play_out(board, chess.engine.Limit(nodes=500))

    def test_every_recipe_plays(self):
        for recipe in self.engine.options["Recipe"].var:
            with self.subTest(recipe=recipe):
                self.engine.configure({"Recipe": recipe})
                board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1")
                # With the depths as printed forced lines are followed to their end: to see all moves takes
                # many nodes, without anything selective millions.
                nodes = 2_000_000 if recipe in ("lab-abc", "abc-paper") else 20_000
                played = self.engine.play(board, chess.engine.Limit(nodes=nodes))
                self.assertIn(played.move, board.legal_moves)
                if recipe != "abc":
                    self.assertEqual(board.san(played.move), "Qxf7#")

    def test_analysis_of_several_lines(self):
        board = chess.Board("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 b - - 4 9")
        lines = self.engine.analyse(board, chess.engine.Limit(depth=8), multipv=4)
        self.assertEqual(len(lines), 4)
        scores = [line["score"].relative for line in lines]
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertEqual(len({line["pv"][0] for line in lines}), 4)
        for line in lines:
            after = board.copy()
            for move in line["pv"]:
                self.assertIn(move, after.legal_moves)
                after.push(move)

    def test_a_mate_is_counted(self):
        board = chess.Board("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
        info = self.engine.analyse(board, chess.engine.Limit(depth=6))
        self.assertEqual(info["score"].relative, chess.engine.Mate(1))

    def test_only_the_moves_asked_for(self):
        board = chess.Board()
        moves = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
        played = self.engine.play(board, chess.engine.Limit(nodes=5000), root_moves=moves)
        self.assertIn(played.move, moves)

    def test_pondering(self):
        board = chess.Board()
        for _ in range(6):
            played = self.engine.play(board, chess.engine.Limit(time=0.05), ponder=True)
            board.push(played.move)

    def test_a_search_is_stopped(self):
        late = []
        for _ in range(5):
            with self.engine.analysis(chess.Board()) as analysis:
                analysis.get()
                time.sleep(0.1)
                start = time.perf_counter()
                analysis.stop()
                analysis.wait()
                late.append(time.perf_counter() - start)
        # 50 ms are promised; the median of five leaves room for a busy machine and the client's own.
        self.assertLess(sorted(late)[2], 0.1, late)


class Annotations(unittest.TestCase):
    GAME = """[White "A"]
[Black "B"]

1. e4 e5 2. Nf3 Nc6 (2... d6 {Philidor} 3. d4) 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2
6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1
"""

    def annotate(self, games):
        command = [ENGINE, "annotate", "-", "--nodes", "10k", "--plan-nodes", "50"]
        return subprocess.run(command, input=games, capture_output=True, text=True, check=True).stdout

    def test_an_annotated_game_is_read(self):
        text = self.annotate(self.GAME)
        game = chess.pgn.read_game(io.StringIO(text))
        self.assertEqual(game.errors, [])
        nodes = list(game.mainline())
        self.assertEqual(len(nodes), 14)
        for node in nodes[:-1]:
            self.assertIsNotNone(node.eval(), node.comment)
            self.assertIn("[%safe ", node.comment)
        self.assertEqual(nodes[-2].eval().white().mate(), -1)
        self.assertIn(chess.pgn.NAG_BLUNDER, nodes[8].nags)
        branch = game.variations[0].variations[0].variations[0]
        self.assertEqual(len(branch.variations), 2, "the variation is kept")
        self.assertEqual(self.annotate(text), text)

    def test_json_is_what_its_schema_says(self):
        def run(arguments, text=""):
            command = [ENGINE, *arguments]
            return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout

        over = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
        mate = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"
        explain = ["explain", "--json", "--nodes", "5k", "--plan-nodes", "50", "--practical", "2"]
        told = {
            "explain": run([*explain, chess.STARTING_FEN, over, mate]) + run([*explain, "-"], self.GAME),
            "annotate": run(["annotate", "-", "--json", "--nodes", "2k", "--plan-nodes", "20"], self.GAME),
            "lab-run": run(["lab", "run", "--quick", "--json", "alpha-beta-leaves", "certificates"]),
        }
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "a.study")
            run(["study", "grow", file, "--position", "startpos", "--nodes", "200", "--judgements", "9"])
            told["study"] = run(["study", "show", file, "--json"])
        for command, text in told.items():
            schema = json.loads(run(["schema", command]))
            check = jsonschema.Draft202012Validator(schema)
            for line in text.splitlines():
                check.validate(json.loads(line))
                with self.assertRaises(jsonschema.ValidationError):
                    check.validate({**json.loads(line), "version": "one"})


if __name__ == "__main__":
    ENGINE = sys.argv.pop(1) if len(sys.argv) > 1 else ENGINE
    unittest.main()
