//! Recorded alpha-beta-conspiracy searches as printed, and the games they are tested on.

use super::*;
use cassius_games::Tree;
use cassius_games::explicit::NodeId;
use cassius_search::alpha_beta::horizon::{Abc, Safety};
use cassius_search::alpha_beta::observe::{Recorded, TreeRecorder};
use cassius_search::alpha_beta::windows::WholeWindow;

type Record<G> = TreeRecorder<G>;
pub type AsPrinted<G> = Plain<Always<Abc>, WholeWindow, Off, Through, Off, Off, Record<G>>;

pub fn abc_slots<G: Static + Keyed>(abc: Abc, depths: Depths, window: Window) -> Slots<G, AsPrinted<G>> {
    Slots { horizon: always(abc, depths), aspiration: Through(window), ..Slots::new(Statics, Off, Off) }
}

/// A search through the whole window and then one through `window`, with value and tree of each.
pub struct Searched<G> {
    pub value: Score,
    pub tree: Vec<Recorded<G>>,
}

/// The whole window always comes first, `window` second.
pub fn search_twice<G: Static + Keyed>(
    position: &G,
    abc: Abc,
    depths: Depths,
    window: Window,
) -> [Searched<G>; 2] {
    let mut slots = abc_slots(abc, depths, window);
    let said = run_to(&mut slots, position, 2);
    let trees = slots.observe.nodes;
    let roots: Vec<usize> = (0..trees.len()).filter(|i| trees[*i].ply == 0).collect();
    let part = |from: usize, to: usize| {
        let shift = |node: &Recorded<G>| Recorded { parent: node.parent.map(|p| p - from), ..node.clone() };
        let tree: Vec<_> = trees[from..to].iter().map(shift).collect();
        Searched { value: tree[0].value.expect("a finished search"), tree }
    };
    let end = roots.get(2).copied().unwrap_or(trees.len());
    let [first, second] = [part(roots[0], roots[1]), part(roots[1], end)];
    assert_eq!(said.lines(1)[0].score, first.value);
    [first, second]
}

pub fn children<G>(tree: &[Recorded<G>], node: usize) -> impl Iterator<Item = usize> + '_ {
    (node + 1..tree.len())
        .take_while(move |i| tree[*i].ply > tree[node].ply)
        .filter(move |i| tree[*i].parent == Some(node))
}

pub fn trees() -> impl Strategy<Value = Tree> {
    let node = (any::<prop::sample::Index>(), -4..5i32);
    prop::collection::vec(node, 1..90).prop_map(|nodes| {
        let mut tree = Tree::new("", Score(0));
        let mut ids = vec![NodeId::ROOT];
        for (parent, value) in nodes {
            // Parents are chosen among the last few nodes: deep rather than broad trees.
            let last = &ids[ids.len().saturating_sub(12)..];
            ids.push(tree.add(*parent.get(last), "", Score(value)));
        }
        tree
    })
}

pub fn safeties() -> impl Strategy<Value = Safety> {
    prop_oneof![
        Just(Safety::half()),
        Just(Safety::any_option()),
        Just(Safety::one()),
        (1f64..60.0, 1usize..9).prop_map(|(gamma, branching)| Safety::Power { gamma, branching }),
        Just(Safety::Table(vec![0.0, 0.4, 0.65, 0.9, 0.95, 1.0])),
    ]
}

/// Targets in quarters of a ply.
pub fn targets(most: i32) -> impl Strategy<Value = Depths> {
    let quarter = |q: i32| Depth(q * Depth::PLY.0 / 4);
    (0..=most, 0..=most)
        .prop_map(move |(lower, upper)| Depths { lower: quarter(lower), upper: quarter(upper) })
}

pub fn windows() -> impl Strategy<Value = Window> {
    let edge = prop_oneof![3 => -6..7i32, 1 => Just(-Score::INFINITE.0), 1 => Just(Score::INFINITE.0)];
    (edge.clone(), edge)
        .prop_filter("not empty", |(a, b)| a != b)
        .prop_map(|(a, b)| Window::new(Score(a.min(b)), Score(a.max(b))))
}
