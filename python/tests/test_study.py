"""Studies: grown in memory and in files, judged by this library and by a UCI engine."""

import contextlib
import math
import pathlib
import sqlite3
import sys
import tempfile
import unittest
from unittest import mock

import cassius
import cassius.study

TWO = "7k/8/8/8/8/8/R7/1R5K w - - 0 1"

# An engine, without its answers.
ENGINE = """
import pathlib
import sys
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("id name First", "option name Hash type spin default 1 min 1 max 64", sep="\\n")
        print("option name UCI_Chess960 type check default false", "uciok", sep="\\n", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["go"]:
        print("\\n".join(answer(words[words.index("searchmoves") + 1:])), flush=True)
    elif words[:1] == ["quit"]:
        break
"""

# It plays the first move that it may, and says that the position is even.
FIRST = """
def answer(moves):
    return [f"info depth 3 score cp 7 nodes 42 pv {moves[0]}", f"bestmove {moves[0]}"]
"""


@contextlib.contextmanager
def judged_by(answer, **how):
    """Makes a judge of an engine with these answers."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "first.py")
        program.write_text(answer + ENGINE)
        yield cassius.UciJudge(f"'{sys.executable}' '{program}'", **how)


class Growth(unittest.TestCase):
    def test_a_proven_win_may_have_no_length(self):
        study = cassius.Study("8/8/8/3k4/8/8/1PPK4/8 w - - 0 1")
        leaf = study.ask()[0]
        won = cassius.Score(30_000, None, leaf.turn)
        study.tell(leaf, cassius.Judgement(won, (), proven=True))
        verdict = study.verdict()
        self.assertGreater(verdict.moves[0].score.centipawns, 29_000)
        self.assertIsNone(verdict.moves[0].score.mate)

    def test_a_mate_is_found(self):
        told = []
        study = cassius.Study(TWO, nodes=2_000)
        verdict = study.grow(cassius.judge, judgements=10, progress=lambda *of: told.append(of))
        self.assertEqual(str(verdict.moves[0].score), "#2")
        self.assertEqual(verdict.judgements, len(told))
        self.assertEqual(verdict.turn, "white")
        self.assertAlmostEqual(sum(move.chance for move in verdict.moves), 1, places=3)
        self.assertLess(abs(verdict.doubt - study.doubt()), 0.01)

    def test_what_it_hangs_on_is_named(self):
        verdict = cassius.Study("startpos", nodes=500).grow(cassius.judge, judgements=12)
        self.assertTrue(verdict.conspiracies)
        for conspiracy in verdict.conspiracies:
            for member in conspiracy.members:
                self.assertEqual(member.score.side, "white" if " w " in member.fen else "black")
                self.assertNotEqual(member.score, member.needed)

    def test_the_same_numbers_grow_the_same_tree(self):
        one, other = (
            cassius.Study("startpos", nodes=300).grow(cassius.judge, judgements=15, at_once=3)
            for _ in range(2)
        )
        self.assertEqual(one, other)
        self.assertEqual(one.judgements, 15)

    def test_asked_and_told_by_hand(self):
        study = cassius.Study("startpos", nodes=100)
        leaf, = study.ask()
        self.assertEqual((leaf.line, len(leaf.moves), leaf.nodes), ((), 20, 100))
        self.assertEqual(study.ask(), [])  # it is being judged
        study.give_back(leaf)
        self.assertEqual(study.ask(), [leaf])
        score = cassius.Score(-20, None, "black")  # 20 for White, who is to move
        study.tell(leaf, cassius.Judgement(score, ("e2e4", "e7e5")))
        best = study.verdict().moves[0]
        self.assertEqual((best.san, str(best.score)), ("e4", "+0.20"))
        with self.assertRaisesRegex(ValueError, "not one of those"):
            study.tell(leaf, cassius.Judgement(score, ()))
        with self.assertRaisesRegex(ValueError, "'e2e5' is not legal"):
            study.tell(leaf, cassius.Judgement(score, ("e2e5",)))
        with self.assertRaisesRegex(ValueError, "no such position"):
            study.tell(cassius.Leaf((77, 0), leaf.fen, "white", (), (), 1), cassius.Judgement(score, ()))

    def test_a_judge_may_raise(self):
        def fail(leaf):
            raise LookupError(leaf.fen)

        study = cassius.Study("startpos", nodes=100)
        with self.assertRaises(LookupError):
            study.grow(fail, judgements=1)
        self.assertEqual(len(study.ask()), 1)  # it was given back

    def test_what_a_judge_gets_wrong_is_named(self):
        study = cassius.Study("startpos", nodes=500)
        with self.assertRaisesRegex(TypeError, "must return a Judgement, not 3"):
            study.grow(lambda leaf: 3, judgements=1)
        with self.assertRaisesRegex(FileNotFoundError, "engine 'no-such-engine': no such program"):
            study.grow(cassius.UciJudge("no-such-engine"), judgements=1)

    def test_any_engine_judges(self):
        with judged_by(FIRST, options={"Hash": 2}) as judge:
            study = cassius.Study("startpos", nodes=100)
            judged = []
            verdict = study.grow(judge, judgements=3, progress=lambda _, of: judged.append(of))
        self.assertEqual((judged[0].engine, judged[0].options, judged[0].nodes), ("First", "Hash=2", 42))
        self.assertEqual((verdict.judgements, verdict.nodes), (3, 3 * 42))

    def test_a_bound_is_no_value(self):
        answer = """
