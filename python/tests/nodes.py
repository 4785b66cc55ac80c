"""Work on several nodes of Ray, one of which dies: the same results as in one process.

`test_cluster.py` runs this in a process of its own.
"""

import pathlib
import tempfile
import unittest

import cassius
from cassius import cluster

FOOLS_MATE = "1. f3 e5 2. g4 Qh4# 0-1\n\n"


class Nodes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import ray
        from ray.cluster_utils import Cluster

        memory = {"object_store_memory": 100 << 20}
        head = {"num_cpus": 0, "include_dashboard": False, **memory}
        cls.cluster = Cluster(initialize_head=True, head_node_args=head)
        cls.nodes = [cls.cluster.add_node(num_cpus=1, **memory) for _ in range(2)]
        ray.init(address=cls.cluster.address, log_to_driver=False)
        cls.addClassCleanup(cls.cluster.shutdown)
        cls.addClassCleanup(ray.shutdown)

    def test_a_node_that_dies_costs_nothing(self):
        how = {"nodes": 100, "longest": 30}
        games = []
        for game in cluster.play(12, **how):
            games.append(game)
            if len(games) == 3:
                self.cluster.remove_node(self.nodes.pop(), allow_graceful=False)
        self.assertEqual(games, [cluster.play_game(number, **how) for number in range(12)])

    def test_annotated_games_come_in_order(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "games.pgn")
            path.write_text(FOOLS_MATE + "1. e4 e5 *\n")
            found = list(cluster.annotate(path, nodes=2_000, plan_nodes=0))
        alone = [cassius.annotate(game, nodes=2_000, plan_nodes=0) for game in (FOOLS_MATE, "1. e4 e5 *")]
        self.assertEqual(found, alone)

    def test_a_table_has_the_number_of_each_item(self):
        positions = ["startpos", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"]
        table = cluster.measure(cassius.analyse, positions, nodes=2_000, lines=2)
        self.assertEqual(list(table["item"]), [0, 0, 1, 1])
        self.assertEqual(table["score.mate"][2], 1)

    def test_a_study_grows_the_same_tree(self):
        alone = cassius.Study("startpos", nodes=300).grow(cassius.judge, judgements=8, at_once=3)
        study = cassius.Study("startpos", nodes=300)
        self.assertEqual(cluster.grow(study, judgements=8, at_once=3), alone)

    def test_exceptions_come_out_in_their_turn(self):
        found = cluster.annotate([FOOLS_MATE, "1. e4 e5 2. Ke3 *", FOOLS_MATE], nodes=1_000, plan_nodes=0)
        self.assertIn("Qh4#", next(found))
        with self.assertRaisesRegex(ValueError, "'Ke3' is not legal here"):
            next(found)


if __name__ == "__main__":
    unittest.main()
