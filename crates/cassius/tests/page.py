"""The page of `cassius annotate --html` in a real browser.

Stepping by keys, lines on the board, both themes, narrow and wide, accessibility, nothing from a network.

    python page.py path/to/cassius [folder for screenshots]
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import chess.pgn
import io
from axe_playwright_python.sync_playwright import Axe

import chromium

ENGINE = "target/release/cassius"
SHOTS = None

GAMES = """[White "Paul Morphy"]
[Black "</script><img src=x onerror=alert(1)>"]
[WhiteElo "2600"]
[WhiteTitle "GM"]
[TimeControl "600+5"]

1. e4 { [%clk 0:09:58] } e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9.
Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17.
Rd8# 1-0

[White "A"]
[Black "B"]
[FEN "8/P7/8/4k3/8/8/8/K7 b - - 0 40"]

40... Kd6 41. a8=Q Kc5 *
"""

# The sizes of a desk and of a phone.
SIZES = [(1280, 800), (390, 844)]
# What must not move or change its size while one steps.
FIXED = ["#board", "#bar", "#moves", "#next", "#details", "#chances", "#moments"]


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name) / "games.html"
        command = [ENGINE, "annotate", "-", "--html", str(cls.path), "--nodes", "20k", "--plan-nodes", "100"]
        subprocess.run(command, input=GAMES, text=True, check=True, capture_output=True)
        cls.playwright, cls.browser = chromium.launch()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.folder.cleanup()

    def open(self, width=1280, height=900, scheme="light"):
        return chromium.open_file(self, self.path, width, height, scheme)

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
        # The numbers of the table lead from one error to the next.
        page.keyboard.press("Home")
        count = page.locator("#tally td:last-child button").first
        seen = []
        for _ in range(int(count.inner_text()) + 1):
            count.click()
            seen.append(current.inner_text())
            self.assertIn("?!", seen[-1])
        self.assertEqual(seen[0], seen[-1])
        self.assertEqual(len(set(seen)), len(seen) - 1)
        # Names are text.
        self.assertIn("<img src=x", page.locator("#title").inner_text())
        self.assertEqual(page.locator("img").count(), 0)
        self.assertEqual(self.wrong, [])

    def test_the_address_keeps_the_move(self):
        page = self.open()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        pieces = self.pieces(page)
        page.wait_for_function("location.hash === '#1.3'")
        page.select_option("#game", "1")
        page.wait_for_function("location.hash === '#2.0'")
        page.evaluate("location.hash = '#1.3'")
        page.wait_for_function("document.querySelector('#moves [aria-current]')?.dataset.ply === '3'")
        self.assertEqual(self.pieces(page), pieces)
        page.evaluate("location.hash = '#9.999'")  # the last game, its end
        page.wait_for_function("document.querySelector('#game').value === '1'")
        self.assertIn("Kc5", page.locator("#moves [aria-current]").inner_text())
        self.assertEqual(self.wrong, [])

    def lines(self, page):
        """The lines below the board: their buttons, but not those of the move that was played."""
        rows = page.locator("#lines > div")
        lines = []
        for row in range(rows.count()):
            buttons = rows.nth(row).locator("button:not(.played)")
            chips = rows.nth(row).get_attribute("class") == "chips"
            found = [buttons.nth(at) for at in range(buttons.count())]
            lines += [[chip] for chip in found] if chips else [found]
        return [line for line in lines if line]

    def test_lines_are_played_on_the_board(self):
        page = self.open()
        game = chess.pgn.read_game(io.StringIO(GAMES))
        before = game.board()
        played = 0
        for move in game.mainline_moves():
            page.keyboard.press("ArrowRight")
            after = before.copy()
            after.push(move)
            for line in self.lines(page):
                board = before.copy()
                for button in line:
                    board.push_san(button.inner_text().split()[-1])
                    button.click()
                    self.expect(page, board)
                    self.assertEqual(button.get_attribute("aria-current"), "step")
                    self.assertEqual(page.locator("#lines [aria-current]").count(), 1)
                    self.assertIn("Line, ", page.locator("#status").inner_text())
                    played += 1
                page.keyboard.press("Escape")
                self.expect(page, after)
                self.assertEqual(page.locator("#lines [aria-current]").count(), 0)
            before = after
        self.assertGreater(played, 100)
        self.assertEqual(self.wrong, [])

    def test_keys_step_inside_a_line(self):
        page = self.open()
        self.assertFalse(page.locator("#back").is_visible())
        for _ in range(22):  # 11... Nbd7, an error
            page.keyboard.press("ArrowRight")
        game = self.pieces(page)
        [line] = [line for line in self.lines(page) if len(line) > 2][:1]
        # By keys alone: the tab key reaches the move, the enter key plays it.
        line[0].focus()
        page.keyboard.press("Enter")
        one = self.pieces(page)
        self.assertTrue(page.locator("#back").is_visible())
        page.keyboard.press("ArrowRight")
        two = self.pieces(page)
        page.keyboard.press("ArrowLeft")
        self.assertEqual(self.pieces(page), one)
        page.keyboard.press("End")
        self.assertEqual(line[-1].get_attribute("aria-current"), "step")
        last = self.pieces(page)
        page.keyboard.press("ArrowRight")  # the end of the line
        self.assertEqual(self.pieces(page), last)
        page.keyboard.press("Home")
        start = self.pieces(page)
        page.keyboard.press("ArrowLeft")
        self.assertEqual(self.pieces(page), start)
        page.click("#next")
        page.click("#next")
        self.assertEqual(self.pieces(page), two)
        self.assertEqual(len({str(sorted(of.items())) for of in [game, one, two, last, start]}), 5)
        self.assertTrue(page.locator("#moves [aria-current]").inner_text().startswith("Nbd7"))
        page.click("#back")
        self.assertEqual(self.pieces(page), game)
        self.assertFalse(page.locator("#back").is_visible())
        page.keyboard.press("ArrowLeft")  # in the game again
        self.assertTrue(page.locator("#moves [aria-current]").inner_text().startswith("Bxb5+"))
        line = self.lines(page)[0]
        line[0].click()
        page.locator("#moves button").first.click()  # leaves the line
        self.assertFalse(page.locator("#back").is_visible())
        self.assertEqual(self.wrong, [])

    def test_the_list_follows(self):
        inside = """() => {
            const [list, move] = ["#moves", "#moves [aria-current]"]
                .map((of) => document.querySelector(of).getBoundingClientRect());
            return move.top >= list.top && move.bottom <= list.bottom
                && move.left >= list.left && move.right <= list.right;
        }"""
        scrolled = "[document.querySelector('#moves').scrollTop, document.querySelector('#moves').scrollLeft]"
        for width, height in [(1280, 600), (390, 844)]:
            page = self.open(width, height)
            for _ in range(33):
                page.keyboard.press("ArrowRight")
                self.assertTrue(page.evaluate(inside))
            self.assertGreater(sum(page.evaluate(scrolled)), 0)
            page.keyboard.press("Home")
            self.assertEqual(page.evaluate(scrolled), [0, 0])
            page.keyboard.press("End")
            self.assertTrue(page.evaluate(inside))
            self.assertEqual(page.evaluate("scrollY"), 0)

    def test_nothing_jumps(self):
        for width, height in [*SIZES, (900, 1000), (1920, 1080)]:
            page = self.open(width, height)
            places = "all => all.map(of => { const box = document.querySelector(of).getBoundingClientRect();"\
                " return [of, box.x, box.y, box.width, of === '#details' ? 0 : box.height]; })"
            fixed = [of for of in FIXED if width > 1100 or of not in ["#chances", "#moments"]]
            at_start = page.evaluate(f"({places})({fixed})")
            for ply in range(33):
                page.keyboard.press("ArrowRight")
                self.assertEqual(page.evaluate(f"({places})({fixed})"), at_start, f"{width}, {ply + 1}")
                line = self.lines(page)[:1]
                for button in line[0] if line else []:
                    button.evaluate("button => button.click()")  # does not scroll to it
                    self.assertEqual(page.evaluate(f"({places})({fixed})"), at_start, f"line at {ply + 1}")

    def test_the_board_of_a_phone_stays_in_sight(self):
        page = self.open(390, 844)
        for _ in range(25):
            page.keyboard.press("ArrowRight")
        line = self.lines(page)[-1]
        line[1].click()
        for of in [page.locator("#board"), line[1]]:
            box = of.bounding_box()
            self.assertGreaterEqual(box["y"], 0)
            self.assertLessEqual(box["y"] + box["height"], 844)

    def test_the_players_and_the_bar(self):
        page = self.open()
        below, above = page.locator("#below"), page.locator("#above")
        self.assertEqual(below.locator(".title").inner_text(), "GM")
        self.assertEqual(below.locator(".elo").inner_text(), "2600")
        self.assertEqual(below.locator(".clock").inner_text(), "10:00")
        page.keyboard.press("ArrowRight")
        self.assertEqual(below.locator(".clock").inner_text(), "9:58")
        self.assertEqual(above.locator(".clock").inner_text(), "10:00")
        page.keyboard.press("End")
        bar = page.locator("#bar")
        self.assertEqual(bar.get_attribute("aria-valuenow"), "100")
        self.assertEqual(bar.inner_text().strip(), "mate")
        self.assertIn("checkmate", page.locator("#told").inner_text())
        page.keyboard.press("f")
        self.assertIn("Morphy", above.inner_text())
        self.assertIn("C41", page.locator("#about").inner_text())
        # What is asked of the side that moves next.
        for _ in range(11):
            page.keyboard.press("ArrowLeft")
        self.assertIn("White has to find an only move", page.locator("#told .care.only").inner_text())

    def test_it_is_accessible(self):
        found = {}
        for width, height in SIZES:
            for scheme in ["light", "dark"]:
                page = self.open(width, height, scheme)
                for details in page.locator("summary").all():
                    details.click()
                for ply in [0, 22, 25]:
                    page.keyboard.press("Home")
                    for _ in range(ply):
                        page.keyboard.press("ArrowRight")
                    for in_line in [False, True] if ply else [False]:
                        if in_line:
                            self.lines(page)[-1][-1].click()
                        for finding in Axe().run(page).response["violations"]:
                            nodes = [node["html"][:120] for node in finding["nodes"][:3]]
                            found.setdefault((finding["impact"], finding["id"]), (width, scheme, ply, nodes))
        for (impact, name), where in sorted(found.items()):
            print(f"accessibility, {impact}: {name} {where}", file=sys.stderr)
        self.assertEqual([of for of in found if of[0] in ["serious", "critical"]], [])

    def test_it_fits_and_is_readable(self):
        papers = set()
        for width, height in [*SIZES, (360, 780), (768, 1024)]:
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
                    drawn = "(graph) => document.querySelector(`${graph} svg`)" \
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
