//! The lines in which an engine tells what it has found: `info depth 9 score cp 31 … pv e2e4 e7e5`.

use cassius_search::{Bound, Score};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A score as engines tell it, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Told {
    /// Hundredths of a pawn.
    Cp(i32),
    /// The number of moves to mate; negative if the side to move is mated, 0 if it is mated already.
    Mate(i32),
}

impl Told {
    /// Returns the score in our own scale.
    ///
    /// ```
    /// use cassius::peer::info::Told;
    /// use cassius_search::Score;
    /// assert_eq!(Told::Mate(3).score(), Score::win_in(5));
    /// assert_eq!(Told::Mate(-2).score(), Score::loss_in(4));
    /// assert_eq!(Told::Cp(31).score(), Score(31));
    /// ```
    pub fn score(self) -> Score {
        let plies = |moves: u32| (2 * moves as usize).min(cassius_search::MAX_PLY);
        match self {
            Told::Cp(score) => Score(score).clamp_estimate(),
            Told::Mate(moves @ 1..) => Score::win_in(plies(moves.unsigned_abs()) - 1),
            Told::Mate(moves) => Score::loss_in(plies(moves.unsigned_abs())),
        }
    }
}

/// What one `info` line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// The rank of the line; 1 for the best, and where the engine does not number its lines.
    pub multipv: usize,
    /// The number of the iteration, 0 if it is not told.
    pub depth: usize,
    /// The score.
    pub score: Told,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Wins, draws and losses in 1,000 games; `None` if they are not told, or are not of so many.
    pub wdl: Option<[u32; 3]>,
    /// Nodes searched so far, 0 if they are not told.
    pub nodes: u64,
    /// The moves of the line.
    pub pv: Vec<String>,
}

impl Info {
    /// Reads a line. Returns `None` if it is not an `info` line, or has no score.
    ///
    /// ```
    /// use cassius::peer::info::{Info, Told};
    /// let line = "info depth 9 multipv 2 score cp 31 wdl 90 880 30 nodes 700 pv e2e4 e7e5";
    /// let info = Info::parse(line).expect("a score");
    /// assert_eq!((info.multipv, info.score, info.wdl), (2, Told::Cp(31), Some([90, 880, 30])));
    /// assert_eq!(info.pv, ["e2e4", "e7e5"]);
    /// assert_eq!(Info::parse("info string score cp 31"), None);
    /// ```
    pub fn parse(line: &str) -> Option<Info> {
        let mut words = line.split_whitespace().peekable();
        if words.next() != Some("info") {
            return None;
        }
        let (mut score, mut bound, mut multipv, mut depth, mut wdl, mut nodes) =
            (None, Bound::Exact, 1, 0, None, 0);
        let mut pv = Vec::new();
        while let Some(word) = words.next() {
            match word {
                "score" => {
                    score = match (words.next(), words.next().and_then(|number| number.parse().ok())) {
                        (Some("cp"), Some(number)) => Some(Told::Cp(number)),
                        (Some("mate"), Some(number)) => Some(Told::Mate(number)),
                        _ => None,
                    }
                }
                "lowerbound" => bound = Bound::Lower,
                "upperbound" => bound = Bound::Upper,
                "multipv" => multipv = number(words.next())?,
                "depth" => depth = number(words.next()).unwrap_or(0),
                "nodes" => nodes = number(words.next()).unwrap_or(0),
                "wdl" => {
                    let mut next = || number(words.next());
                    let told = next().zip(next()).zip(next());
                    let told = told.map(|((wins, draws), losses): ((u32, u32), u32)| [wins, draws, losses]);
                    wdl = told.filter(is_whole);
                }
                "pv" => {
                    // The moves end where the next word of the protocol begins.
                    while let Some(mv) = words.next_if(|word| is_move(word)) {
                        pv.push(mv.to_string());
                    }
                }
                "string" => break, // the rest is free text
                _ => (),
            }
        }
        Some(Info { multipv, depth, score: score?, bound, wdl, nodes, pv })
    }

    /// Returns the length in moves of the mate that the line claims, if it is the best line and its score is
    /// exact. It is negative if the side to move is mated.
    ///
    /// ```
    /// use cassius::peer::info::Info;
    /// let mate = |line| Info::parse(line).and_then(|info| info.exact_mate());
    /// assert_eq!(mate("info depth 9 multipv 1 score mate 3 nodes 700 pv a1a8"), Some(3));
    /// assert_eq!(mate("info depth 9 score mate 3 lowerbound nodes 700"), None);
    /// assert_eq!(mate("info depth 9 score cp 120 nodes 700 pv a1a8"), None);
    /// ```
    pub fn exact_mate(&self) -> Option<i32> {
        match self.score {
            Told::Mate(moves) if self.multipv == 1 && self.bound == Bound::Exact => Some(moves),
            _ => None,
        }
    }
}

/// Whether chances are of about 1,000 games; they may have been rounded one by one.
fn is_whole(wdl: &[u32; 3]) -> bool {
    (998..=1002).contains(&wdl.iter().map(|part| u64::from(*part)).sum::<u64>())
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

/// Whether this may be a move, such as `e2e4`, `e7e8q`, or `0000`.
fn is_move(word: &str) -> bool {
    word == "0000" || matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8', ..])
}

/// The lines that an engine tells of a position.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// The last line of each rank, with its number among all lines.
    ranks: BTreeMap<usize, (usize, Info)>,
    /// Lines in whose place others were told, by their first moves.
    displaced: HashMap<String, (usize, Info)>,
    count: usize,
}

