//! Values that need no engine: draws by rule, endgame tables, and mates proven by proof-number search. They
//! close a leaf.

use crate::Error;
use crate::setup::parse_count;
use cassius_chess::mate::{Aim, MateSearch, Winner};
use cassius_chess::tablebase::Tablebases;
use cassius_chess::{Move, Position};
use cassius_search::game::Repeats as _;
use cassius_search::proof::ProofTable;
use cassius_search::study::Asked;
use cassius_search::{Game as _, MAX_PLY, Nodes, Score};
use cassius_study::{Found, Judge};
use std::sync::Arc;

/// Where values are known from.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Values that need no engine")]
pub struct ProofArgs {
    /// Directories with Syzygy endgame tables, separated by `;` (or by `:`, except on Windows).
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
    /// Nodes for the search for a forced mate at each leaf, before an engine is asked; 0 for none.
    #[arg(long = "mate-nodes", value_name = "N", default_value = "10k", value_parser = parse_count)]
    mate_nodes: u64,
}

/// Endgame tables, and the effort for mates.
#[derive(Clone, Debug)]
pub struct Proofs {
    tables: Option<Arc<Tablebases>>,
    mate_nodes: u64,
}

impl ProofArgs {
    /// Opens the tables.
    ///
    /// # Errors
    /// If there are none.
    pub fn open(&self) -> Result<Proofs, Error> {
        let tables = self.syzygy.as_deref().map(Tablebases::open).transpose()?.map(Arc::new);
        Ok(Proofs { tables, mate_nodes: self.mate_nodes })
    }
}

impl Proofs {
    /// Returns the value of a leaf, if it is known for certain.
    pub fn of(&self, asked: &Asked<Position>) -> Option<(Judge, Found)> {
        self.by_rules(asked).or_else(|| self.by_tables(asked)).or_else(|| self.by_mate(asked))
    }

    fn by_rules(&self, asked: &Asked<Position>) -> Option<(Judge, Found)> {
        let is_drawn = asked.position.drawn_by_rule();
        is_drawn.then(|| proven("Rules of chess", asked, Score::DRAW, Vec::new(), 0))
    }

    fn by_tables(&self, asked: &Asked<Position>) -> Option<(Judge, Found)> {
        let ranked = self.tables.as_ref()?.rank(&asked.position).ok()?;
        let best = ranked.iter().find(|ranked| !asked.without.contains(&ranked.mv))?;
        best.is_certain().then(|| proven("Syzygy tables", asked, best.score(), vec![best.mv], 0))
    }

    fn by_mate(&self, asked: &Asked<Position>) -> Option<(Judge, Found)> {
        /// A table of this many MiB is more than the nodes need.
        const TABLE: usize = 1;
        if self.mate_nodes == 0 {
            return None;
        }
        for winner in [Winner::Mover, Winner::Other] {
            let limits = Nodes(self.mate_nodes);
            let mut search = MateSearch::new(ProofTable::new(TABLE).ok()?, &limits);
            let Some((plies, line)) = mate(&mut search, &asked.position, winner) else { continue };
            let is_left_out = line.first().is_some_and(|mv| asked.without.contains(mv));
            let (plies, line) = match winner {
                _ if !is_left_out => (plies, line),
                // Another move wins.
                Winner::Mover => continue,
                // All moves lose, and the longest defence is among those left out.
                Winner::Other => match longest(&mut search, asked) {
                    Some(longest) => longest,
                    None => continue,
                },
            };
            let value = match winner {
                Winner::Mover => Score::win_in(plies),
                Winner::Other => Score::loss_in(plies),
            };
            return Some(proven("Proof-number search", asked, value, line, search.nodes()));
        }
        None
    }
}

/// Returns the length of a mate in plies and its line, if one is found.
fn mate(search: &mut MateSearch<'_>, position: &Position, winner: Winner) -> Option<(usize, Vec<Move>)> {
    let mut mate = None;
    search.find(position, Aim::Any(winner.plies(MAX_PLY / 2)), &mut |_, found| mate = Some(found));
    mate.map(|mate| (mate.replayed.plies, mate.replayed.line))
}

/// Returns the longest mate after the moves that are not left out, if there is one after each.
fn longest(search: &mut MateSearch<'_>, asked: &Asked<Position>) -> Option<(usize, Vec<Move>)> {
    let mut longest = None;
    for mv in asked.position.legal_moves().into_iter().filter(|mv| !asked.without.contains(mv)) {
        let mut after = asked.position.clone();
        after.play(mv);
        let (plies, line) = mate(search, &after, Winner::Mover)?;
        if longest.as_ref().is_none_or(|(longest, _)| plies + 1 > *longest) {
            longest = Some((plies + 1, [vec![mv], line].concat()));
        }
    }
    longest
}

fn proven(name: &str, asked: &Asked<Position>, value: Score, line: Vec<Move>, nodes: u64) -> (Judge, Found) {
    let judge = Judge { name: name.into(), options: String::new() };
    let effort = asked.effort;
    (judge, Found { value, line, effort, nodes, depth: 0, wdl: None, proven: true })
}
