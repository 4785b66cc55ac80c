//! `cassius game`: the same search for games other than chess.

mod output;

use super::certify::{self, WantedArgs};
use crate::clock::{Allowance, Clock};
use crate::setup::{LimitArgs, mib, parse_setting, switches};
use crate::{Error, terminal};
use anyhow::{Context as _, anyhow};
use cassius_games::{
    Capability, Connect4, Engine, Hex, Judge, Othello, Playable, RandomGame, RandomTree, Statics, TicTacToe,
    Tree, TreePosition,
};
use cassius_search::plans::certificate::{
    self, Certificate, Checking, Established, Referee as _, is_repeated_or_drawn,
};
use cassius_search::{Bound, Game, Keyed, MAX_PLY, Off, Report, Request, Score};
use std::collections::HashMap;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::str::FromStr;

/// Arguments of `cassius game`.
#[derive(Debug, clap::Args)]
pub struct GameArgs {
    #[command(subcommand)]
    command: GameCommand,
}

#[derive(Debug, clap::Subcommand)]
enum GameCommand {
    /// List the games with the notation of their positions, their capabilities, and their recipes.
    List {
        /// Print one JSON object per game.
        #[arg(long)]
        json: bool,
    },
    /// Search a position of a game.
    Search(SearchArgs),
    /// Search a position and write the plans that establish its value, for `cassius check`.
    Certify(GameCertifyArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
`cassius certify --help` explains certificates.

Examples:
  cassius game certify connect4 4455 --depth 2 --out four.txt
  cassius game certify tree 'A:0(B:1(E:0 F:1) C:0)' --out -
  cassius check four.txt")]
struct GameCertifyArgs {
    /// The game.
    #[arg(value_enum)]
    game: Kind,
    /// The position, in the notation shown by `cassius game list`; `-` for standard input. By default
    /// the start position, if the game has one.
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    #[command(flatten)]
    wanted: WantedArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Values are from the point of view of the side to move. The line below each variation shows how deep
the plans behind its value were searched. The plan of the side to move shows that the value is at
least this high, the other side's plan that it is at most this high. Moves are columns, squares,
labels, or numbers from 1.
Recipes and components that need a capability that the game lacks are refused; `cassius game list`
shows which recipes can play which games.
Without a limit, the search ends after a million nodes.

Examples:
  cassius game search connect4 4455
  cassius game search connect4 4453 --recipe lab --without NullMove --depth 10
  cassius game search othello f5d6c3 --depth 8
  cassius game search hex '5 c3' --recipe uct --nodes 200k
  cassius game search tictactoe 'X.. .O. ..X' --lines 3
  cassius game search random-tree 1,5,6 --recipe abc --with KBest
  cassius game search random-game 7,4,cycles=9 --recipe kaindl --nodes 20k --json
  cassius game search tree 'A:0(B:1(E:0 F:1) C:0)'
  cassius game search tree figure.txt --recipe scout")]
struct SearchArgs {
    /// The game.
    #[arg(value_enum)]
    game: Kind,
    /// The position, in the notation shown by `cassius game list`; `-` for standard input. By default
    /// the start position, if the game has one.
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    /// Number of best lines.
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=256),
    )]
    lines: u16,
    /// Print the results as one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    engine: GameEngineArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Engine")]
struct GameEngineArgs {
    /// Search recipe; `cassius game list` shows which recipes can play a game.
    #[arg(long, value_name = "NAME", default_value = "pvs")]
    recipe: String,
    /// Size in MiB of the transposition table, or of the tree or list of a best-first search; alphabeta,
    /// palphabeta and scout have none.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = mib())]
    hash: u32,
    /// Switch on a component of the recipe.
    #[arg(long, value_name = "COMPONENT", value_delimiter = ',')]
    with: Vec<String>,
    /// Switch off a component of the recipe.
    #[arg(long, value_name = "COMPONENT", value_delimiter = ',')]
    without: Vec<String>,
    /// Set a parameter of the recipe, such as NullMove.reduction=200; may be repeated.
    #[arg(
        long = "set", value_name = "COMPONENT.NAME=VALUE", value_parser = parse_setting,
        value_delimiter = ',',
    )]
    settings: Vec<(String, i32)>,
}

impl GameEngineArgs {
    fn build<G: Playable>(&self) -> Result<Engine<G>, Error> {
        let mut engine = Engine::new(&self.recipe, self.hash as usize)?;
        for (name, on) in switches(&self.with, &self.without)? {
            let option = if on { "--with" } else { "--without" };
            engine.switch(name, on).with_context(|| format!("{option} {name}"))?;
        }
        for (name, value) in &self.settings {
            engine.set_parameter(name, *value).with_context(|| format!("--set {name}={value}"))?;
        }
        Ok(engine)
    }
}

