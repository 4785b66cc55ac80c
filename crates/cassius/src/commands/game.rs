//! `cassius game`: the same search for games other than chess.

mod output;

use super::certify::{self, WantedArgs};
use crate::clock::{Allowance, Clock};
use crate::setup::{LimitArgs, mib, parse_setting, switches};
use crate::{Error, terminal, whole_file};
use anyhow::{Context as _, anyhow};
use cassius_games::Judge;
use cassius_games::named::{self, Ask, CheckError, Named, NotAPosition, Visit};
use cassius_search::plans::certificate::{Certificate, Checking, Established, Referee as _};
use cassius_search::recipes::Capability;
use cassius_search::{Bound, Engine, Keyed, MAX_PLY, Playable, Request, Score};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::io::Write as _;
use std::path::Path;

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
    #[arg(value_parser = game_names())]
    game: Named,
    /// The position, in the notation shown by `cassius game list`; `-` for standard input. By default
    /// the start position, if the game has one.
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    #[command(flatten)]
    wanted: WantedArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Values are from the point of view of the side to move. The line below each variation shows how deep \
the plans behind its value were searched. The plan of the side to move shows that the value is at \
least this high, the other side's plan that it is at most this high. Moves are columns, squares, \
labels, or numbers from 1.
Recipes and components that need a capability that the game lacks are refused; `cassius game list` \
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
    #[arg(value_parser = game_names())]
    game: Named,
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
    /// Switch on a component of the recipe. Of windows, and of depth rules, the first listed that is on
    /// counts: switch earlier ones off by --without.
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

/// Parses the name of a game. For clap.
fn game_names() -> impl TypedValueParser<Value = Named> {
    let name = |game: Named| PossibleValue::new(game.name()).help(game.about());
    PossibleValuesParser::new(Named::ALL.map(name)).try_map(|name| name.parse::<Named>())
}

/// The properties of a game that do not depend on a position.
struct Facts {
    game: Named,
    called: &'static str,
    has: Vec<Capability>,
    /// Each recipe, and the capabilities that the game lacks for it.
    recipes: Vec<(&'static str, &'static str, Vec<Capability>)>,
}

impl Facts {
    fn of(game: Named) -> Facts {
        game.ask(Asked(game))
    }
}

/// Asks a game for its properties.
struct Asked(Named);

impl Ask for Asked {
    type Output = Facts;

    fn ask<G: Playable>(self) -> Facts {
        let recipes = G::recipes().into_iter();
        let recipes = recipes.map(|recipe| (recipe.name, recipe.summary, recipe.lacking())).collect();
        Facts { game: self.0, called: G::NAME, has: G::capabilities(), recipes }
    }
}

/// Lists the games, or searches one.
pub fn run(args: GameArgs) -> Result<(), Error> {
    match args.command {
        GameCommand::List { json } => {
            let mut out = anstream::stdout().lock();
            for facts in Named::ALL.map(Facts::of) {
                match json {
                    true => writeln!(out, "{}", output::facts_json(&facts))?,
                    false => write!(out, "{}", output::facts_text(&facts))?,
                }
            }
            Ok(())
        }
        GameCommand::Search(args) => {
            let text = input(args.game, args.position.as_deref())?;
            let visited = args.game.visit(&text, Search { args: &args, text: &text });
            visited.map_err(|error| misread(args.position.as_deref(), &text, error))?
        }
        GameCommand::Certify(args) => {
            let text = input(args.game, args.position.as_deref())?;
            let visited = args.game.visit(&text, Certify { args: &args, text: &text });
            visited.map_err(|error| misread(args.position.as_deref(), &text, error))?
        }
    }
}

/// Says which text is no position; `named` is the argument on the command line.
fn misread(named: Option<&str>, text: &str, error: NotAPosition) -> Error {
    let named = named.unwrap_or_default();
    let said = match error.game {
        Named::Tree if named != text && named != "-" => named.to_string(),
        Named::Tree if !named.contains([':', '(']) && named != "-" => {
            format!("`{named}` is neither a file nor a tree")
        }
        _ => return error.into(),
    };
    anyhow!(error.reason).context(said)
}

struct Certify<'a> {
    args: &'a GameCertifyArgs,
    text: &'a str,
}

impl Visit for Certify<'_> {
    type Output = Result<(), Error>;

    fn visit<G: Playable + Keyed + PartialEq, N: Fn(&G, G::Move) -> String>(
        self,
        position: &G,
        _: Option<String>,
        mut judge: Judge<G, N>,
    ) -> Result<(), Error> {
        let Certify { args, text } = self;
        let inputs: Vec<&Path> = file(args.game, args.position.as_deref()).into_iter().collect();
        certify::write(&args.wanted, &inputs, position, &mut judge, |asked, abc, table, clock, judge| {
            named::certify((args.game, text, position), (asked, abc, table), clock, judge)
        })
    }
}

/// Checks a certificate of one of these games.
pub fn check(found: &Certificate, how: &Checking) -> Result<Established, Error> {
    named::check(found, how).map_err(|error| match error {
        CheckError::Game(_) => {
            anyhow!("unknown game; known games: chess, {}", Named::ALL.map(Named::name).join(", "))
        }
        CheckError::Fault(fault) => fault.into(),
        error => error.into(),
    })
}

/// Formats a value in words.
pub fn value(score: Score) -> String {
    output::value(score, Some(Bound::Exact))
}

/// Returns the file that a tree is read from, if it is.
fn file(game: Named, position: Option<&str>) -> Option<&Path> {
    position.map(Path::new).filter(|path| game == Named::Tree && path.exists() && !path.is_dir())
}

/// Returns the text of the position: from standard input, from a file for a tree, or as given.
fn input(game: Named, position: Option<&str>) -> Result<String, Error> {
    match (game, position) {
        (_, Some("-")) => {
            Ok(whole_file::read_text(Path::new("-")).context("standard input")?.trim_end().into())
        }
        (_, Some(text)) => match file(game, position) {
            Some(path) => {
                Ok(whole_file::read_text(path).with_context(|| text.to_string())?.trim_end().into())
            }
            None => Ok(text.into()),
        },
        (game, None) if game.has_start() => Ok(String::new()),
        (_, None) => {
            Err(anyhow!("{game} has no start position; give a position: {}", output::positions(game)))
        }
    }
}

/// Searches, and prints the results.
struct Search<'a> {
    args: &'a SearchArgs,
    text: &'a str,
}

impl Visit for Search<'_> {
    type Output = Result<(), Error>;

    fn visit<G: Playable + Keyed + PartialEq, N: Fn(&G, G::Move) -> String>(
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
        limits.agree_with(&args.engine.recipe)?;
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
            game: args.game.name().into(),
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
