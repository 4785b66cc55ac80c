//! What is seen while a study grows: a progress line, or with `--live` the whole terminal.

use super::show::{ForWhite, counted, heading, name, percent, rounded, sentence};
use crate::{Error, terminal};
use anyhow::ensure;
use cassius_chess::Move;
use cassius_search::study::{LeafId, Verdict};
use cassius_study::StudyFile;
use indicatif::ProgressBar;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Gauge, List, Paragraph, Row, Table, Wrap};
use ratatui::{DefaultTerminal, Frame};
use signal_hook::consts::TERM_SIGNALS;
use signal_hook::flag;
use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A leaf that is being judged.
pub struct InWork {
    /// The leaf.
    pub leaf: LeafId,
    /// The moves from the root, and what is asked there.
    pub name: String,
    /// The nodes that are allowed.
    pub effort: u64,
    /// Since when.
    pub since: Instant,
}

/// How far a study has grown.
#[derive(Default)]
pub struct Progress {
    /// The number of judgements in the file.
    pub judged: u64,
    /// The nodes that were searched in this run.
    pub nodes: u64,
    /// The time of this run.
    pub elapsed: Duration,
    /// What is being judged.
    pub in_work: Vec<InWork>,
}

impl Progress {
    fn speed(&self) -> f64 {
        self.nodes as f64 / self.elapsed.as_secs_f64().max(0.001)
    }
}

/// What is seen.
pub enum View {
    /// A progress line on standard error.
    Bar(ProgressBar),
    /// The whole terminal.
    Live(Box<Live>),
}

/// What is said once somebody wants it to end.
const ENDING: &str = "ending when these are judged";

impl View {
    /// Checks whether there is a terminal, if the whole of one is wanted.
    ///
    /// # Errors
    /// If there is none.
    pub fn is_possible(live: bool) -> Result<(), Error> {
        ensure!(!live || std::io::stdout().is_terminal(), "--live needs a terminal");
        Ok(())
    }

    /// Begins to show a study.
    ///
    /// # Errors
    /// If the whole terminal is wanted, and there is none.
    pub fn new(live: bool) -> Result<View, Error> {
        if !live {
            return Ok(View::Bar(terminal::progress(0)));
        }
        View::is_possible(live)?;
        let told = Arc::new(AtomicBool::new(false));
        for &signal in TERM_SIGNALS {
            flag::register(signal, told.clone())?;
        }
        let terminal = ratatui::try_init()?;
        Ok(View::Live(Box::new(Live { terminal, seen: None, notes: Vec::new(), ends: false, told })))
    }

    /// Says something.
    pub fn note(&mut self, text: &str) {
        match self {
            View::Bar(bar) => bar.suspend(|| terminal::note(format_args!("{text}"))),
            View::Live(live) => live.notes.push(text.to_string()),
        }
    }

    /// Makes a new verdict the next time, whatever was judged.
    pub fn renew(&mut self) {
        if let View::Live(live) = self {
            live.seen = None;
        }
    }

    /// Shows the present state. Returns whether somebody wants it to end: by a key, or as `ends` says.
    ///
    /// # Errors
    /// If the terminal cannot be written to.
    pub fn show(&mut self, file: &mut StudyFile, progress: &Progress, ends: bool) -> Result<bool, Error> {
        match self {
            View::Bar(bar) => {
                bar.set_position(progress.judged);
                let (positions, speed) = (file.study().len(), progress.speed());
                let ending = if ends { format!("; {ENDING}") } else { String::new() };
                let positions = counted(positions as u64, "position");
                bar.set_message(format!("{positions}, {speed:.0} nodes a second{ending}"));
                Ok(ends)
            }
            View::Live(live) => {
                let told = live.told.swap(false, Relaxed);
                live.end(told);
                live.ends |= ends;
                live.show(file, progress)
            }
        }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        match self {
            View::Bar(bar) => bar.finish_and_clear(),
            View::Live(_) => ratatui::restore(),
        }
    }
}