/// The games by name.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Kind {
    /// Connect Four.
    #[value(name = "connect4")]
    Connect4,
    /// Othello.
    Othello,
    /// Hex.
    Hex,
    /// Tic-tac-toe.
    #[value(name = "tictactoe")]
    TicTacToe,
    /// Uniform trees with random values from a seed.
    RandomTree,
    /// Irregular random games from a seed, with nearly every capability.
    RandomGame,
    /// Trees given as text.
    Tree,
}

/// The properties of a game that do not depend on a position.
struct Facts {
    game: Kind,
    called: &'static str,
    /// The notation of its positions.
    positions: &'static str,
    has: Vec<Capability>,
    /// Each recipe, and the capabilities that the game lacks for it.
    recipes: Vec<(&'static str, &'static str, Vec<Capability>)>,
}

impl Kind {
    fn facts(self) -> Facts {
        fn facts<G: Playable>(game: Kind, positions: &'static str) -> Facts {
            let recipes = G::recipes().into_iter();
            let recipes = recipes.map(|recipe| (recipe.name, recipe.summary, recipe.lacking())).collect();
            Facts { game, called: G::NAME, positions, has: G::capabilities(), recipes }
        }
        match self {
            Kind::Connect4 => facts::<Connect4>(
                self,
                "the columns played, 1 to 7, such as 4453, or the board: six rows of seven cells, each X, O \
                 or .",
            ),
            Kind::Othello => facts::<Othello>(
                self,
                "the moves played, such as f5d6c3, or the 64 squares in reading order, each X, O or -, \
                 followed by the side to move, X or O; values are in hundredths of a disc",
            ),
            Kind::Hex => facts::<Hex>(
                self,
                "the moves played, such as b4c3, after the number of rows, if it is not 11, and the word \
                 swap, if the second player may swap; or the board: rows of cells, each X, O or ., from \
                 top to bottom; X joins these, O the left and the right",
            ),
            Kind::TicTacToe => facts::<TicTacToe>(
                self,
                "the squares taken, 1 to 9 in reading order, such as 519, or the board: three rows of three \
                 squares, each X, O or .",
            ),
            Kind::RandomTree => facts::<RandomTree>(
                self,
                "seed,width,depth such as 1,5,6; a fourth field may be strongly-ordered or incremental",
            ),
            Kind::RandomGame => facts::<RandomGame>(
                self,
                "seed,branching such as 7,4; a third field may be layers=N or cycles=N, with N places",
            ),
            Kind::Tree => facts::<TreePosition<'static>>(
                self,
                "label:value with children in parentheses, such as 'A:0(B:1(E:0 F:1) C:0)', or a file with \
                 such a tree; values are for the side that moves first",
            ),
        }
    }

    fn name(self) -> String {
        use clap::ValueEnum as _;
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().into())
    }
}

/// Lists the games, or searches one.
pub fn run(args: GameArgs) -> Result<(), Error> {
    match args.command {
        GameCommand::List { json } => {
            use clap::ValueEnum as _;
            let mut out = anstream::stdout().lock();
            for game in Kind::value_variants() {
                match json {
                    true => writeln!(out, "{}", output::facts_json(&game.facts()))?,
                    false => write!(out, "{}", output::facts_text(&game.facts()))?,
                }
            }
            Ok(())
        }
        GameCommand::Search(args) => {
            let text = input(args.game, args.position.as_deref())?;
            args.game.visit(args.position.as_deref(), &text, Search { args: &args, text: &text })
        }
        GameCommand::Certify(args) => {
            let text = input(args.game, args.position.as_deref())?;
            args.game.visit(args.position.as_deref(), &text, Certify { args: &args, text: &text })
        }
    }
}

/// What is done with a position of a game, whichever game it is.
trait Visit {
    type Output;

    /// `board` is the drawn position, if the game has a board. `judge` names the moves.
    fn visit<G: Playable + Keyed, N: Fn(&G, G::Move) -> String>(
        self,
        position: &G,
        board: Option<String>,
        judge: Judge<G, N>,
    ) -> Result<Self::Output, Error>;
}

