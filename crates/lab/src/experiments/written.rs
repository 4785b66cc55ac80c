//! Writes random trees out, so that their strategies can be listed.

use crate::random::Random;
use cassius_games::Tree;
use cassius_games::explicit::NodeId;
use cassius_games::random_tree::RandomTree;
use cassius_search::{Game, Score, Static};

/// Returns the whole tree, with the static values of all its nodes. Its leaves are not terminal.
pub(super) fn tree(root: &RandomTree) -> Tree {
    let seen_by_max = |position: &RandomTree| match position.ply() % 2 {
        0 => position.static_value(),
        _ => -position.static_value(),
    };
    let mut tree = Tree::new("", seen_by_max(root));
    let mut open = vec![(*root, NodeId::ROOT)];
    let mut moves = Vec::new();
    while let Some((position, node)) = open.pop() {
        moves.clear();
        position.moves(&mut moves);
        for mv in &moves {
            let mut child = position;
            child.play(*mv);
            open.push((child, tree.add(node, "", seen_by_max(&child))));
        }
    }
    tree
}

/// Returns an irregular tree of 2 to `most` + 1 nodes, with values from −3 to 3. Each new node is a
/// child of one of the last five.
pub(super) fn irregular(most: u64, seed: u64) -> Tree {
    let mut random = Random(seed);
    let mut tree = Tree::new("", Score(0));
    let mut ids = vec![NodeId::ROOT];
    for _ in 0..=random.below(most) {
        let last = &ids[ids.len().saturating_sub(5)..];
        let parent = last[random.below(last.len() as u64) as usize];
        ids.push(tree.add(parent, "", Score(random.below(7) as i32 - 3)));
    }
    tree
}

/// Returns the same tree with terminal leaves, as a search sees it.
pub(super) fn finished(mut tree: Tree) -> Tree {
    let ends: Vec<NodeId> = tree.preorder().filter(|id| tree.node(*id).children().is_empty()).collect();
    ends.into_iter().for_each(|id| tree.end(id));
    tree
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius_games::random_tree::Values;
    use cassius_search::plans::strategy::minimax_value;
    use cassius_search::{Statics, minimax};

    #[test]
    fn the_value_is_that_of_the_game() {
        for seed in 0..50 {
            let root = RandomTree::new(Values::Independent, 3, 4, seed);
            let value = minimax(&root, &mut Statics, 4);
            assert_eq!(minimax_value(&tree(&root)), value);
            assert_eq!(minimax_value(&finished(tree(&root))), value);
        }
    }
}