/// The whole terminal.
pub struct Live {
    terminal: DefaultTerminal,
    seen: Option<Seen>,
    notes: Vec<String>,
    ends: bool,
    /// Set by every signal that asks the program to end.
    told: Arc<AtomicBool>,
}

/// The last verdict.
struct Seen {
    verdict: Verdict<Move>,
    /// The nodes for each of its moves.
    nodes: Vec<Option<u64>>,
    /// When it was made, for how many judgements, and how long that took.
    at: Instant,
    judged: u64,
    took: Duration,
}

impl Live {
    /// Lets the judgements in work be the last if somebody breaks off. The second time the program ends.
    fn end(&mut self, breaks: bool) {
        if breaks && self.ends {
            ratatui::restore();
            std::process::exit(128 + 2); // as SIGINT would
        }
        self.ends |= breaks;
    }

    fn show(&mut self, file: &mut StudyFile, progress: &Progress) -> Result<bool, Error> {
        while event::poll(Duration::ZERO)? {
            // Windows also tells when a key is let go.
            if let Event::Key(key) = event::read()?
                && key.kind == KeyEventKind::Press
            {
                let breaks = key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
                self.end(breaks);
                self.ends |= matches!(key.code, KeyCode::Char('q') | KeyCode::Esc);
            }
        }
        // A verdict on a large study takes its time: at most a tenth of all.
        let is_old = self
            .seen
            .as_ref()
            .is_none_or(|seen| seen.judged != progress.judged && seen.at.elapsed() > 10 * seen.took);
        if is_old {
            let start = Instant::now();
            let verdict = file.verdict();
            let nodes = file.nodes_of(&verdict)?;
            let (at, judged, took) = (Instant::now(), progress.judged, start.elapsed());
            self.seen = Some(Seen { verdict, nodes, at, judged, took });
        }
        let Some(Seen { verdict, nodes, .. }) = &self.seen else { return Ok(self.ends) };
        let (notes, ends) = (&self.notes, self.ends);
        self.terminal.draw(|frame| draw(frame, file, (verdict, nodes), progress, notes, ends))?;
        Ok(self.ends)
    }
}

