//! A line of a tree, with its positions.

use super::{NodeId, Payload, Tree};
use crate::alpha_beta::draws::Draws;
use crate::game::Game;

/// The line that was followed last. The next line is followed from the point where the two part.
pub struct Line<G: Game, D> {
    nodes: Vec<NodeId>,
    positions: Vec<G>,
    draws: D,
}

impl<G: Game, D: Draws<G>> Line<G, D> {
    /// Creates the line that consists of the root only. `before` lists the positions of the game before
    /// it.
    pub fn new(root: &G, before: &[G]) -> Self {
        let mut draws = D::default();
        draws.start(before);
        Line { nodes: vec![NodeId::ROOT], positions: vec![root.clone()], draws }
    }

    /// Follows `path`, which starts at the root.
    pub fn follow<P: Payload>(&mut self, tree: &Tree<G::Move, P>, path: &[NodeId]) {
        let common = self.nodes.iter().zip(path).take_while(|(a, b)| a == b).count();
        (common..self.nodes.len()).for_each(|_| self.draws.pop());
        self.nodes.truncate(common);
        self.positions.truncate(common);
        for &node in &path[common..] {
            let mut position = self.position().clone();
            self.draws.push(&position);
            position.play(tree.mv(node).expect("only the root has no move"));
            self.nodes.push(node);
            self.positions.push(position);
        }
    }

    /// Returns the last position of the line.
    pub fn position(&self) -> &G {
        self.positions.last().expect("a line begins with the root")
    }

    /// Returns the number of plies from the root.
    pub fn ply(&self) -> usize {
        self.positions.len() - 1
    }

    /// Whether `child`, a position one move after the last one, is a draw on this line.
    pub fn ends_in_draw(&mut self, child: &G) -> bool {
        let (position, ply) = (self.positions.last().expect("a line begins with the root"), self.ply());
        self.draws.push(position);
        let drawn = self.draws.is_draw(child, ply + 1);
        self.draws.pop();
        drawn
    }
}