def answer(moves):
    yield f"info depth 3 score cp 7 nodes 42 pv {moves[0]}"
    yield f"info depth 4 score cp 900 lowerbound nodes 50 pv {moves[1]}"
    yield "info nodes 60"
    yield f"bestmove {moves[1]}"
"""
        leaf, = cassius.Study("startpos", nodes=100).ask()
        with judged_by(answer) as judge:
            found = judge(leaf)
        self.assertEqual((str(found.score), found.line[0], found.depth), ("+0.07", leaf.moves[0], 3))
        self.assertEqual(found.nodes, 60)
        with judged_by(answer.replace("score cp 7 ", "")) as judge:  # it tells nothing else
            self.assertEqual(str(judge(leaf).score), "+9.00")

    def test_an_engine_castles_in_chess960(self):
        answer = """
def answer(moves):
    assert "f1h1" in moves
    return ["info depth 3 score cp 7 nodes 42 pv f1h1", "bestmove f1h1"]
"""
        study = cassius.Study("1r3k1r/8/8/8/8/8/8/1R3K1R w KQkq - 0 1", nodes=100)
        with judged_by(answer) as judge:
            self.assertEqual(study.grow(judge, judgements=1).best, "f1h1")

    def test_an_engine_that_fails_is_started_again(self):
        once = """
def answer(moves):
    mark = pathlib.Path(__file__).with_suffix(".mark")
    if not mark.exists():
        mark.touch()
        sys.exit(1)
    return [f"info depth 3 score cp 7 nodes 42 pv {moves[0]}", f"bestmove {moves[0]}"]
"""
        study = cassius.Study("startpos", nodes=100)
        with judged_by(once) as judge:
            self.assertEqual(study.grow(judge, judgements=1).judgements, 1)

    def test_an_engine_is_not_waited_for_for_ever(self):
        silent = """
def answer(moves):
    return ["info depth 1"]
