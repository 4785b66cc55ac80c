"""Compares the library's Monte Carlo tree search with that of OpenSpiel: equal time, games with both colours.

python compare/open_spiel.py connect4|hex [MILLISECONDS [GAMES]]
"""

import random
import subprocess
import sys
from pathlib import Path

import pyspiel

GAMES = {"connect4": ("connect_four", "", 2), "hex": ("hex(board_size=7)", "7 ", 1)}
MEMORY = 64  # MiB


class Ours:
    """Our search, in a process that answers a position a line."""

    def __init__(self, game: str, milliseconds: int):
        program = Path(__file__).parent / "target/release/cassius-compare"
        command = [program, "answer", game, "monte-carlo", str(milliseconds)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def move(self, position: str) -> tuple[str, int]:
        self.process.stdin.write(position + "\n")
        self.process.stdin.flush()
        move, nodes = self.process.stdout.readline().split()
        return move, int(nodes)


def theirs(game: pyspiel.Game, milliseconds: int, seed: int) -> pyspiel.MCTSBot:
    """Their search as their own example has it: UCT with a constant of 2, proofs, one random game a leaf."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    policy = pyspiel.ChildSelectionPolicy.UCT
    return pyspiel.MCTSBot(
        game, evaluator, 2.0, 10**9, MEMORY, True, seed, False, policy, milliseconds / 1000
    )


def name(state: pyspiel.State, action: int) -> str:
    """A move in our notation."""
    if state.get_game().get_type().short_name == "connect_four":
        return str(action + 1)
    return state.action_to_string(state.current_player(), action)


def play(ours: Ours, bot: pyspiel.MCTSBot, game: pyspiel.Game, title: str, our_player: int, seed: int):
    """Plays a game from a random opening, and returns our result: 1, 0.5 or 0."""
    _, prefix, plies = GAMES[title]
    state, moves = game.new_initial_state(), ""
    chance = random.Random(seed)
    while not state.is_terminal():
        actions = state.legal_actions()
        if plies > 0:
            action, plies = chance.choice(actions), plies - 1
        elif state.current_player() == our_player:
            move, _ = ours.move(prefix + moves)
            action = next(action for action in actions if name(state, action) == move)
        else:
            action = bot.step(state)
        moves += name(state, action)
        state.apply_action(action)
    return (state.returns()[our_player] + 1) / 2


def main() -> None:
    title, milliseconds, games = sys.argv[1], int((sys.argv[2:] or [100])[0]), int((sys.argv[3:] or [100])[0])
    if games < 4:
        sys.exit("GAMES must be 4 or more: pairs are compared")
    game, ours = pyspiel.load_game(GAMES[title][0]), Ours(title, milliseconds)
    pairs, results = [], {1.0: 0, 0.5: 0, 0.0: 0}
    for seed in range(games // 2):
        bots = [theirs(game, milliseconds, 2 * seed + player) for player in (0, 1)]
        both = [play(ours, bot, game, title, player, seed) for player, bot in enumerate(bots)]
        pairs.append(sum(both) / 2)
        for result in both:
            results[result] += 1
    mean = sum(pairs) / len(pairs)
    variance = sum((pair - mean) ** 2 for pair in pairs) / (len(pairs) - 1)
    error = 196 * (variance / len(pairs)) ** 0.5
    counts = f"+{results[1.0]} ={results[0.5]} -{results[0.0]}"
    simulations = theirs(game, milliseconds, 1).mcts_search(game.new_initial_state()).explore_count
    print(f"{title}, {milliseconds} ms a move, against OpenSpiel: {counts}, {100 * mean:.1f} % ± {error:.1f}")
    nodes = ours.move(GAMES[title][1])[1]
    print(f"simulations from the start: theirs {simulations}; our tree has {nodes} nodes")


if __name__ == "__main__":
    main()
