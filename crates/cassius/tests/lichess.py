"""`cassius lichess` with a stand-in for lichess.org and its broker of work.

    python lichess.py path/to/cassius
"""

import http.server
import json
import os
import queue
import re
import subprocess
import sys
import threading
import unittest

ENGINE = "target/release/cassius"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class Lichess(http.server.BaseHTTPRequestHandler):
    """Knows one token, keeps what is registered, and has the work of a queue."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body):
        data = json.dumps(body).encode() if body is not None else b""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def allowed(self):
        if self.headers.get("Authorization") == "Bearer lip_right":
            return True
        self.body()
        self.answer(401, {"error": "No such token"})
        return False

    def do_GET(self):
        if self.allowed():
            self.answer(200, self.server.engines)

    def do_PUT(self):
        if self.allowed():
            self.server.calls.append(("PUT", self.path, json.loads(self.body())))
            self.answer(200, {})

    def do_POST(self):
        if self.path == "/api/external-engine":
            if self.allowed():
                self.server.calls.append(("POST", self.path, json.loads(self.body())))
                self.answer(201, {})
        elif self.path == "/api/external-engine/work":
            self.server.secrets.add(json.loads(self.body())["providerSecret"])
            try:
                self.answer(200, self.server.work.get(timeout=0.5))
            except queue.Empty:
                self.answer(204, None)
        else:
            self.server.lines.put((self.path.split("/")[-1], list(self.chunks())))
            self.answer(200, {})

    def chunks(self):
        """The lines of a request that is sent piece by piece."""
        rest = b""
        while size := int(self.rfile.readline(), 16):
            rest += self.rfile.read(size)
            self.rfile.readline()
            self.server.heard.set()
            *lines, rest = rest.split(b"\n")
            yield from (line.decode() for line in lines)
        self.rfile.readline()


def job(name, session="one", moves=(), **limit):
    work = {"sessionId": session, "threads": 1, "hash": 16, "multiPv": 2, "variant": "chess",
            "initialFen": START, "moves": list(moves), **limit}
    return {"id": name, "work": work, "engine": {"id": "x"}}


class Provider(unittest.TestCase):
    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Lichess)
        self.server.handle_error = lambda *_: None  # the program was ended in the middle
        self.server.engines, self.server.calls, self.server.secrets = [], [], set()
        self.server.work, self.server.lines = queue.Queue(), queue.Queue()
        self.server.heard = threading.Event()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def start(self, token="lip_right"):
        url = f"http://127.0.0.1:{self.server.server_port}"
        command = [ENGINE, "lichess", "--lichess", url, "--broker", url, "--threads", "2", "--hash", "64"]
        environment = {**os.environ, "LICHESS_API_TOKEN": token}
        program = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        self.addCleanup(program.stderr.close)
        self.addCleanup(program.wait)
        self.addCleanup(program.kill)
        return program

    def test_positions_are_answered(self):
        self.start()
        self.server.work.put(job("a", depth=8))
        name, lines = self.server.lines.get(timeout=30)
        self.assertEqual(name, "a")
        for line in lines:
            self.assertRegex(line, r"^info .*depth \d+ .*score (cp|mate) -?\d+ .*pv [a-h]")
        self.assertIn("multipv 2", "\n".join(lines))
        [(method, _, registration)] = self.server.calls
        self.assertEqual((method, registration["name"]), ("POST", "Cassius"))
        self.assertEqual((registration["maxThreads"], registration["maxHash"]), (2, 64))
        self.assertEqual(self.server.secrets, {registration["providerSecret"]})
        self.assertRegex(registration["providerSecret"], r"^[0-9a-f]{64}$")

    def test_the_next_position_ends_the_last(self):
        self.start()
        self.server.work.put(job("endless"))
        self.assertTrue(self.server.heard.wait(30))
        self.server.work.put(job("mate", "two", ["f2f3", "e7e5", "g2g4"], depth=5))
        found = dict(self.server.lines.get(timeout=30) for _ in range(2))
        self.assertGreater(len(found["endless"]), 3)
        found_mate = [line for line in found["mate"] if re.search("score mate 1 .*pv d8h4", line)]
        self.assertGreater(len(found_mate), 0, found["mate"])
        self.assertFalse(any("pv d8h4" in line for line in found["endless"]), "no line of another position")

    def test_what_is_no_position_is_left_out(self):
        self.start()
        self.server.work.put(job("first", moves=["e2e4"], depth=3))
        self.assertGreater(len(self.server.lines.get(timeout=30)[1]), 0)
        wrong = job("wrong", depth=3)
        wrong["work"]["initialFen"] = "QQQQQQQQ/QQQQQQQQ/8/8/8/8/8/K6k w - - 0 1"
        for work in [wrong, job("illegal", moves=["e2e4", "e2e4"], depth=3)]:
            self.server.work.put(work)
            self.assertEqual(self.server.lines.get(timeout=30), (work["id"], []))
        self.server.work.put(job("right", moves=["e2e4"], depth=3))
        name, lines = self.server.lines.get(timeout=30)
        self.assertEqual((name, bool(lines)), ("right", True))

    def test_an_engine_of_the_same_name_is_replaced(self):
        self.server.engines = [{"id": "other", "name": "Other"}, {"id": "known", "name": "Cassius"}]
        self.start()
        self.server.work.put(job("a", nodes=1000))
        self.assertEqual(self.server.lines.get(timeout=30)[0], "a")
        [(method, path, _)] = self.server.calls
        self.assertEqual((method, path), ("PUT", "/api/external-engine/known"))

    def test_what_is_wrong_is_said(self):
        program = self.start("lip_wrong")
        _, told = program.communicate(timeout=30)
        self.assertNotEqual(program.returncode, 0)
        self.assertRegex(told, r"^error: http://127.* does not accept the engine: .*401.*\n$")


if __name__ == "__main__":
    ENGINE = sys.argv.pop(1) if len(sys.argv) > 1 else ENGINE
    unittest.main()