"""
        study = cassius.Study("startpos", nodes=100)
        with judged_by(silent, patience=0.5) as judge:
            with self.assertRaisesRegex(TimeoutError, "was silent for too long, 3 times"):
                study.grow(judge, judgements=1)
        self.assertEqual(len(study.ask()), 1)  # it was given back
        with self.assertRaisesRegex(ValueError, "patience must be above 0"):
            cassius.UciJudge("stockfish", patience=0)
        with self.assertRaisesRegex(ValueError, "command must name a program"):
            cassius.UciJudge(" ")
        with self.assertRaisesRegex(TypeError, "command must be a str"):
            cassius.UciJudge(None)

    def test_an_interrupt_loses_no_leaf(self):
        study = cassius.Study("startpos", nodes=100)
        with mock.patch("cassius.study.Leaf", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                study.ask()
        with self.assertRaises(KeyboardInterrupt):
            begin = mock.Mock(side_effect=KeyboardInterrupt)
            cassius.study.grown(study, begin, cassius.judge, 1, 0.0, 1, None)
        self.assertEqual(len(study.ask()), 1)

    def test_without_a_judgement_all_is_in_doubt(self):
        study = cassius.Study("startpos")
        self.assertEqual((study.verdict().doubt, study.doubt()), (1, 1))

    def test_what_is_told_too_late_is_refused(self):
        study = cassius.Study("startpos", nodes=300)
        first, = study.ask()
        study.give_back(first)
        study.grow(cassius.judge, judgements=15)
        told = cassius.Judgement(cassius.Score(0, None, "white"), first.moves[:1])
        with self.assertRaisesRegex(ValueError, "the leaf is no longer open"):
            study.tell(first, told)

    def test_no_leaf_is_mated(self):
        study = cassius.Study("startpos", nodes=100)
        leaf, = study.ask()
        for given in (False, True):
            score = cassius.Score(None, 0, "white", given)
            with self.assertRaisesRegex(ValueError, "a mate on the board was told"):
                study.tell(leaf, cassius.Judgement(score, leaf.moves[:1]))


class Files(unittest.TestCase):
    def test_a_file_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "my.study")
            before = cassius.Study("startpos", path, nodes=300).grow(cassius.judge, judgements=5)
            self.assertEqual(cassius.Study.open(path).verdict(), before)
            after = cassius.Study.open(str(path)).grow(cassius.judge, judgements=5)
            self.assertEqual(after.judgements, 10)
            with self.assertRaisesRegex(FileExistsError, "my.study: the file exists; Study.open goes on"):
                cassius.Study("startpos", path)
            path.with_suffix(".txt").write_text("a text that is no study\n" * 99)
            with self.assertRaisesRegex(ValueError, "this is not a study file"):
                cassius.Study.open(path.with_suffix(".txt"))
            with self.assertRaises(OSError):
                cassius.Study.open(pathlib.Path(folder, "none.study"))

    def test_one_program_grows_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "my.study")
            lock = path.with_suffix(".study.growing")
            study, tried = cassius.Study("startpos", path, nodes=300), []

            def judge(leaf):
                self.assertTrue(lock.exists())
                with self.assertRaisesRegex(OSError, "my.study: another program is growing this study"):
                    cassius.Study.open(path).grow(cassius.judge, judgements=1)
                tried.append(leaf)
                return cassius.judge(leaf)

            study.grow(judge, judgements=2)
            self.assertEqual(len(tried), 2)
            self.assertFalse(lock.exists())
            self.assertEqual(study.grow(cassius.judge, judgements=1).judgements, 3)

    def test_wishes_are_fulfilled(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "my.study")
            cassius.Study("startpos", path, nodes=300).grow(cassius.judge, judgements=1)
            with contextlib.closing(sqlite3.connect(path)) as file, file:
                file.execute("INSERT INTO wish (line, what) VALUES ('', 'include g1h3')")
            study = cassius.Study.open(path)
            verdict = study.grow(cassius.judge, judgements=1)
            self.assertIn("g1h3", [move.uci for move in verdict.moves if move.score])
            self.assertEqual(study.fulfil(), [])
            del study
            with contextlib.closing(sqlite3.connect(path)) as file, file:
                file.execute("INSERT INTO wish (line, what) VALUES ('', 'include g1h4')")
            said, = cassius.Study.open(path).fulfil()
            self.assertIn("'g1h4' is not legal here", said)

    def test_wrong_arguments_are_named(self):
        for message, arguments in [
            ("the game is over", {"position": "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"}),
            ("nodes must be from 1", {"position": TWO, "nodes": 0}),
        ]:
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                cassius.Study(**arguments)
        for doubt in (math.nan, -0.1, 5):
            with self.subTest(doubt), self.assertRaisesRegex(ValueError, "doubt must be from 0 to 1"):
                cassius.Study(TWO).grow(cassius.judge, judgements=1, doubt=doubt)


if __name__ == "__main__":
    unittest.main()
