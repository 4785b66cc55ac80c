"""Searches of chess positions: answers, limits, callbacks, interrupts, wrong arguments."""

import threading
import time
import unittest

import cassius
import chess
import chess.engine
import chess.pgn
from interrupt import interrupt

MATE = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"


class Answers(unittest.TestCase):
    def test_a_mate_is_found(self):
        found = cassius.analyse(MATE, depth=4)
        self.assertEqual((found.best, found.turn, str(found.score)), ("a1a8", "white", "#1"))
        self.assertEqual(found.best_move(), chess.Move.from_uci("a1a8"))
        self.assertEqual(found.score.to_chess(), chess.engine.PovScore(chess.engine.Mate(1), chess.WHITE))
        self.assertEqual(found.lines[0].san, "1. Ra8#")

    def test_the_same_nodes_give_the_same_answer(self):
        one, other = (cassius.analyse("startpos", nodes=20_000, lines=3) for _ in range(2))
        self.assertEqual(one, other)
        self.assertEqual(len({line.moves[0] for line in one.lines}), 3)
        self.assertLessEqual(one.nodes, 20_000)

    def test_scores_are_of_the_side_to_move(self):
        found = cassius.analyse("7k/8/8/8/8/8/8/KQ6 b - - 0 1", nodes=20_000)
        self.assertEqual((found.turn, found.score.side), ("black", "black"))
        white = found.score.white()
        self.assertTrue(white.centipawns > 500 if white.mate is None else white.mate > 0)
        self.assertEqual(found.score.white().black(), found.score)
        self.assertGreater(found.lines[0].plans.white, 0)

    def test_boards_bring_their_moves(self):
        board = chess.Board()
        for san in ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6"]:
            board.push_san(san)
        before = board.copy()
        found = cassius.analyse(board, nodes=20_000)
        self.assertEqual(found.best_move(), chess.Move.from_uci("h5f7"))
        self.assertEqual((found.fen, board), (board.fen(), before))
        moves = " ".join(move.uci() for move in board.move_stack)
        self.assertEqual(cassius.analyse(f"startpos moves {moves}", nodes=20_000), found)
        game = chess.pgn.Game.from_board(board)
        self.assertEqual(cassius.analyse(game.end(), nodes=20_000), found)

    def test_a_board_of_chess960_may_castle(self):
        fen = "1r3k2/8/8/8/8/8/8/1RK4R w BH - 0 1"
        board = chess.Board(fen, chess960=True)
        moves = [move for move in board.legal_moves if board.is_castling(move)]
        self.assertTrue(moves)
        found = cassius.analyse(board, depth=2, only=moves)
        self.assertIn(found.best_move(), moves)

    def test_a_board_of_chess960_castles_in_its_notation_from_the_usual_set_up(self):
        for chess960, castles in ((True, "e1h1"), (False, "e1g1")):
            board = chess.Board(chess960=chess960)
            for san in ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5"]:
                board.push_san(san)
            found = cassius.analyse(board, depth=2, only=[board.parse_san("O-O")])
            self.assertEqual((found.best, found.fen), (castles, board.fen()))
            self.assertIn(found.best_move(), board.legal_moves)

    def test_only_some_moves_are_considered(self):
        found = cassius.analyse(MATE, depth=3, only=["a1a2", chess.Move.from_uci("h1g1")])
        self.assertIn(found.best, ("a1a2", "h1g1"))

    def test_every_recipe_answers(self):
        for recipe in cassius.recipes():
            with self.subTest(recipe.name):
                found = cassius.analyse(MATE, nodes=3_000, recipe=recipe.name, hash=4)
                self.assertEqual(found.recipe, recipe.name)
                self.assertEqual(found.best, "a1a8")

    def test_parameters_have_an_effect(self):
        engine = cassius.Engine("lab", hash=1)
        usual = engine.analyse("startpos", depth=6).nodes
        switched = cassius.Engine("plies", hash=1, parameters={"NullMove": False})
        self.assertEqual(switched.recipe, "lab")
        self.assertNotEqual(switched.analyse("startpos", depth=6).nodes, usual)
        named = {parameter.name: parameter.value for parameter in switched.parameters()}
        self.assertEqual(named["NullMove.on"], 0)

    def test_a_finished_game_has_no_lines(self):
        found = cassius.analyse("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", depth=2)
        self.assertEqual((found.lines, found.best, found.score), ((), None, None))

    def test_threads_search_together(self):
        found = cassius.analyse("startpos", nodes=50_000, threads=2)
        self.assertTrue(found.best)


class Scores(unittest.TestCase):
    def test_a_mate_on_the_board_has_a_side(self):
        mated = cassius.Score(None, 0, "black")
        given = mated.white()
        self.assertEqual((given.given, given.black()), (True, mated))
        self.assertEqual((str(given), str(mated)), ("#0", "#-0"))
        self.assertEqual(given.to_chess().white(), chess.engine.MateGiven)
        self.assertEqual(mated.to_chess().white(), chess.engine.MateGiven)
        self.assertEqual(given.to_chess().black(), chess.engine.Mate(0))

    def test_results_of_unknown_length_have_names(self):
        won = cassius.Score(30_000, None, "white")
        self.assertEqual((str(won), str(won.black())), ("won", "lost"))
        self.assertEqual(str(cassius.Score(28_999, None, "white")), "+289.99")


