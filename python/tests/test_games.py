"""Games written in Python: searched as plain minimax in Python does it, and what goes wrong in them."""

import functools
import threading
import time
import unittest

import cassius
from interrupt import interrupt

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    """Tic-tac-toe; the cells are X, O or a dot."""

    def __init__(self, cells="........."):
        self.cells = cells

    def _turn(self):
        return "X" if self.cells.count("X") == self.cells.count("O") else "O"

    def _is_lost(self):
        other = "O" if self._turn() == "X" else "X"
        return any(all(self.cells[cell] == other for cell in line) for line in LINES)

    def moves(self):
        return [] if self._is_lost() else [cell for cell in range(9) if self.cells[cell] == "."]

    def play(self, cell):
        return TicTacToe(self.cells[:cell] + self._turn() + self.cells[cell + 1 :])

    def outcome(self):
        return "loss" if self._is_lost() else "draw"

    def key(self):
        return self.cells


class Nim:
    """Heaps; a move takes any number of one heap. Who takes the last one wins."""

    def __init__(self, *heaps):
        self.heaps = heaps

    def moves(self):
        return [(heap, taken) for heap, size in enumerate(self.heaps) for taken in range(1, size + 1)]

    def play(self, move):
        heap, taken = move
        heaps = list(self.heaps)
        heaps[heap] -= taken
        return type(self)(*heaps)

    def outcome(self):
        return "loss"

    def key(self):
        return self.heaps


@functools.lru_cache(maxsize=None)
def solved(game_class, *state):
    """Returns who wins by plain minimax, 1, 0 or -1, and in how many plies at best."""
    game = game_class(*state)
    moves = list(game.moves())
    if not moves:
        return ({"win": 1, "draw": 0, "loss": -1}[game.outcome()], 0)
    best = None
    for move in moves:
        child = game.play(move)
        child_state = child.heaps if isinstance(child, Nim) else (child.cells,)
        result, plies = solved(game_class, *child_state)
        # A win is better the sooner, a loss the later.
        rank = (-result, plies + 1 if result > 0 else -(plies + 1))
        best = max(best, rank) if best else rank
    return (best[0], abs(best[1]))


def state_of(game):
    return game.heaps if isinstance(game, Nim) else (game.cells,)


POSITIONS = [
    TicTacToe(),
    TicTacToe("X...O...X"),
    TicTacToe("X.O.O.X.X"),
    TicTacToe("X........"),
    TicTacToe("XO......."),
    Nim(1, 2),
    Nim(1, 2, 3),
    Nim(2, 3),
    Nim(4,),
    Nim(2, 2, 1),
]


