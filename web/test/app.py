"""The page of `web/` in a real browser: dropped games, moves on the board, explanations, offline, stop.

The page is served by a plain server of files, and by `cassius serve`. What it finds is compared with what the
program finds. Nothing but its own files is asked for.

    python app.py path/to/cassius path/to/web/dist [--shots=FOLDER]
"""

import functools
import http.server
import io
import json
import pathlib
import re
import socket
import subprocess
import sys
import threading
import unittest

import chess.pgn
from axe_playwright_python.sync_playwright import Axe

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "crates/cassius/tests"))
import chromium

ENGINE = "target/release/cassius"
DIST = "web/dist"
SHOTS = None

GAME = """[White "Paul Morphy"]
[Black "Duke of Brunswick"]
[WhiteElo "2600"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 1-0
"""
RETI = "7K/8/k1P5/7p/8/8/8/8 w - - 0 1"
QUICK = {"nodes": 200_000, "gameNodes": 30_000}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        handler = functools.partial(Quiet, directory=DIST)
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.address = f"http://127.0.0.1:{cls.server.server_port}/"
        cls.playwright, cls.browser = chromium.launch()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.server.shutdown()

    def open(self, width=1280, height=900, scheme="light", address=None, settings=QUICK, fragment=""):
        context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        self.addCleanup(context.close)
        context.add_init_script(f"localStorage.setItem('cassius.settings', '{json.dumps(settings)}')")
        page = context.new_page()
        self.wrong, self.asked = [], []
        address = address or self.address

        def on_console(message):
            if message.type == "error" and not context.offline:
                self.wrong.append(message.text)

        def on_request(request):
            self.asked.append(request.url)
            if not request.url.startswith((address, "blob:", "data:")):
                self.wrong.append(request.url)

        context.offline = False
        page.on("console", on_console)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        context.on("request", on_request)
        page.goto(address + fragment)
        page.wait_for_selector("#explain")
        page.wait_for_selector("cg-board piece")
        return page

    def pieces(self, page):
        found = page.eval_on_selector_all(
            "cg-board piece:not(.ghost, .fading)", "pieces => pieces.map(it => [it.cgKey, it.className])")
        letters = {"knight": "n"}
        board = {}
        for square, names in found:
            color, role = names.split()[:2]
            letter = letters.get(role, role[0])
            board[square] = letter.upper() if color == "white" else letter
        return board

    def wait(self, page, condition, timeout=10_000):
        """Waits until a condition holds. The page's policy forbids the way in which Playwright does it."""
        for _ in range(timeout // 50):
            if page.evaluate(condition):
                return
            page.wait_for_timeout(50)
        self.fail(f"{condition}: not within {timeout} ms")

    def expect(self, page, board):
        expected = {chess.square_name(at): piece.symbol() for at, piece in board.piece_map().items()}
        for _ in range(40):  # pieces glide
            if self.pieces(page) == expected:
                return
            page.wait_for_timeout(50)
        self.assertEqual(self.pieces(page), expected)

    def drop(self, page, content):
        page.evaluate("""(bytes) => {
            const data = new DataTransfer();
            data.items.add(new File([new Uint8Array(bytes)], "game.pgn"));
            window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
        }""", list(content))

    def play(self, page, san):
        page.fill("#san", san)
        page.press("#san", "Enter")
        page.press("#san", "Escape")

    def saved(self, page):
        with page.expect_download() as download:
            page.click("#save")
        return pathlib.Path(download.value.path()).read_text(encoding="utf-8")

    def paste(self, page, text):
        page.click("#paste")
        page.fill("#pasted", text)
        page.click("#take")

    def nodes_of(self, fen):
        """The nodes with which the program explains a position."""
        command = [ENGINE, "explain", fen, "--nodes", "200k", "--json"]
        return json.loads(subprocess.run(command, text=True, check=True, capture_output=True).stdout)["nodes"]

    def explain(self, page, timeout=60_000):
        page.click("#explain")
        page.wait_for_selector("#explanation .headline", timeout=timeout)

    def test_a_position_is_explained_as_by_the_program(self):
        page = self.open()
        self.assertTrue(page.locator("#welcome").is_visible())
        self.paste(page, RETI)
        self.explain(page)
        told = page.locator("#explanation").inner_text()
        self.assertIn(f"{self.nodes_of(RETI):,} nodes", told)
        self.assertIn("White must find Kg7: nothing else holds.", told)
        self.assertIn("Holds\nKg7", told)
        self.assertGreater(page.locator("#explanation .care.only").count(), 0)
        # Its lines are played on the board, and lead back.
        page.locator("#explanation .chips button").first.click()
        board = chess.Board(RETI)
        board.push_san("Kg7")
        self.expect(page, board)
        hint = page.locator("#hint")
        self.assertEqual(hint.inner_text(), "Black to move. Of the position before 1. Kg7:")
        page.keyboard.press("Escape")
        self.expect(page, chess.Board(RETI))
        self.assertIn("White must find Kg7", page.locator("#explanation").inner_text())
        self.assertFalse(hint.is_visible())
        self.assertEqual(self.wrong, [])

    def test_a_dropped_game_fills(self):
        page = self.open()
        self.drop(page, GAME.encode())
        self.wait(page, "document.querySelectorAll('#moves button').length === 16")
        self.assertIn("Morphy", page.locator("#title").inner_text())
        self.assertEqual(page.locator("#moves small:not(:empty)").count(), 0, "nothing is known yet")
        self.assertFalse(page.locator("#chances").is_visible())
        game = chess.pgn.read_game(io.StringIO(GAME))
        board = game.board()
        for move in game.mainline_moves():
            page.keyboard.press("ArrowRight")
            board.push(move)
            self.expect(page, board)
        page.click("#annotate")
        page.focus("#moves button >> nth=3")
        # It fills from the end, while one steps through it.
        self.wait(page, "document.querySelectorAll('#moves small:not(:empty)').length > 2")
        self.assertTrue(page.locator("#progress").is_visible())
        self.wait(page, "document.querySelector('#said').textContent.startsWith('Annotated')", 60_000)
        self.assertEqual(page.evaluate("document.activeElement.dataset.ply"), "4", "the focus stays")
        self.assertEqual(page.locator("#moves small:not(:empty)").count(), 16)
        self.assertGreater(page.locator("#moments button").count(), 0)
        self.assertTrue(page.locator("#chances").is_visible())
        saved = self.saved(page)
        command = [ENGINE, "annotate", "-", "--nodes", "30k"]
        own = subprocess.run(command, input=GAME, text=True, check=True, capture_output=True).stdout
        self.assertEqual(saved.strip(), own.strip(), "the very same annotations")
        # And here is explained too.
        page.click("#moves button >> nth=9")
        self.explain(page)
        self.assertIn("nodes", page.locator("#explanation").inner_text())
        self.assertEqual(self.wrong, [])

    def test_several_games_are_annotated_at_the_same_time(self):
        page = self.open(settings={**QUICK, "places": 2})
        games = "\n".join([GAME, "1. f3 e5 2. g4 Qh4# 0-1\n", "1. e4 c5 2. Nf3 *\n"])
        self.paste(page, games)
        self.assertEqual(page.locator("#game option").count(), 3)
        page.click("#annotate")
        self.explain(page)  # meanwhile
        page.select_option("#game", "1")
        self.wait(page, "document.querySelector('#said').textContent.startsWith('Annotated')", 60_000)
        self.assertEqual(page.locator("#moves small:not(:empty)").count(), 4)
        self.assertIn("last chance", page.locator("#moments").inner_text())
        saved = self.saved(page)
        command = [ENGINE, "annotate", "-", "--nodes", "30k"]
        own = subprocess.run(command, input=games, text=True, check=True, capture_output=True).stdout
        self.assertEqual(saved.split(), own.split(), "the very same annotations")
        self.assertEqual(self.wrong, [])

    def test_moves_are_played(self):
        page = self.open()
        board = chess.Board()
        for san in ["e4", "d5", "exd5"]:
            page.fill("#san", san)
            page.press("#san", "Enter")
            board.push_san(san)
            self.expect(page, board)
        page.fill("#san", "Ke3")
        page.press("#san", "Enter")
        self.assertIn("Ke3 is not a legal move here", page.locator("#said").inner_text())
        page.fill("#san", "")
        page.keyboard.press("Escape")
        page.locator("#title").click()
        # By the pointer.
        box = page.locator("cg-board").bounding_box()

        def point(square):
            file, rank = ord(square[0]) - ord("a"), int(square[1])
            return box["x"] + (file + 0.5) * box["width"] / 8, box["y"] + (8.5 - rank) * box["height"] / 8

        page.fill("#san", "Nc6")  # left there, and not played
        page.mouse.click(*point("d8"))
        page.mouse.click(*point("d5"))
        board.push_san("Qxd5")
        page.wait_for_timeout(300)
        self.expect(page, board)
        self.assertEqual(page.input_value("#san"), "")
        for _ in range(2):
            page.keyboard.press("ArrowLeft")
            board.pop()
        self.expect(page, board)
        # The address carries the position.
        self.wait(page, "location.hash === '#moves=e4+d5'")
        fragment = page.evaluate("location.hash")
        other = self.open(fragment=fragment)
        self.expect(other, board)
        # Two pieces to choose from.
        self.paste(other, "8/P6k/8/8/8/8/8/K7 w - - 0 1")
        box = other.locator("cg-board").bounding_box()
        other.mouse.click(*point("a7"))
        other.mouse.click(*point("a8"))
        other.click("dialog.promotion button >> text=knight")
        other.wait_for_timeout(300)
        self.assertEqual(self.pieces(other).get("a8"), "N")
        self.assertEqual(self.wrong, [])

    def test_moves_are_written_in_many_ways(self):
        page = self.open()
        fen = "4k3/8/8/4B3/8/2n5/1P6/4K2R w K - 0 1"
        for text, san in [("bxc3", "bxc3"), ("bc3", "bxc3"), ("Bc3", "Bxc3"), ("0-0", "O-O"), ("o-o", "O-O"),
                          ("RH8", "Rh8+"), ("e5c3", "Bxc3")]:
            self.paste(page, fen)
            self.play(page, text)
            board = chess.Board(fen)
            board.push_san(san)
            self.expect(page, board)
        self.paste(page, fen)
        page.fill("#san", "BXC3")
        page.press("#san", "Enter")
        self.assertRegex(page.locator("#said").inner_text(), r"^BXC3 may be \w+ or \w+\.$")
        self.expect(page, chess.Board(fen))
        self.assertEqual(self.wrong, [])

    def test_what_cannot_be_read_is_said(self):
        page = self.open()
        page.click("#paste")
        for text, why in [
            ("8/8/8/8/8/4k3/4x3/4K3 w - -", "unknown piece 'x'"),
            ("1. e4 e5 2. Ke3", "Ke3"),
            ("", "Neither a game"),
            ("1-0", "Neither a game"),
        ]:
            page.fill("#pasted", text)
            page.click("#take")
            self.assertIn(why, page.locator("#refused").inner_text())
        page.click("#close")
        self.expect(page, chess.Board())
        other = self.open(fragment="#fen=nonsense")
        self.assertIn("names no position", other.locator("#said").inner_text())
        self.expect(other, chess.Board())
        self.assertEqual(self.wrong, [])

    def test_a_game_that_was_brought_keeps_its_tags(self):
        page = self.open()
        self.paste(page, GAME)
        page.keyboard.press("End")
        page.fill("#san", "Bg5")
        page.press("#san", "Enter")  # a line: the game is not the user's own
        self.assertIn("Bg5", page.locator("#line").inner_text())
        saved = self.saved(page)
        self.assertIn('[WhiteElo "2600"]', saved)
        self.assertNotIn("Bg5", saved)
        self.assertEqual(self.wrong, [])

    def test_a_game_goes_on(self):
        page = self.open(settings={**QUICK, "nodes": 1_000_000})
        self.paste(page, '[White "A"]\n\n1. f3 e5')  # no result
        self.assertIn("without a result", page.locator("#said").inner_text())
        page.click("#annotate")
        self.wait(page, "document.querySelector('#said').textContent.startsWith('Annotated')", 60_000)
        page.keyboard.press("End")
        self.play(page, "g4")
        self.assertEqual(page.locator("#line").inner_text(), "")
        # Annotations that were not saved are not lost without a question.
        asked = []
        page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
        self.paste(page, RETI)
        self.assertEqual(asked, ["confirm"])
        saved = self.saved(page)
        self.assertRegex(saved, r'\[White "A"\](.|\n)*%safe(.|\n)*2\. g4 \*')
        # A mate ends the game, and an explanation goes on meanwhile.
        page.click("#explain")
        self.play(page, "Qh4")
        self.assertIn("Black won: checkmate.", page.locator("#told").inner_text())
        self.wait(page, "document.querySelector('#stop').hidden", 60_000)
        self.assertIn("is explained", page.locator("#said").inner_text())
        page.keyboard.press("ArrowLeft")
        self.assertEqual(page.locator("#explanation .headline").count(), 1)
        self.assertIn("Qh4# 0-1", self.saved(page))
        # Nothing is lost now, and a line is not in the file.
        self.play(page, "d5")
        self.assertNotIn("d5", self.saved(page))
        self.assertIn("the line on the board", page.locator("#said").inner_text())
        self.paste(page, RETI)
        self.expect(page, chess.Board(RETI))
        self.assertEqual(self.wrong, [])

    def test_settings_of_others_do_no_harm(self):
        page = self.open(settings={"sound": True, "elo": "x", "nodes": 200_000})
        self.assertEqual(page.input_value("#elo"), "1500")
        self.assertEqual(page.input_value("#nodes"), "200000")
        self.assertEqual(self.wrong, [])

    def test_several_files_are_read(self):
        page = self.open()
        page.set_input_files("#file", [
            {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
            for name, text in [("a.pgn", GAME), ("b.pgn", "1. e4 e5 2. Ke3 *\n\n1. d4 *")]])
        self.wait(page, "document.querySelectorAll('#game option').length === 2")
        self.assertIn("b.pgn: game 1", page.locator("#said").inner_text())
        self.saved(page)
        said = page.locator("#said").inner_text()
        self.assertEqual(said, "Not in the file: a game that could not be read.")
        self.assertEqual(self.wrong, [])

    def test_what_a_file_has_is_kept(self):
        page = self.open(settings={**QUICK, "gameNodes": 150_000})
        latin = GAME.replace("Paul Morphy", "Müller").replace("1. e4", "1. e4 { [%eval 0.2] }")
        self.drop(page, latin.encode("latin-1"))
        self.wait(page, "document.querySelector('#title').textContent.includes('Müller')")
        # Until all of it is annotated.
        page.click("#annotate")
        self.wait(page, "document.querySelectorAll('#moves small:not(:empty)').length > 1", 60_000)
        page.click("#stop")
        saved = self.saved(page)
        self.assertIn("Müller", saved)
        self.assertIn("[%eval 0.2]", saved)
        self.assertNotIn("[%safe", saved)
        self.assertIn("not annotated to the end", page.locator("#said").inner_text())
        page.evaluate("""() => {
            const data = new DataTransfer();
            data.items.add(new File([new Uint8Array(5_000_001)], "large.pgn"));
            window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
        }""")
        self.wait(page, "document.querySelector('#said').textContent.includes('more than 5 MB')")
        self.assertEqual(self.wrong, [])

    def test_an_explanation_is_of_one_place(self):
        page = self.open()
        self.paste(page, GAME)
        self.play(page, "d4")  # a line
        self.explain(page)
        self.assertEqual(page.evaluate("document.activeElement.id"), "explain", "the focus stays")
        hint, bar = page.locator("#hint"), page.locator("#bar")
        value = bar.get_attribute("aria-valuetext")
        self.assertNotEqual(value, "not known")
        self.assertFalse(hint.is_visible())
        page.keyboard.press("ArrowLeft")
        self.assertEqual(bar.get_attribute("aria-valuetext"), "not known")
        self.assertEqual(hint.inner_text(), "White to move.")
        page.keyboard.press("ArrowRight")
        self.assertEqual(bar.get_attribute("aria-valuetext"), value)
        self.play(page, "d5")
        self.assertEqual(bar.get_attribute("aria-valuetext"), "not known")
        self.assertEqual(hint.inner_text(), "White to move. Of the position before 1... d5:")
        page.focus("#line button >> nth=1")
        page.keyboard.press("ArrowLeft")
        self.assertTrue(page.evaluate("document.activeElement.closest('#line') !== null"), "the focus stays")
        self.assertEqual(self.wrong, [])

    def test_a_draw_that_nobody_claims_does_not_end_the_game(self):
        page = self.open()
        self.paste(page, "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *")
        for _ in range(8):
            page.keyboard.press("ArrowRight")
        hint = page.locator("#hint")
        claim = "A draw can be claimed: the position is on the board for the third time."
        self.assertEqual(hint.inner_text(), f"White to move. {claim}")
        self.explain(page)
        self.assertEqual(hint.inner_text(), claim)
        self.assertEqual(self.wrong, [])

    def test_a_search_is_stopped(self):
        page = self.open(settings={"nodes": 25_000_000, "gameNodes": 1_000_000})
        self.paste(page, GAME)
        for start in ["#explain", "#annotate", "#explain"]:
            page.click(start)
            page.wait_for_selector("#stop:visible")
            page.wait_for_timeout(300)
            page.click("#stop")
            page.wait_for_selector("#stop", state="hidden")
            self.assertEqual(page.locator("#said").inner_text(), "Stopped.")
        # And what comes next is answered.
        page.click("#set")
        page.select_option("#nodes", "200000")
        page.click("#settings button.main")
        self.explain(page)
        self.assertEqual(self.wrong, [])

    def test_it_works_offline(self):
        page = self.open()
        self.wait(page, "navigator.serviceWorker.controller !== null")
        page.context.offline = True
        page.context.set_offline(True)
        page.reload()
        page.wait_for_selector("cg-board piece")
        self.paste(page, RETI)
        self.explain(page)
        self.assertIn("Kg7", page.locator("#explanation").inner_text())

    def test_it_is_small(self):
        import gzip

        size = sum(len(gzip.compress(path.read_bytes(), 9)) for path in pathlib.Path(DIST).rglob("*")
                   if path.is_file())
        self.assertLess(size, 1_500_000)

    def test_it_is_accessible(self):
        for width, height in [(1280, 900), (390, 844)]:
            for scheme in ["light", "dark"]:
                page = self.open(width, height, scheme)
                shot = lambda name: SHOTS and page.screenshot(path=f"{SHOTS}/{name}-{width}-{scheme}.png")
                found = [("empty", Axe().run(page).response["violations"])]
                shot("empty")
                self.paste(page, GAME)
                page.click("#annotate")
                self.wait(page, "document.querySelector('#said').textContent.startsWith('Annotated')", 60_000)
                for _ in range(7):
                    page.keyboard.press("ArrowRight")
                self.explain(page)
                found.append(("explained", Axe().run(page).response["violations"]))
                shot("explained")
                wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                self.assertLessEqual(wide, 0, "nothing is cut off")
                page.click("#set")
                found.append(("settings", Axe().run(page).response["violations"]))
                shot("settings")
                for where, violations in found:
                    nodes = [node["html"][:150] for of in violations for node in of["nodes"][:3]]
                    self.assertEqual([of["id"] for of in violations], [], f"{where} {width} {scheme} {nodes}")
                self.assertEqual(self.wrong, [])

    def test_the_program_serves_it(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [ENGINE, "serve", "--port", str(port), "--page", DIST, "--jobs", "2"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as program:
            try:
                self.assertIn(f":{port}/", program.stderr.readline())
                page = self.open(address=f"http://localhost:{port}/")
                self.paste(page, RETI)
                self.explain(page)
                told = page.locator("#explanation").inner_text()
                self.assertIn(f"{self.nodes_of(RETI):,} nodes", told)
                self.assertTrue(any(url.endswith("/ask") for url in self.asked))
                self.paste(page, GAME)
                page.click("#annotate")
                self.wait(page, "document.querySelector('#said').textContent.startsWith('Annotated')", 60_000)
                self.assertEqual(self.wrong, [])
            finally:
                program.kill()


if __name__ == "__main__":
    ENGINE, DIST = sys.argv[1:3]
    del sys.argv[1:3]
    for option in [word for word in sys.argv if word.startswith("--shots=")]:
        sys.argv.remove(option)
        SHOTS = option.removeprefix("--shots=")
        pathlib.Path(SHOTS).mkdir(parents=True, exist_ok=True)
    unittest.main()
