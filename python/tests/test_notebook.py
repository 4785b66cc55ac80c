"""The notebook for newcomers: its cells are run, and it is kept without their outputs."""

import contextlib
import importlib.util
import io
import json
import pathlib
import unittest

NOTEBOOK = pathlib.Path(__file__).parent.parent / "examples" / "first-steps.ipynb"


class Notebook(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
    def test_its_cells_run(self):
        import matplotlib

        matplotlib.use("agg")
        names = {}
        with contextlib.redirect_stdout(io.StringIO()) as said:
            for cell in self.cells():
                exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
        import matplotlib.pyplot as plt

        self.assertEqual(len(plt.get_fignums()), 3)
        plt.close("all")
        self.assertIn("White must find Kg7", said.getvalue())
        self.assertEqual(len({answer.best for answer in names["answers"].values()}), 1)
        self.assertEqual(names["verdict"].moves[0].san, "Kg7")

    def test_it_is_kept_without_outputs(self):
        for cell in self.cells():
            self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None), cell["id"])

    def cells(self):
        cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
        return [cell for cell in cells if cell["cell_type"] == "code"]


if __name__ == "__main__":
    unittest.main()
