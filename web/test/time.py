"""How long the page takes in a browser, beside the program: to explain a position, and to annotate a game.

    python time.py path/to/cassius path/to/web/dist game.pgn
"""

import json
import re
import subprocess
import sys
import time

import app

POSITION = "r1bqkb1r/pppp1ppp/2n2n2/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R b KQkq - 5 4"


def native(*arguments, text=""):
    begun = time.monotonic()
    done = subprocess.run([app.ENGINE, *arguments], input=text, text=True, check=True, capture_output=True)
    return time.monotonic() - begun, done.stdout


def main():
    app.ENGINE, app.DIST, path = sys.argv[1:4]
    game = open(path).read()
    test = app.Page()
    app.Page.setUpClass()
    try:
        page = test.open(settings={})
        test.paste(page, POSITION)
        begun = time.monotonic()
        test.explain(page)
        explained = time.monotonic() - begun
        nodes = re.search(r"([\d,]+) nodes", page.locator("#explanation").inner_text()).group(1)
        own, text = native("explain", POSITION, "--json")
        print(f"explain:  browser {explained:.1f} s, program {own:.1f} s; nodes {nodes} and"
              f" {json.loads(text)['nodes']:,}")
        test.paste(page, game)
        moves = page.locator("#moves button").count()
        begun = time.monotonic()
        page.click("#annotate")
        test.wait(page, "document.querySelectorAll('#moves small:not(:empty)').length > 0", 60_000)
        first = time.monotonic() - begun
        test.wait(page, "document.querySelector('#said').textContent.startsWith('Annotated')", 600_000)
        annotated = time.monotonic() - begun
        with page.expect_download() as download:
            page.click("#save")
        saved = open(download.value.path()).read()
        own, text = native("annotate", "-", text=game)
        same = "the same" if saved.strip() == text.strip() else "OTHER"
        print(f"annotate: browser {annotated:.1f} s, program {own:.1f} s for {moves} moves of one side; the"
              f" first after {first:.1f} s; {same} annotations")
        assert not test.wrong, test.wrong
    finally:
        test.doCleanups()
        app.Page.tearDownClass()


if __name__ == "__main__":
    main()