impl Lines {
    /// Adds a line. A bound, or a line without moves, does not replace a whole answer.
    pub fn add(&mut self, info: Info) {
        let is_whole = |info: &Info| info.bound == Bound::Exact && !info.pv.is_empty();
        let known = self.ranks.get(&info.multipv);
        if !is_whole(&info) && known.is_some_and(|(_, known)| is_whole(known)) {
            return;
        }
        self.count += 1;
        if let Some((number, before)) = self.ranks.insert(info.multipv, (self.count, info))
            && let Some(first) = before.pv.first()
        {
            self.displaced.insert(first.clone(), (number, before));
        }
    }

    /// Returns the last line of each rank. `best` is the move that the engine then chose: it stands for a
    /// first line without moves. A move that stands in two ranks, because the engine was stopped before it
    /// had told all lines anew, keeps the one that was told last. In the other one is the last line that was
    /// displaced, if its move is in no other rank.
    ///
    /// ```
    /// use cassius::peer::info::{Info, Lines};
    /// let mut lines = Lines::default();
    /// for line in [
    ///     "info depth 8 multipv 1 score cp 30 pv e2e4",
    ///     "info depth 8 multipv 2 score cp 10 pv d2d4",
    ///     "info depth 9 multipv 1 score cp 20 pv d2d4",
    /// ] {
    ///     lines.add(Info::parse(line).expect("a line"));
    /// }
    /// let found = lines.best_first("d2d4");
    /// let moves: Vec<_> = found.iter().map(|info| (info.depth, info.pv[0].as_str())).collect();
    /// assert_eq!(moves, [(9, "d2d4"), (8, "e2e4")]);
    /// ```
    pub fn best_first(self, best: &str) -> Vec<Info> {
        let Lines { mut ranks, mut displaced, .. } = self;
        if let Some((_, first)) = ranks.get_mut(&1)
            && first.pv.is_empty()
            && !best.is_empty()
        {
            first.pv.push(best.into());
        }
        let mut newest: Vec<(Reverse<usize>, usize)> =
            ranks.iter().map(|(rank, (number, _))| (Reverse(*number), *rank)).collect();
        newest.sort_unstable();
        let (mut named, mut twice) = (HashSet::new(), Vec::new());
        for (_, rank) in newest {
            if let Some(first) = ranks[&rank].1.pv.first()
                && !named.insert(first.clone())
            {
                twice.push(rank);
            }
        }
        displaced.retain(|first, _| !named.contains(first));
        let mut displaced: Vec<(usize, Info)> = displaced.into_values().collect();
        displaced.sort_unstable_by_key(|(number, _)| *number);
        for rank in twice {
            match displaced.pop() {
                Some(line) => ranks.insert(rank, line),
                None => ranks.remove(&rank),
            };
        }
        ranks.into_values().map(|(_, info)| info).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exact_mate(line: &str) -> Option<i32> {
        Info::parse(line)?.exact_mate()
    }

    #[test]
    fn mates_are_read() {
        for (line, mate) in [
            ("info depth 31 seldepth 12 multipv 1 score mate 5 nodes 9 nps 9 time 9 pv h5h7 g8h7", Some(5)),
            ("info score mate -2 depth 4\r\n", Some(-2)),
            ("info depth 0 score mate 0", Some(0)),
            ("info depth 4 multipv 2 score mate 5", None),
            ("info depth 4 score mate 5 upperbound nodes 3", None),
            ("info depth 4 lowerbound score mate 5", None),
            ("info depth 4 score cp 31990 wdl 1000 0 0", None),
            ("info score mate", None),
            ("info score mate soon", None),
            ("info score mate 99999999999", None),
            ("info string score mate 3", None),
            ("info score mate 3 string upperbound", Some(3)),
            ("bestmove a1a8 score mate 3", None),
            ("", None),
        ] {
            assert_eq!(exact_mate(line), mate, "{line}");
        }
    }

    #[test]
    fn words_after_the_line_are_read() {
        let info = Info::parse("info depth 7 score cp -12 pv e2e4 e7e5 nodes 90 wdl 1 2").expect("a score");
        assert_eq!((info.pv.len(), info.nodes, info.wdl, info.depth), (2, 90, None, 7));
    }

    proptest! {
        #[test]
        fn no_line_panics(line in "\\PC{0,80}", start in "(info )?(score )?(mate |cp )?") {
            if let Some(info) = Info::parse(&format!("{start}{line}")) {
                let _ = info.score.score();
            }
        }

        #[test]
        fn every_score_has_its_place(moves in any::<i32>(), cp in any::<i32>()) {
            let (mate, estimate) = (Told::Mate(moves).score(), Told::Cp(cp).score());
            prop_assert_eq!(mate > Score::DRAW, moves > 0);
            prop_assert!(mate.plies_to_end().is_some() && !estimate.is_decided());
        }

        /// A mate score is found whatever words surround it, and in any order.
        #[test]
        fn a_mate_is_found_among_other_words(
            mate in any::<i32>(),
            bound in prop::option::of(prop::sample::select(vec!["lowerbound", "upperbound"])),
            others in prop::collection::vec("(depth|seldepth|nodes|nps|time|hashfull) [0-9]{1,6}", 0..6),
            at in 0usize..7,
        ) {
            let mut parts = others.clone();
            let value = format!("score mate {mate} {}", bound.unwrap_or_default());
            parts.insert(at.min(others.len()), value);
            let line = format!("info {} pv e2e4", parts.join(" "));
            prop_assert_eq!(exact_mate(&line), bound.is_none().then_some(mate));
        }
    }
}
