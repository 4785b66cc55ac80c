"""Does the same work in one process and on nodes of Ray, one of which is killed, and compares what comes out.

The nodes are processes of this machine: `python nodes.py --nodes 4 --games 200`. It needs Ray and
python-chess.
"""

import argparse
import functools
import pathlib
import shutil
import sqlite3
import tempfile
import time
from typing import Any, Callable, Iterable, List

import cassius
import ray
from cassius import cluster
from ray.cluster_utils import Cluster


def timed(what: str, work: Callable[[], Any]) -> Any:
    """Returns what is done, and says how long it took."""
    begin = time.perf_counter()
    done = work()
    print(f"  {what:<24} {time.perf_counter() - begin:7.1f} s", flush=True)
    return done


def killing(found: Iterable[str], after: int, kill: Callable[[], None]) -> List[str]:
    """Takes results, and kills a node after so many."""
    taken = []
    for result in found:
        taken.append(result)
        if len(taken) == after:
            kill()
    return taken


def main() -> None:
    """Compares games, annotated games and studies."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--nodes", type=int, default=4, help="nodes of Ray, each with one processor")
    options.add_argument("--games", type=int, default=200)
    options.add_argument("--limit", type=int, default=500, help="searched for each move")
    given = options.parse_args()

    memory = {"object_store_memory": 100 << 20}
    head = {"num_cpus": 0, "include_dashboard": False, **memory}
    local = Cluster(initialize_head=True, head_node_args=head)
    nodes = [local.add_node(num_cpus=1, **memory) for _ in range(given.nodes)]
    ray.init(address=local.address, log_to_driver=False)
    list(cluster.each(abs, range(4 * given.nodes)))  # the processes of the nodes have started

    def kill() -> None:
        local.remove_node(nodes.pop(), allow_graceful=False)
        print(f"  a node is killed; {len(nodes)} are left", flush=True)

    how = {"nodes": given.limit}
    print(f"{given.games} games at {given.limit} nodes a move")
    play = functools.partial(cluster.play_game, **how)
    one = timed("one process", lambda: list(map(play, range(given.games))))
    all_ = timed(f"{given.nodes} nodes", lambda: list(cluster.play(given.games, **how)))
    found = functools.partial(cluster.play, given.games, **how)
    some = timed("one of them is killed", lambda: killing(found(), given.games // 2, kill))
    print(f"  the same: {one == all_ == some}")
    nodes.append(local.add_node(num_cpus=1, **memory))

    amount = {"nodes": given.limit, "plan_nodes": 0}
    games = one[: max(2, given.games // 10)]
    print(f"{len(games)} games annotated")
    one = timed("one process", lambda: list(map(functools.partial(cassius.annotate, **amount), games)))
    found = functools.partial(cluster.annotate, games, **amount)
    some = timed(f"{given.nodes} nodes, one killed", lambda: killing(found(), len(games) // 2, kill))
    print(f"  the same: {one == some}")
    nodes.append(local.add_node(num_cpus=1, **memory))

    print("a study of 100 judgements at 20,000 nodes, four at once")
    folder = pathlib.Path(tempfile.mkdtemp())
    study = functools.partial(cassius.Study, "startpos", nodes=20_000)
    grow = functools.partial(study(folder / "one").grow, cassius.judge, judgements=100, at_once=4)
    one = timed("one process", grow)
    told: List[object] = []

    def tell(*judged: object) -> None:
        told.append(judged)
        if len(told) == 50:
            kill()

    grow = functools.partial(cluster.grow, study(folder / "some"), judgements=100, at_once=4, progress=tell)
    some = timed(f"{given.nodes} nodes, one killed", grow)
    files = [list(sqlite3.connect(folder / name).iterdump()) for name in ("one", "some")]
    print(f"  the same: {one == some and files[0] == files[1]}, in {len(files[0])} lines of SQL")
    shutil.rmtree(folder)
    ray.shutdown()
    local.shutdown()


if __name__ == "__main__":
    main()
