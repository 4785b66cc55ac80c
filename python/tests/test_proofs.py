"""Mates, certificates, and what is wrong with false ones."""

import json
import unittest

import cassius
import chess

# Two rooks mate in two moves.
TWO = "7k/8/8/8/8/8/R7/1R5K w - - 0 1"


class Mates(unittest.TestCase):
    def test_a_mate_is_proven_and_checked(self):
        proof = cassius.prove_mate(TWO, nodes=100_000, certificate=True)
        self.assertTrue(proof)
        self.assertEqual((proof.mate_in, proof.shortest, proof.no_mate_in), (2, True, 1))
        board = chess.Board(TWO)
        for move in proof.to_chess():
            board.push(move)
        self.assertTrue(board.is_checkmate())
        established = cassius.check(proof.certificate)
        self.assertIsNone(established.at_least.depth)
        self.assertGreater(established.value, 29_000)

    def test_what_cannot_be_proven_is_said(self):
        none = cassius.prove_mate(TWO, moves=1)
        self.assertEqual((bool(none), none.no_mate_in), (False, 1))
        open_ = cassius.prove_mate("startpos", nodes=1_000)
        self.assertFalse(open_)
        self.assertGreater(open_.proof_number, 0)

    def test_the_other_side_may_mate(self):
        proof = cassius.prove_mate("7k/8/6K1/8/8/8/8/R7 b - - 0 1", mated=True, nodes=100_000)
        self.assertEqual((proof.winner, proof.mate_in), ("white", 1))


class Certificates(unittest.TestCase):
    def test_a_value_is_certified_and_checked(self):
        certificate = cassius.certify(TWO, depth=1, nodes=100_000)
        self.assertEqual(cassius.check(str(certificate)), certificate.established)
        self.assertTrue(certificate.complete)
        depth = certificate.established.at_least.depth
        self.assertTrue(depth is None or depth >= 1)
        self.assertIn("cassius certificate", certificate.text)

    def test_a_game_of_the_library_is_certified(self):
        certificate = cassius.certify_game("tictactoe", "X.. .O. ..X", depth=2)
        self.assertEqual(cassius.check(certificate.text), certificate.established)
        self.assertEqual(certificate.established.game, "tictactoe")
        with self.assertRaisesRegex(ValueError, "not a valid position of tictactoe"):
            cassius.check(certificate.text.replace("X.. .O. ..X", "XXX ... ..."))
        with self.assertRaisesRegex(ValueError, "unknown game `go`"):
            cassius.check(certificate.text.replace("game: tictactoe", "game: go"))

    def test_json_says_the_same(self):
        certificate = cassius.certify(TWO, depth=1, nodes=100_000)
        structured = json.loads(certificate.json())
        self.assertEqual(structured["game"], "chess")
        self.assertEqual(cassius.check(structured), certificate.established)
        self.assertEqual(cassius.check(certificate.json()), certificate.established)
        self.assertEqual(cassius.certificate_json(certificate.json()), certificate.json())

    def test_a_false_certificate_is_refused(self):
        text = cassius.certify(TWO, depth=1, nodes=100_000).text
        value = next(line for line in text.splitlines() if line.startswith("value: "))
        false = text.replace(value, f"value: {int(value.split()[1]) - 7}", 1)
        with self.assertRaises(ValueError):
            cassius.check(false)
        with self.assertRaisesRegex(ValueError, "line 1"):
            cassius.check("no certificate")
        with self.assertRaisesRegex(ValueError, "line 1, column 2: missing field `format`"):
            cassius.check("{}")
        structured = json.loads(cassius.certificate_json(text))
        structured["value"] -= 7
        with self.assertRaises(ValueError):
            cassius.check(structured)
        with self.assertRaisesRegex(TypeError, "in its field text"):
            cassius.check(cassius.certify(TWO))

    def test_the_name_of_a_file_is_no_certificate(self):
        with self.assertRaisesRegex(ValueError, "is the name of a file"):
            cassius.check(__file__)

    def test_wrong_arguments_are_named(self):
        for message, arguments in [
            ("the game is over", {"position": "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"}),
            ("depth must be above 0", {"position": TWO, "depth": 0}),
            ("allow more nodes", {"position": "startpos", "nodes": 1}),
        ]:
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                cassius.certify(**arguments)


if __name__ == "__main__":
    unittest.main()