class EqualsMinimax(unittest.TestCase):
    def test_by_alpha_beta(self):
        for recipe in ("pvs", "alphabeta", "scout", "appendix", "abc"):
            for game in POSITIONS:
                with self.subTest(recipe=recipe, game=state_of(game)):
                    result, plies = solved(type(game), *state_of(game))
                    found = cassius.search(game, recipe=recipe, depth=14, nodes=2_000_000, hash=1)
                    self.assertEqual((found.value > 0) - (found.value < 0), result)
                    if recipe != "abc":
                        self.assertEqual(found.lines[0].end, result * plies if result else None)
                    self.assertIn(found.best, game.moves())

    def test_by_proof_numbers(self):
        for recipe in ("pns", "df-pn"):
            for game in POSITIONS:
                with self.subTest(recipe=recipe, game=state_of(game)):
                    result, _ = solved(type(game), *state_of(game))
                    found = cassius.search(game, recipe=recipe, nodes=500_000)
                    self.assertEqual(found.proven, ["draw", "win", "loss"][result])

    def test_by_monte_carlo(self):
        for recipe in ("uct", "puct"):
            for game in POSITIONS:
                with self.subTest(recipe=recipe, game=state_of(game)):
                    result, _ = solved(type(game), *state_of(game))
                    found = cassius.search(game, recipe=recipe, nodes=10_000)
                    self.assertIn(found.proven, (None, ["draw", "win", "loss"][result]))
                    after = game.play(found.best)
                    self.assertEqual(solved(type(after), *state_of(after))[0], -result)

    def test_what_monte_carlo_proves(self):
        for game, result in [(Nim(1, 2), "win"), (Nim(1, 1), "loss"), (TicTacToe("XOXXOO..."), "win")]:
            self.assertEqual(cassius.search(game, recipe="uct", nodes=10_000).proven, result)

    def test_random_games_have_a_seed(self):
        def value(seed):
            parameters = {"RandomPlay.seed": seed}
            return cassius.search(TicTacToe(), recipe="uct", nodes=300, parameters=parameters).value

        self.assertEqual(value(1), value(1))
        self.assertGreater(len({value(seed) for seed in range(1, 6)}), 1)

    def test_by_conspiracy_numbers(self):
        for recipe in ("cns", "ccns", "cns-value"):
            for game in POSITIONS:
                result, _ = solved(type(game), *state_of(game))
                if result <= 0:
                    continue  # the best move of a draw or loss need not be proven to be best
                with self.subTest(recipe=recipe, game=state_of(game)):
                    found = cassius.search(game, recipe=recipe, nodes=100_000)
                    after = game.play(found.best)
                    self.assertEqual(solved(type(game), *state_of(after))[0], -1)

    def test_lines_can_be_played(self):
        found = cassius.search(Nim(1, 2), depth=6, lines=3)
        self.assertEqual(len(found.lines), 3)
        for line in found.lines:
            game = Nim(1, 2)
            for move in line.moves:
                self.assertIn(move, game.moves())
                game = game.play(move)

    def test_points_and_values_count(self):
        class Sum:
            """Both sides add a number in turn; the points are what the one has more."""

            def __init__(self, *numbers):
                self.numbers = numbers

            def moves(self):
                return ["much", "little"] if len(self.numbers) < 4 else []

            def play(self, move):
                return Sum(*self.numbers, 5 if move == "much" else 2)

            def _balance(self):
                sides = [sum(self.numbers[0::2]), sum(self.numbers[1::2])]
                return sides[len(self.numbers) % 2] - sides[1 - len(self.numbers) % 2]

            outcome = value = _balance

            def key(self):
                return self.numbers

        deep, shallow = cassius.search(Sum(), depth=9), cassius.search(Sum(), depth=1)
        self.assertEqual((deep.value, deep.best, deep.lines[0].end), (0, "much", None))
        self.assertEqual(shallow.value, 5)

    def test_keys_that_python_hashes_alike_are_different(self):
        class Fork:
            """One move loses, the other one wins."""

            def __init__(self, *code):
                self.code = code or (0, 0)

            def moves(self):
                return {(0, 0): ["loses", "wins"], (0, -1): ["on"], (0, -2): ["on"]}.get(self.code, [])

            def play(self, move):
                after = {"loses": (0, -1), "wins": (0, -2)}
                return Fork(*after.get(move, (1, self.code[1])))

            def outcome(self):
                return "loss" if self.code == (1, -1) else "win"

            def key(self):
                return self.code

        self.assertEqual(hash((0, -1)), hash((0, -2)))
        found = cassius.search(Fork(), recipe="pvs", depth=3, lines=2)
        self.assertEqual([line.moves[0] for line in found.lines], ["wins", "loses"])
        self.assertEqual([line.proven for line in found.lines], ["win", "loss"])

    def test_a_finished_game_has_no_lines(self):
        found = cassius.search(Nim(0))
        self.assertEqual((found.lines, found.best, found.value), ((), None, None))

    def test_lines_are_told(self):
        told = []
        found = cassius.search(Nim(1, 2, 3), depth=5, progress=told.append)
        self.assertEqual(told[-1].moves, found.lines[0].moves)

    def test_recipes_are_listed(self):
        names = [recipe.name for recipe in cassius.python_game_recipes()]
        self.assertIn("cns", names)
        self.assertNotIn("bare", names)  # it needs noisy moves
        found = cassius.search(Nim(1, 2), recipe="pvs", depth=4, parameters={"Abc.gamma": 300})
        self.assertTrue(found.best)


class LibraryGames(unittest.TestCase):
    def test_every_game_is_searched_by_its_recipes(self):
        starts = {"random-tree": "1,3,4", "random-game": "7,4", "tree": "A:0(B:1(E:0 F:1) C:0)"}
        for game in cassius.games():
            self.assertEqual(game.has_start, game.name not in starts)
            for recipe in game.recipes:
                with self.subTest(game=game.name, recipe=recipe.name):
                    start = starts.get(game.name, "")
                    found = cassius.search_game(game.name, start, recipe=recipe.name, nodes=500, hash=1)
                    self.assertEqual(found.recipe, recipe.name)
                    self.assertTrue(found.best)

    def test_a_game_of_the_library_equals_the_same_game_in_python(self):
        for squares in ("", "1", "12", "5971"):
            game = TicTacToe()
            for square in squares:
                game = game.play(int(square) - 1)
            for recipe in ("pvs", "alphabeta", "pns", "df-pn"):
                limits = {"nodes": 500_000} if recipe.endswith("pns") else {"depth": 9}
                ours = cassius.search_game("tictactoe", squares, recipe=recipe, **limits)
                theirs = cassius.search(game, recipe=recipe, **limits)
                with self.subTest(squares=squares, recipe=recipe):
                    self.assertEqual((ours.value, ours.proven), (theirs.value, theirs.proven))

    def test_lines_are_told_and_exceptions_come_out(self):
        told = []
        found = cassius.search_game("connect4", "4455", depth=6, progress=told.append)
        self.assertEqual(told[-1].moves, found.lines[0].moves)
        self.assertEqual((found.proven, found.lines[0].end), ("win", 3))

        def progress(line):
            raise LookupError(line.moves[0])

        with self.assertRaises(LookupError):
            cassius.search_game("othello", nodes=10**12, progress=progress)

    def test_wrong_arguments_are_named(self):
        for message, arguments in [
            ("known games: connect4, othello", ["chequers"]),
            ("move 2: square 1 is taken; positions are written as the squares taken", ["tictactoe", "11"]),
            ("not a valid position of tree", ["tree", ""]),
        ]:
            with self.subTest(message), self.assertRaises(ValueError) as raised:
                cassius.search_game(*arguments)
            self.assertIn(message, str(raised.exception))