class Callbacks(unittest.TestCase):
    def test_lines_are_told(self):
        told = []
        found = cassius.analyse("startpos moves e2e4", depth=5, progress=told.append)
        self.assertEqual(told[-1].moves, found.lines[0].moves)
        self.assertEqual({line.score.side for line in told}, {"black"})
        self.assertEqual(sorted(line.iteration for line in told), [line.iteration for line in told])

    def test_what_a_callback_raises_comes_out(self):
        class Enough(Exception):
            pass

        told = []

        def progress(line):
            told.append(line)
            if line.iteration >= 3:
                raise Enough(line)

        with self.assertRaises(Enough) as raised:
            cassius.analyse("startpos", nodes=10**12, progress=progress)
        self.assertIs(raised.exception.args[0], told[-1])
        self.assertEqual(told[-1].iteration, 3)

    def test_an_engine_goes_on_after_an_exception(self):
        engine = cassius.Engine()

        def progress(_):
            raise KeyError("no")

        for _ in range(2):
            with self.assertRaises(KeyError):
                engine.analyse("startpos", depth=5, progress=progress)
        self.assertEqual(engine.analyse(MATE, depth=2).best, "a1a8")

    def test_a_searching_engine_refuses(self):
        engine = cassius.Engine()
        with self.assertRaisesRegex(RuntimeError, "is searching"):
            engine.analyse("startpos", depth=5, progress=lambda _: engine.analyse("startpos", depth=1))


class Threads(unittest.TestCase):
    def test_python_goes_on_while_a_search_runs(self):
        # If the search held the lock of the interpreter, the other thread could count only before and after.
        counts, ends = [0], threading.Event()

        def count():
            while not ends.is_set():
                counts[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        before = counts[0]
        cassius.analyse("startpos", time=0.5)
        counted = counts[0] - before
        ends.set()
        thread.join()
        self.assertGreater(counted, 50)

    def test_an_interrupt_stops_a_search(self):
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt), interrupt(0.3):
            cassius.analyse("startpos", time=60)
        self.assertLess(time.monotonic() - begin, 20)

    def test_an_interrupt_stops_an_explanation(self):
        begin = time.process_time()  # other programs may keep the processors busy
        with self.assertRaises(KeyboardInterrupt), interrupt(0.3):
            cassius.explain("startpos", nodes=10**12, plan_nodes=0)
        self.assertLess(time.process_time() - begin, 10)


class WrongArguments(unittest.TestCase):
    def test_messages_say_what_to_do(self):
        for message, arguments in [
            ("unknown piece 'x' on rank 2", {"position": "8/8/8/8/8/4k3/4x3/4K3 w - -"}),
            ("move 2: 'e2e4' is not legal here", {"position": "startpos moves e2e4 e2e4"}),
            ("'a1a5' is not legal", {"position": "startpos", "only": ["a1a5"]}),
            ("known recipes: plies, coupled", {"position": "startpos", "recipe": "plys"}),
            ("no parameter `NullMove.wish`", {"position": "startpos", "parameters": {"NullMove.wish": 1}}),
            ("it has: ", {"position": "startpos", "parameters": {"Wishes": True}}),
            ("must be from", {"position": "startpos", "recipe": "lab", "parameters": {"NullMove.on": 2}}),
            ("nodes must be from 1 to", {"position": "startpos", "nodes": 0}),
            ("depth must be from 1 to 200, not 500", {"position": "startpos", "depth": 500}),
            ("lines must be from 1 to 256", {"position": "startpos", "lines": 0}),
            ("time must be above 0 seconds", {"position": "startpos", "time": -1}),
            ("hash must be from 1", {"position": "startpos", "hash": 0}),
            ("endgame tables: cannot read", {"position": "startpos", "syzygy": "/no/such/place"}),
        ]:
            with self.subTest(message):
                with self.assertRaises(ValueError) as raised:
                    cassius.analyse(**arguments)
                self.assertIn(message, str(raised.exception))

    def test_types_are_checked(self):
        for message, arguments in [
            ("a position must be a FEN", {"position": 7}),
            ("nodes must be an int, not 1.5", {"position": "startpos", "nodes": 1.5}),
            ("progress must be a function", {"position": "startpos", "progress": 3}),
            ("a move must be a text", {"position": "startpos", "only": [3]}),
            ("parameters must be like", {"position": "startpos", "parameters": {"NullMove.on": "yes"}}),
            ("parameters must be like", {"position": "startpos", "parameters": [("NullMove", False)]}),
            ("parameters must be like", {"position": "startpos", "parameters": ""}),
        ]:
            with self.subTest(message):
                with self.assertRaises(TypeError) as raised:
                    cassius.analyse(**arguments)
                self.assertIn(message, str(raised.exception))

    def test_other_variants_are_refused(self):
        import chess.variant

        with self.assertRaisesRegex(ValueError, "only chess and Chess960"):
            cassius.analyse(chess.variant.AtomicBoard())


if __name__ == "__main__":
    unittest.main()