impl Kind {
    /// Parses a position, and passes it to the visitor; `named` is the argument on the command line.
    fn visit<V: Visit>(self, named: Option<&str>, text: &str, visitor: V) -> Result<V::Output, Error> {
        match self {
            Kind::Connect4 => {
                let position: Connect4 = read(self, named, text)?;
                visitor.visit(&position, Some(position.to_string()), Judge::new(column_name))
            }
            Kind::Othello => {
                let position: Othello = read(self, named, text)?;
                visitor.visit(&position, Some(position.to_string()), Judge::new(disc_name))
            }
            Kind::Hex => {
                let position: Hex = read(self, named, text)?;
                visitor.visit(&position, Some(position.to_string()), Judge::new(cell_name))
            }
            Kind::TicTacToe => {
                let position: TicTacToe = read(self, named, text)?;
                visitor.visit(&position, Some(position.to_string()), Judge::new(square_name))
            }
            Kind::RandomTree => {
                let root: RandomTree = read(self, named, text)?;
                visitor.visit(&root, None, Judge::new(branch_name))
            }
            Kind::RandomGame => {
                let root: RandomGame = read(self, named, text)?;
                visitor.visit(&root, None, Judge::with_draws(move_name, is_repeated_or_drawn))
            }
            Kind::Tree => {
                let tree: Tree = read(self, named, text)?;
                visitor.visit(&tree.root(), None, Judge::new(child_names(&tree)))
            }
        }
    }
}

/// The name, in a certificate, of the static values of these games.
const VALUES: &str = "the game's own";

struct Certify<'a> {
    args: &'a GameCertifyArgs,
    text: &'a str,
}

impl Visit for Certify<'_> {
    type Output = ();

    fn visit<G: Playable + Keyed, N: Fn(&G, G::Move) -> String>(
        self,
        position: &G,
        _: Option<String>,
        mut judge: Judge<G, N>,
    ) -> Result<(), Error> {
        let Certify { args, text } = self;
        certify::write(&args.wanted, position, &mut judge, |asked, abc, table, clock, judge| {
            let parts = (Statics, table);
            let tell = &mut |_: &Report<G::Move>| {};
            let mut found =
                certificate::certify::<G, G::Draws, Off, _>(position, asked, abc, parts, clock, judge, tell)?;
            let about = &mut found.certificate;
            (about.game, about.position, about.values) = (args.game.name(), text.into(), VALUES.into());
            Some(found)
        })
    }
}

/// Checks a certificate of one of these games.
pub fn check(found: &Certificate, how: &Checking) -> Result<Established, Error> {
    use clap::ValueEnum as _;
    let (text, kinds) = (found.position.as_str(), Kind::value_variants());
    let Some(&game) = kinds.iter().find(|kind| kind.name() == found.game) else {
        let names: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
        anyhow::bail!("unknown game; known games: chess, {}", names.join(", "));
    };
    anyhow::ensure!(
        found.values == VALUES,
        "its values are from `{}`, but this program only knows `{VALUES}`",
        found.values
    );
    game.visit(Some(text), text, Check { found, how })
}

struct Check<'a> {
    found: &'a Certificate,
    how: &'a Checking,
}

impl Visit for Check<'_> {
    type Output = Established;

    fn visit<G: Playable + Keyed, N: Fn(&G, G::Move) -> String>(
        self,
        position: &G,
        _: Option<String>,
        mut judge: Judge<G, N>,
    ) -> Result<Established, Error> {
        Ok(certificate::check_as(position, self.found, &mut judge, self.how)?)
    }
}

/// Formats a value in words.
pub fn value(score: Score) -> String {
    output::value(score, Some(Bound::Exact))
}

fn column_name(_: &Connect4, column: <Connect4 as Game>::Move) -> String {
    column.to_string()
}

fn disc_name(_: &Othello, mv: <Othello as Game>::Move) -> String {
    mv.to_string()
}

fn cell_name(_: &Hex, mv: <Hex as Game>::Move) -> String {
    mv.to_string()
}

fn square_name(_: &TicTacToe, square: <TicTacToe as Game>::Move) -> String {
    (square + 1).to_string()
}

fn branch_name(_: &RandomTree, child: <RandomTree as Game>::Move) -> String {
    (child + 1).to_string()
}

fn move_name(_: &RandomGame, mv: <RandomGame as Game>::Move) -> String {
    (u16::from(mv) + 1).to_string()
}

