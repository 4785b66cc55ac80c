//! What a node of the search is: its kind, and what components see of it.

use crate::depth::Depth;
use crate::game::Game;
use crate::score::Score;
use crate::window::Window;

/// What a node may be, known at compile time.
///
/// Whether a node with a minimal window is expected to fail high (Knuth and Moore's type 2) or low (type 3)
/// is told at run time: one piece of machine code serves both and stays in the first-level cache.
pub trait NodeKind {
    /// The root: its moves are the ones that the caller allows.
    const ROOT: bool = false;
    /// The window is open: the node may lie on the principal variation (type 1).
    const PV: bool = false;
    /// Whether moves may be searched with other windows than the node's
    /// ([`Windows`](super::windows::Windows)).
    const VARIES: bool = true;
    /// The kind of the first child, and of the node itself once it is past the horizon.
    type First: NodeKind;
}

/// The root of the search.
pub enum Root {}
/// On the principal variation.
pub enum Pv {}
/// Searched with a minimal window.
pub enum Scout {}
/// The root, searched with a minimal window.
pub enum RootScout {}
/// The window is open, and every move is searched with the whole of it: plain alpha-beta from here on.
pub enum Whole {}

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
    type First = Pv;
}
impl NodeKind for Pv {
    const PV: bool = true;
    type First = Pv;
}
impl NodeKind for Scout {
    type First = Scout;
}
impl NodeKind for RootScout {
    const ROOT: bool = true;
    type First = Scout;
}
impl NodeKind for Whole {
    const PV: bool = true;
    const VARIES: bool = false;
    type First = Whole;
}

/// What a component sees of the node that it works at.
pub struct Node<'a, G: Game> {
    /// The position.
    pub position: &'a G,
    /// The window, for the side to move.
    pub window: Window,
    /// Plies from the root.
    pub ply: usize,
    /// Whether the window was open when the node was entered.
    pub pv: bool,
    /// The same, or whether it was once, as far as the memory knows: the position was on the principal
    /// variation.
    pub was_pv: bool,
    /// Whether the node is expected to fail high (Knuth and Moore's type 2).
    pub cut: bool,
    /// The remaining depth of a fail-high, the claim "at least β".
    pub fail_high_depth: Depth,
    /// The remaining depth of a fail-low, the claim "at most α".
    pub fail_low_depth: Depth,
    /// The static value, or a better estimate from the memory.
    pub static_eval: Score,
    /// Whether the static value has risen since the mover's last turn.
    pub improving: bool,
    /// Whether the memory names a move.
    pub has_hash_move: bool,
    /// Indices ([`MoveIndexed`](crate::game::MoveIndexed)) of the moves that led here, last first.
    pub previous: [Option<usize>; 2],
    /// How many nodes one ply below have failed high since the node above was entered.
    pub child_cutoffs: u32,
    /// Whether the null move was tried here and did not fail high: the other side threatens something.
    pub pass_failed: bool,
}

impl<'a, G: Game> Node<'a, G> {
    /// Returns a node past the horizon, of which nothing but its moves is of interest.
    pub(super) fn past_the_horizon(
        position: &'a G,
        window: Window,
        ply: usize,
        previous: [Option<usize>; 2],
        has_hash_move: bool,
    ) -> Self {
        Node {
            position,
            window,
            ply,
            pv: false,
            was_pv: false,
            cut: false,
            fail_high_depth: Depth::ZERO,
            fail_low_depth: Depth::ZERO,
            static_eval: Score::DRAW,
            improving: false,
            has_hash_move,
            previous,
            child_cutoffs: 0,
            pass_failed: false,
        }
    }
}

/// A move about to be tried.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// How many moves were tried before it.
    pub tried: usize,
    /// What the order says of it; greater is better.
    pub rank: i32,
}
