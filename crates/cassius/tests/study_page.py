"""The page of `cassius study show --html` in a real browser.

Walking the tree, what the verdict hangs on, both themes, narrow and wide, accessibility, nothing from a
network.

    python study_page.py path/to/cassius [folder for screenshots]
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

from axe_playwright_python.sync_playwright import Axe

import chromium

ENGINE = "target/release/cassius"
SHOTS = None
ROOT = "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1"


class StudyPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name) / "study.html"
        study = str(pathlib.Path(cls.folder.name) / "my.study")
        grow = ["grow", study, "--position", ROOT, "--nodes", "300", "--hash", "1", "--judgements", "60"]
        for command in [grow, ["show", study, "--html", str(cls.path)]]:
            subprocess.run([ENGINE, "study", *command], check=True, capture_output=True)
        cls.playwright, cls.browser = chromium.launch()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.folder.cleanup()

    def open(self, width=1280, height=900, scheme="light"):
        return chromium.open_file(self, self.path, width, height, scheme)

    def test_the_tree_is_walked(self):
        page = self.open()
        self.assertEqual(page.locator("#fen").inner_text(), ROOT)
        self.assertEqual(page.locator("#board div").count(), 64)
        self.assertEqual(page.locator("#board svg").count(), 24)
        edges = page.locator("#board small").all_inner_texts()
        self.assertEqual("".join(edges), "1234567h8gfedcba")  # Black is to move
        page.locator("#moves button").first.click()
        self.assertIn("1... ", page.locator("#line").inner_text())
        self.assertEqual(page.locator("#board .mark").count(), 2)
        page.keyboard.press("ArrowLeft")
        self.assertEqual(page.locator("#fen").inner_text(), ROOT)
        page.keyboard.press("ArrowRight")
        self.assertNotEqual(page.locator("#fen").inner_text(), ROOT)
        page.locator("#root").click()
        self.assertEqual(page.locator("#up").get_attribute("aria-disabled"), "true")
        page.locator("#moves button").first.focus()
        page.keyboard.press("Enter")
        self.assertNotEqual(page.evaluate("document.activeElement.tagName"), "BODY", "the focus stays")
        self.assertEqual(self.wrong, [])

    def test_what_it_hangs_on_is_shown(self):
        page = self.open()
        self.assertIn("best", page.locator("#sentence").inner_text())
        links = page.locator("#conspiracies button")
        self.assertGreater(links.count(), 0)
        after = 0
        for number in range(links.count()):
            text = links.nth(number).inner_text()
            links.nth(number).click()
            if "after " in text:
                after += 1
                line = page.locator("#line").inner_text().rsplit(":", 1)[0]
                moves = text.split("after ", 1)[1]
                self.assertEqual(line, moves, f"{line} | {text}")
        self.assertGreater(after, 0)
        chances = [float(cell.rstrip(" %").lstrip("< ")) for cell in
                   page.locator("#verdict td.bar").all_inner_texts()]
        self.assertAlmostEqual(sum(chances), 100, delta=1)
        self.assertEqual(self.wrong, [])

    def test_it_fits_and_is_accessible(self):
        for width, height in [(1280, 800), (390, 844)]:
            for scheme in ["light", "dark"]:
                with self.subTest(width=width, scheme=scheme):
                    page = self.open(width, height, scheme)
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    self.assertLessEqual(wide, width)
                    found = Axe().run(page).response["violations"]
                    self.assertEqual([(rule["id"], rule["nodes"][0]["html"]) for rule in found], [])
                    if SHOTS:
                        page.screenshot(path=SHOTS / f"study-{width}-{scheme}.png", full_page=True)


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        ENGINE = sys.argv.pop(1)
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        SHOTS = pathlib.Path(sys.argv.pop(1))
    unittest.main()
