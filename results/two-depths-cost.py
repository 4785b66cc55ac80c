"""What a node costs with two depths: processor time beside that of the twin with one depth.

    target/python/bin/python results/two-depths-cost.py target/release/cassius

The twins of two-depths.md, with the values tuned with one depth (A) and with two (B), play 120 games at 5,000
nodes a move. Three positions of each game, drawn by lot, are then searched by both with 80,000 nodes, in
turn and with an empty table, each by a process of its own whose processor time is read. The mean of the
logarithm of the ratio is written to two-depths-cost.csv, in per cent, with half of its 95 % interval; the
positions count as independent. They are the same in every run; the times are those of the machine. Nothing
else should run meanwhile.
"""

import csv
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

import chess.pgn

HERE = pathlib.Path(__file__).parent
NODES = 80_000
MEN = {"all": range(33), "20 or more": range(20, 33), "10 to 19": range(10, 20), "fewer than 10": range(10)}


def players():
    """The twins with each set, as two-depths.md has them: {set: (two depths, one depth)}."""
    text = (HERE / "two-depths.md").read_text(encoding="utf-8")
    recipes = ("plies", "two-depths")
    one, two = (re.search(rf"`{recipe},([^`]*\d)`", text)[1].split(",") for recipe in recipes)
    shared = [setting.split("=")[0] for setting in one]
    own = [setting for setting in two if setting.split("=")[0] not in shared]
    common = [setting for setting in two if setting.split("=")[0] in shared]
    sets = {"A": one, "B": common}
    return {name: (["two-depths", *values, *own], ["plies", *values]) for name, values in sets.items()}


def positions(program, folder):
    """Three positions of each game that the twins with set A play."""
    two, one = (",".join(player) for player in players()["A"])
    match = [program, "match", two, one, "--nodes", "5k", "--pairs", "60", "--out", f"{folder}/games"]
    subprocess.run(match, check=True, stdout=subprocess.DEVNULL)
    random.seed(1)
    with open(f"{folder}/games.pgn", encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            board, fens = game.board(), []
            for move in game.mainline_moves():
                board.push(move)
                fens.append(board.fen())
            yield from random.sample(fens[8:-2], min(3, len(fens[8:-2])))


class Engine:
    """A process that searches with a player's recipe and parameters."""

    def __init__(self, program, player):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        recipe, *settings = player
        self.tell(f"setoption name Recipe value {recipe}")
        self.tell(f"setoption name Parameters value {','.join(settings)}")
        said = self.ask("isready", "readyok")
        if said:
            sys.exit(f"{recipe}: {said[-1]}")

    def tell(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def ask(self, line, last):
        self.tell(line)
        said = []
        while not said or not said[-1].startswith(last):
            said.append(self.process.stdout.readline().strip())
            if not said[-1]:
                sys.exit(f"the engine has ended: {' '.join(self.process.args)}")
        return said[:-1]

    def time(self, fen):
        """Processor time of one search, in seconds."""
        self.tell("ucinewgame")
        self.tell(f"position fen {fen}")
        self.ask("isready", "readyok")
        clock = ~self.process.pid << 3 | 2  # the processor time of that process
        begun = time.clock_gettime(clock)
        self.ask(f"go nodes {NODES}", "bestmove")
        return time.clock_gettime(clock) - begun


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        fens = list(positions(program, folder))
    with open(HERE / "two-depths-cost.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["quantity", "values", "men", "paper", "ours"])
        for name, twins in players().items():
            engines = [Engine(program, player) for player in twins]
            ratios = []
            for number, fen in enumerate(fens):
                times = {}
                for which in (0, 1) if number % 2 else (1, 0):
                    times[which] = engines[which].time(fen)
                men = sum(character.isalpha() for character in fen.split()[0])
                ratios.append((men, math.log(times[0] / times[1])))
            for men, counts in MEN.items():
                these = [ratio for count, ratio in ratios if count in counts]
                mean = sum(these) / len(these)
                deviation = math.sqrt(sum((ratio - mean) ** 2 for ratio in these) / (len(these) - 1))
                half = 1.96 * deviation / math.sqrt(len(these))
                more = 100 * math.expm1(mean)
                rows = {"positions": len(these), "more time a node, %": more, "±": 100 * half}
                for quantity, value in rows.items():
                    out.writerow([quantity, name, men, "", f"{value:.4g}"])
                print(f"{name}, {men} men: {rows}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: two-depths-cost.py PROGRAM")
    main(sys.argv[1])