/// Names the branches of a tree by the labels of the nodes they lead to, or by their numbers from 1 where
/// that is no name: a label that is empty, a number, or that of another child too.
fn child_names(tree: &Tree) -> impl Fn(&TreePosition<'_>, u16) -> String {
    let mut names = vec![String::new(); tree.len()];
    for node in tree.preorder() {
        let children = tree.node(node).children();
        let mut uses = HashMap::new();
        for child in children {
            *uses.entry(tree.node(*child).label()).or_insert(0) += 1;
        }
        for (child, number) in children.iter().zip(1..) {
            let label = tree.node(*child).label();
            let is_name = uses[label] == 1 && !label.is_empty() && label.parse::<u32>().is_err();
            names[child.index()] = if is_name { label.into() } else { number.to_string() };
        }
    }
    move |position, child| {
        let mut below = *position;
        below.play(child);
        names[below.node().index()].clone()
    }
}

/// Returns the text of the position: from standard input, from a file for a tree, or as given.
fn input(game: Kind, position: Option<&str>) -> Result<String, Error> {
    match (game, position) {
        (_, Some("-")) => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).context("standard input")?;
            Ok(text.trim_end().into())
        }
        (Kind::Tree, Some(path)) if Path::new(path).is_file() => {
            Ok(fs::read_to_string(path).with_context(|| path.to_string())?.trim_end().into())
        }
        (_, Some(text)) => Ok(text.into()),
        (Kind::Connect4 | Kind::Othello | Kind::Hex | Kind::TicTacToe, None) => Ok(String::new()),
        (_, None) => {
            Err(anyhow!("{} has no start position; give a position: {}", game.name(), game.facts().positions))
        }
    }
}

/// Parses a position; `named` is the argument on the command line.
fn read<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(
    game: Kind,
    named: Option<&str>,
    text: &str,
) -> Result<T, Error> {
    let named = named.unwrap_or_default();
    text.parse().with_context(|| match game {
        Kind::Tree if named != text && named != "-" => named.to_string(),
        Kind::Tree if !named.contains([':', '(']) && named != "-" => {
            format!("`{named}` is neither a file nor a tree")
        }
        game => format!("not a valid position of {}", game.name()),
    })
}

/// Searches, and prints the results.
struct Search<'a> {
    args: &'a SearchArgs,
    text: &'a str,
}

impl Visit for Search<'_> {
    type Output = ();

    fn visit<G: Playable + Keyed, N: Fn(&G, G::Move) -> String>(
        self,
        position: &G,
        board: Option<String>,
        judge: Judge<G, N>,
    ) -> Result<(), Error> {
        let Search { args, text } = self;
        /// The node limit if no limit is given.
        const DEFAULT_NODES: u64 = 1_000_000;

        let engine = args.engine.build::<G>()?;
        let mut limits = args.limits.clone();
        if limits.depth.is_some() && ["pns", "b-star", "uct", "puct"].contains(&args.engine.recipe.as_str()) {
            anyhow::bail!("recipe {} has no depth limit: use --nodes or --time", args.engine.recipe);
        }
        if !limits.any() {
            limits.nodes = Some(DEFAULT_NODES);
        }
        let bar = terminal::progress(1);
        // A proven win or loss ends the search, unless other lines are requested too.
        let clock = Clock::start(&Allowance { settled: args.lines == 1, ..limits.allowance() });
        let request = Request {
            position,
            before: &[],
            moves: &[],
            lines: args.lines.into(),
            iterations: limits.iterations().min(MAX_PLY),
            limits: &clock,
        };
        let answer = engine.search(&request, &mut |report| {
            if report.line == 0 && !bar.is_hidden() {
                bar.set_message(format!(
                    "{} {}",
                    report.iteration,
                    output::value(report.score, report.bound)
                ));
            }
        });
        let elapsed = clock.control().elapsed();
        bar.finish_and_clear();
        let lines = answer.lines.iter().map(|line| {
            let mut position = position.clone();
            let play = |mv: &G::Move| {
                let name = judge.name(&position, *mv);
                position.play(*mv);
                name
            };
            output::Line::new(line, line.pv.iter().map(play).collect())
        });
        let found = output::Found {
            game: args.game.name(),
            position: text.to_string(),
            end: position.is_over().then(|| output::end(position.outcome().score(0))),
            recipe: engine.recipe().name,
            lines: lines.collect(),
            nodes: answer.nodes,
            full: answer.full,
            lines_cut_off: answer.cut_off,
            time_ms: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
        };
        let mut out = anstream::stdout().lock();
        match args.json {
            true => writeln!(out, "{}", serde_json::to_string(&found)?)?,
            false => write!(out, "{}", output::text(&found, board.as_deref(), elapsed.as_secs_f64()))?,
        }
        if answer.full {
            terminal::note(format_args!("the tree or list is full: increase --hash"));
        }
        Ok(())
    }
}
