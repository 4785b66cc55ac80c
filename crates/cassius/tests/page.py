"""The page of `cassius annotate --html` in a real browser.

Stepping by keys, both themes, narrow and wide, nothing from a network.

    python page.py path/to/cassius [folder for screenshots]
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import chess.pgn
import io
from playwright.sync_api import sync_playwright

ENGINE = "target/release/cassius"
SHOTS = None

GAMES = """[White "Paul Morphy"]
[Black "</script><img src=x onerror=alert(1)>"]
[WhiteElo "2600"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0

[White "A"]
[Black "B"]
[FEN "8/P7/8/4k3/8/8/8/K7 b - - 0 40"]

40... Kd6 41. a8=Q Kc5 *
"""


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name) / "games.html"
        command = [ENGINE, "annotate", "-", "--html", str(cls.path), "--nodes", "20k", "--plan-nodes", "100"]
        subprocess.run(command, input=GAMES, text=True, check=True, capture_output=True)
        names = ["chromium", "google-chrome", "chromium-browser"]
        browser = next(filter(None, map(shutil.which, names)), None)
        if browser is None:
            raise SystemExit("error: the test of the page needs Chromium (Debian: chromium)")
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.folder.cleanup()

    def open(self, width=1280, height=900, scheme="light"):
        context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        self.addCleanup(context.close)
        page = context.new_page()
        self.wrong = []

        def on_console(message):
            if message.type == "error":
                self.wrong.append(message.text)

        def on_request(request):
            if not request.url.startswith("file:"):
                self.wrong.append(request.url)

        page.on("console", on_console)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("request", on_request)
        page.on("dialog", lambda dialog: self.wrong.append(dialog.message))
        page.goto(self.path.as_uri())
        return page

    def pieces(self, page):
        places = "cells => cells.map(it => [it.dataset.square, it.dataset.piece])"
        return dict(page.eval_on_selector_all("[data-piece]", places))

    def expect(self, page, board):
        expected = {chess.square_name(at): piece.symbol() for at, piece in board.piece_map().items()}
        self.assertEqual(self.pieces(page), expected)

    def test_every_position_is_shown(self):
        page = self.open()
        text = io.StringIO(GAMES)
        for number in range(2):
            page.select_option("#game", str(number))
            game = chess.pgn.read_game(text)
            board = game.board()
            self.expect(page, board)
            for move in game.mainline_moves():
                page.keyboard.press("ArrowRight")
                board.push(move)
                self.expect(page, board)
            page.keyboard.press("ArrowRight")  # the end
            self.expect(page, board)
            page.keyboard.press("Home")
            self.expect(page, game.board())
            page.keyboard.press("End")
            self.expect(page, board)
            page.keyboard.press("ArrowLeft")
            board.pop()
            self.expect(page, board)
            self.assertEqual(page.locator("#board > div").first.get_attribute("data-square"), "a8")
            page.keyboard.press("f")
            self.expect(page, board)
            self.assertEqual(page.locator("#board > div").first.get_attribute("data-square"), "h1")
            page.keyboard.press("f")
            page.locator("#moves button").first.click()
            self.assertEqual(page.locator("#moves button[aria-current]").count(), 1)
        self.assertEqual(self.wrong, [])

    def test_remarks_are_found_by_keys(self):
        page = self.open()
        page.keyboard.press("ArrowDown")
        current = page.locator("#moves button[aria-current]")
        self.assertEqual(current.locator("i").count(), 1, "a move with a remark")
        self.assertIn(current.locator("i").inner_text(), page.locator("#details").inner_text())
        self.assertGreater(page.locator("#tally td").count(), 10)
        moments = page.locator("#moments button")
        self.assertGreater(moments.count(), 0)
        moments.last.click()
        number = moments.last.inner_text().split(".")[0].lstrip("●□■ ")
        self.assertTrue(page.locator("#details").inner_text().startswith(number), number)
        self.assertEqual(page.locator("#moves button[tabindex='0']").count(), 1, "one stop of the tab key")
        # Names are text.
        self.assertIn("<img src=x", page.locator("#title").inner_text())
        self.assertEqual(page.locator("img").count(), 0)
        self.assertEqual(self.wrong, [])

    def test_it_fits_and_is_readable(self):
        papers = set()
        for width, height in [(1280, 900), (360, 780)]:
            for scheme in ["light", "dark"]:
                page = self.open(width, height, scheme)
                for ply in [0, 18, 33]:
                    page.keyboard.press("Home")
                    for _ in range(ply):
                        page.keyboard.press("ArrowRight")
                    self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
                    if SHOTS:
                        page.screenshot(path=f"{SHOTS}/{width}-{scheme}-{ply}.png", full_page=width < 500)
                page.click("#plans summary")
                for graph in ["#chances", "#errors", "#safety"]:
                    # Drawn anew whenever the page changes its size: what is read may be replaced.
                    drawn = "(graph) => document.querySelector(`${graph} polyline`)" \
                        "?.getBoundingClientRect().width > innerWidth / 4"
                    page.wait_for_function(drawn, arg=graph, timeout=5_000)
                paper = "getComputedStyle(document.body).backgroundColor"
                papers.add(page.evaluate(paper))
                before = page.evaluate(paper)
                page.click("#theme")
                self.assertNotEqual(page.evaluate(paper), before)
                self.assertEqual(self.wrong, [])
        self.assertEqual(len(papers), 2, "light and dark")


if __name__ == "__main__":
    ENGINE = sys.argv.pop(1) if len(sys.argv) > 1 else ENGINE
    SHOTS = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else None
    unittest.main()