class Failures(unittest.TestCase):
    def test_exceptions_of_every_method_come_out(self):
        for name in ("moves", "play", "outcome", "key", "value"):
            for after in (0, 1, 7):
                for recipe in ("pvs", "alphabeta", "cns", "pns", "df-pn", "sss-star"):
                    asked = [0]

                    def fail(*_):
                        asked[0] += 1
                        if asked[0] > after:
                            raise LookupError(name)
                        return original(*_)

                    class Broken(Nim):
                        def value(self):
                            return 0

                    original = getattr(Broken, name)
                    setattr(Broken, name, fail)
                    uses = {"value": recipe in ("pvs", "alphabeta", "cns", "sss-star")}
                    uses["key"] = recipe not in ("alphabeta", "sss-star")
                    uses["outcome"] = after < 7
                    if not uses.get(name, True):
                        continue
                    with self.subTest(name=name, after=after, recipe=recipe):
                        try:
                            cassius.search(Broken(2, 3, 3), recipe=recipe, nodes=5_000)
                            self.assertLessEqual(asked[0], after)  # it was not needed so often
                        except LookupError as error:
                            self.assertEqual(error.args, (name,))
                            self.assertEqual(asked[0], after + 1)

    def test_a_callback_may_raise(self):
        def progress(_):
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            cassius.search(Nim(3, 4, 5), progress=progress)

    def test_wrong_answers_are_named(self):
        def broken(**methods):
            return type("Broken", (Nim,), {name: lambda *_, of=of: of for name, of in methods.items()})(1, 2)

        class Itself(Nim):
            def play(self, move):
                return self

        def nested(depth):
            return functools.reduce(lambda key, _: (key,), range(depth), 0)

        cassius.search(broken(key=nested(1_000)), depth=8)
        for error, message, game in [
            (TypeError, "as another object, not itself", Itself(1, 2)),
            (ValueError, "outcome.. must be 'win', 'draw' or 'loss'", broken(outcome="lost")),
            (ValueError, "not None", broken(outcome=None)),
            (ValueError, "not True", broken(outcome=True)),
            (ValueError, "from -28999 to 28999", broken(value=10**30)),
            (TypeError, "value.. must be an int, not False", broken(value=False)),
            (ValueError, "nested more than 1000 deep", broken(key=nested(1_001))),
            (TypeError, "value.. must be an int, not 0.5", broken(value=0.5)),
            (TypeError, "as another object, not None", broken(play=None)),
            (TypeError, "not iterable", broken(moves=5)),
            (TypeError, "key.. must be an int or hashable, not \\[\\]", broken(key=[])),
            (TypeError, "object has no play|int has no", 7),
        ]:
            with self.subTest(message), self.assertRaisesRegex(error, message):
                cassius.search(game, depth=8)

    def test_df_pn_refuses_wins_of_the_side_to_move(self):
        class Misere(Nim):
            def outcome(self):
                return "win"

        with self.assertRaisesRegex(ValueError, "use pns"):
            cassius.search(Misere(1, 2), recipe="df-pn")
        self.assertEqual(cassius.search(Misere(1, 2), recipe="pns").proven, "win")

    def test_wrong_arguments_are_named(self):
        for message, arguments in [
            ("needs recurring moves, noisy moves and checks", {"recipe": "bare"}),
            ("known recipes: pvs", {"recipe": "pvz"}),
            ("no limit of depth", {"recipe": "pns", "depth": 3}),
            ("no limit of depth", {"recipe": "uct", "depth": 3}),
            ("no parameter", {"parameters": {"Abc.wish": 3}}),
        ]:
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                cassius.search(Nim(1), **arguments)

    def test_other_threads_go_on(self):
        counts, ends = [0], threading.Event()

        def count():
            while not ends.is_set():
                counts[0] += 1
                time.sleep(0.001)

        for search in (
            lambda: cassius.search(Nim(9, 9, 9, 9), time=0.5),
            lambda: cassius.search_game("othello", time=0.5),
        ):
            thread = threading.Thread(target=count)
            thread.start()
            before = counts[0]
            search()
            counted = counts[0] - before
            ends.set()
            thread.join()
            ends.clear()
            self.assertGreater(counted, 10)

    def test_messages_name_what_is_wrong(self):
        class Unhashable(Nim):
            def key(self):
                return [1]

        with self.assertRaisesRegex(TypeError, "an object of the class Nim; this is the class itself"):
            cassius.search(Nim)
        with self.assertRaisesRegex(TypeError, r"key\(\) must be an int or hashable, not \[1\]"):
            cassius.search(Unhashable(3, 4))
        with self.assertRaisesRegex(TypeError, "made of what this package has found, not of 3"):
            cassius.frame(3)

    def test_an_interrupt_stops_a_search(self):
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt), interrupt(0.3):
            cassius.search(Nim(9, 9, 9, 9), time=60)
        self.assertLess(time.monotonic() - begin, 20)


if __name__ == "__main__":
    unittest.main()
