"""The package as a whole: its names, stubs, examples, and tables."""

import ast
import dataclasses
import doctest
import importlib
import inspect
import pathlib
import pkgutil
import subprocess
import sys
import typing
import unittest

import cassius
from cassius import _native

FOLDER = pathlib.Path(cassius.__file__).parent
MODULES = [
    importlib.import_module(f"cassius.{module.name}")
    for module in pkgutil.iter_modules([str(FOLDER)])
    if module.name != "_native"
]


def public(names):
    return {name for name in names if not name.startswith("_")}


class Names(unittest.TestCase):
    def test_stubs_agree_with_the_module(self):
        stub = ast.parse((FOLDER / "_native.pyi").read_text())
        names, members = set(), {}
        for node in stub.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names.add(node.name)
            if isinstance(node, ast.ClassDef):
                members[node.name] = {of.name for of in node.body if isinstance(of, ast.FunctionDef)}
            if isinstance(node, ast.AnnAssign):
                names.add(node.target.id)
        self.assertEqual(names, public(dir(_native)))
        for name, stated in members.items():
            self.assertEqual(public(stated), public(dir(getattr(_native, name))), name)
        for node in stub.body:
            if isinstance(node, ast.FunctionDef):
                stated = [argument.arg for argument in node.args.args]
                text = getattr(_native, node.name).__text_signature__ or "()"
                actual = [part.split("=")[0].strip() for part in text.strip("()").split(",")]
                self.assertEqual(stated, [part for part in actual if part], node.name)

    def test_public_names_are_documented_and_typed(self):
        self.assertTrue((FOLDER / "py.typed").exists())
        self.assertEqual(cassius.__all__, sorted(cassius.__all__))
        for name in cassius.__all__:
            found = getattr(cassius, name)
            if inspect.isfunction(found) or inspect.isclass(found):
                self.assertTrue(found.__doc__, name)
            if inspect.isfunction(found):
                self.assertIn("return", found.__annotations__, name)

    def test_types_hold(self):
        checker = subprocess.run([sys.executable, "-m", "mypy", "--version"], capture_output=True)
        if checker.returncode:
            self.skipTest("mypy is not installed")
        checked = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "-p", "cassius"], capture_output=True, text=True
        )
        self.assertEqual(checked.returncode, 0, checked.stdout)
        example = pathlib.Path(__file__).parent / "typed.py"
        checked = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", str(example)], capture_output=True, text=True
        )
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_the_version_is_that_of_the_wheel(self):
        from importlib.metadata import version

        self.assertEqual(cassius.__version__, version("cassius"))


class Examples(unittest.TestCase):
    def test_examples_hold(self):
        tried = 0
        for module in [cassius, *MODULES]:
            result = doctest.testmod(module)
            self.assertEqual(result.failed, 0, module.__name__)
            tried += result.attempted
        self.assertGreater(tried, 20)

    def test_the_readme_holds(self):
        readme = pathlib.Path(__file__).parent.parent / "README.md"
        result = doctest.testfile(str(readme), module_relative=False)
        self.assertEqual(result.failed, 0)
        self.assertGreater(result.attempted, 10)

    def test_it_works_without_python_chess(self):
        code = (
            "import sys; sys.modules['chess'] = None; import cassius\n"
            "print(cassius.analyse('6k1/5ppp/8/8/8/8/8/R6K w - - 0 1', depth=3).best)\n"
            "print(cassius.annotate('1. e4 *', nodes=500, plan_nodes=0)[:4])"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertTrue(done.stdout.startswith("a1a8\n"), done.stdout)


class Tables(unittest.TestCase):
    def test_results_become_rows(self):
        from cassius.frames import rows

        found = cassius.analyse("startpos", nodes=5_000, lines=3)
        self.assertEqual([row["number"] for row in rows(found)], [0, 1, 2])
        self.assertEqual(len(rows([found, found])), 6)
        self.assertIn("score.centipawns", rows(found)[0])
        game = cassius.judge_game("1. f3 e5 2. g4 Qh4# 0-1", nodes=2_000, plan_nodes=0)
        self.assertEqual([row["san"] for row in rows(game)], ["f3", "e5", "g4", "Qh4#"])
        with self.assertRaisesRegex(TypeError, "what this package has found"):
            rows([7])

    def test_columns_are_always_the_same(self):
        from cassius.frames import rows

        line = cassius.analyse("startpos", nodes=2_000).lines[0]
        move = cassius.judge_game("1. f3 e5 *", nodes=2_000, plan_nodes=0).moves[0]
        study = cassius.Study("startpos", nodes=300).grow(cassius.judge, judgements=1)
        proof = cassius.prove_mate("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", certificate=True)
        whole = cassius.certify("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1").established
        score = cassius.Score(0, None, "white")
        for one, other in [
            (line, dataclasses.replace(line, score=None, plans=None)),
            (move, dataclasses.replace(move, safety=cassius.Safety(1.0, None))),
            (study.moves[0], dataclasses.replace(study.moves[0], score=None)),
            (whole, cassius.check(proof.certificate)),
            (score, cassius.Score(None, 3, "black")),
        ]:
            names = list(rows(one)[0])
            self.assertEqual(names, list(rows(other)[0]))
            self.assertGreater(len(names), 3)

    def test_empty_tuples_are_texts_where_the_field_says_so(self):
        from cassius.frames import rows

        row, = rows(dataclasses.replace(cassius.recipes()[0], parameters=(), differs=()))
        self.assertEqual((row["parameters"], row["differs"]), ((), ""))

    def test_absent_parts_are_known(self):
        from cassius.frames import PARTS

        found = {}
        for module in MODULES:
            for kind in filter(dataclasses.is_dataclass, vars(module).values()):
                for name, hint in typing.get_type_hints(kind).items():
                    parts = [part for part in typing.get_args(hint) if dataclasses.is_dataclass(part)]
                    if typing.get_origin(hint) is typing.Union and parts:
                        found[kind, name] = parts[0]
        del found[cassius.Explanation, "other"]  # a row of its own
        self.assertEqual(found, PARTS)

    def test_rows_become_a_table(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        table = cassius.frame(cassius.analyse("startpos", nodes=5_000, lines=3))
        self.assertEqual(list(table["number"]), [0, 1, 2])


if __name__ == "__main__":
    unittest.main()