/// Draws everything.
fn draw(
    frame: &mut Frame<'_>,
    file: &StudyFile,
    (verdict, nodes): (&Verdict<Move>, &[Option<u64>]),
    progress: &Progress,
    notes: &[String],
    ends: bool,
) {
    let root = file.study().root();
    let strong = Style::new().add_modifier(Modifier::BOLD);
    let moves = (verdict.moves.len() as u16 + 3).min(12);
    let work = (progress.in_work.len() as u16 + 2).min(10);
    let [head, sure, table, hangs, judging, foot] = Layout::vertical([
        Constraint::Length(3),
        Constraint::Length(1),
        Constraint::Length(moves),
        Constraint::Min(4),
        Constraint::Length(work),
        Constraint::Length(2),
    ])
    .areas(frame.area());

    let title = vec![Line::from(root.to_string()), Line::styled(sentence(root, verdict), strong)];
    frame.render_widget(Paragraph::new(title).wrap(Wrap { trim: true }), head);
    let chance = f64::from(1.0 - verdict.doubt()).clamp(0.0, 1.0);
    let gauge = Gauge::default().ratio(chance).label(format!(" certainty {:.1} % ", 100.0 * chance));
    frame.render_widget(gauge, sure);

    let rows = verdict.moves.iter().zip(nodes).map(|(candidate, nodes)| {
        let value = candidate.value.map_or("–".to_string(), |value| ForWhite(root).pawns(value));
        let range = ForWhite(root).range(candidate.range);
        Row::new([name(root, candidate), value, range, percent(candidate.chance), rounded(*nodes)])
    });
    let widths = [12, 8, 20, 9, 7].map(Constraint::Length);
    let heads = Row::new(["move", "value", "80 % within", "best", "nodes"]).style(strong);
    frame.render_widget(Table::new(rows, widths).header(heads).block(Block::bordered()), table);

    let lines: Vec<Line<'_>> = verdict
        .conspiracies
        .iter()
        .flat_map(|conspiracy| {
            let members = conspiracy.members.iter().map(|member| {
                let named = super::show::describe(file, member);
                Line::from(named.map_or_else(|error| error.to_string(), |named| named.to_string()))
            });
            std::iter::once(Line::styled(heading(root, conspiracy), strong)).chain(members)
        })
        .collect();
    let block = Block::bordered().title("What it hangs on");
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }).block(block), hangs);

    let items = progress.in_work.iter().map(|work| {
        format!("{:>6.1} s  {} nodes  {}", work.since.elapsed().as_secs_f64(), work.effort, work.name)
    });
    let block = Block::bordered().title("Being judged");
    frame.render_widget(List::new(items).block(block), judging);

    let end = if ends { ENDING } else { "q: end" };
    let last = notes.last().cloned().unwrap_or_default();
    let foot_lines = vec![
        Line::from(format!(
            "{}, {}, {:.0} nodes a second, {} s   {end}",
            counted(verdict.positions as u64, "position"),
            counted(progress.judged, "judgement"),
            progress.speed(),
            progress.elapsed.as_secs()
        )),
        Line::from(last),
    ];
    frame.render_widget(Paragraph::new(foot_lines), foot);
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius_chess::Position;
    use cassius_search::Score;
    use cassius_search::study::{Errors, Growth, Steps};
    use cassius_study::{Found, Judge};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    /// Everything is on the screen, whatever its size.
    #[test]
    fn everything_is_drawn() {
        let path = std::env::temp_dir().join(format!("cassius-live-{}.study", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let root: Position = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1".parse().expect("a position");
        let mut file = StudyFile::create(&path, &root).expect("a new file");
        let judge = Judge { name: "by hand".into(), options: String::new() };
        // No leaf is judged again, so that moves are followed at once.
        let (errors, steps) = (Errors::default(), Steps { most: 1, ..Steps::default() });
        file.set(Growth::Weighted, errors, steps).expect("a file");
        for (name, value) in [("a1a7", 30), ("g8f8", -30), ("a1b1", 20)] {
            let asked = file.ask(1).expect("a file").remove(0);
            let best = asked.position.parse_uci(name).unwrap_or_else(|_| {
                *asked.position.legal_moves().iter().find(|mv| !asked.without.contains(mv)).expect("a move")
            });
            let found = Found { line: vec![best], ..Found::new(Score(value), asked.effort) };
            file.tell(asked.leaf, &judge, &found).expect("it was asked for");
        }
        let asked = file.ask(1).expect("a file").remove(0);
        let in_work = vec![InWork {
            leaf: asked.leaf,
            name: "after Kf8".into(),
            effort: asked.effort,
            since: Instant::now(),
        }];
        let progress = Progress { judged: 3, nodes: 300, elapsed: Duration::from_secs(2), in_work };
        let verdict = file.verdict();
        let nodes = file.nodes_of(&verdict).expect("a file");
        for (width, height) in [(100, 40), (40, 12), (10, 3), (1, 1)] {
            let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a screen");
            let notes = ["a note".to_string()];
            terminal
                .draw(|frame| draw(frame, &file, (&verdict, &nodes), &progress, &notes, false))
                .expect("it is drawn");
            let screen = terminal.backend().to_string();
            if width == 100 {
                for part in [
                    "Ra7",
                    "80 % within",
                    "nodes",
                    "What it hangs on",
                    "after Kf8",
                    "150 nodes a second",
                    "a note",
                ] {
                    assert!(screen.contains(part), "{part}: {screen}");
                }
            }
        }
        drop(file);
        std::fs::remove_file(path).expect("it is there");
    }
}
