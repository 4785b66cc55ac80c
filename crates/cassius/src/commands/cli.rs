//! The command line. The arguments of each subcommand are declared next to its code in
//! [`crate::commands`].

use crate::commands::{
    analyse, annotate, bench, certify, check, completions, explain, game, genfens, grow, lab, lichess, man,
    match_, mate, perft, recipes, schema, serve, solve, study, tree,
};
use clap::{Parser, Subcommand};

/// A chess engine and analyser that reports how far each value can be trusted.
///
/// Without arguments, Cassius runs as a UCI engine on standard input and output, for use by chess
/// programs. The commands below are for use on the command line.
#[derive(Debug, Parser)]
#[command(version, propagate_version = false, disable_help_subcommand = true, after_help = EXAMPLES)]
pub struct Cli {
    /// The command to run; without one, Cassius runs as a UCI engine.
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  cassius analyse startpos --time 5s
  cassius analyse '6k1/5ppp/8/8/8/8/8/R6K w - - 0 1' --lines 3
  cassius analyse games.pgn --nodes 100000 --json > games.json
  cassius analyse --help";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run as a UCI engine, as without arguments.
    Uci,
    /// Analyse positions: the best lines, their values, and how deep each side's plan was searched.
    #[command(visible_alias = "analyze")]
    Analyse(analyse::AnalyseArgs),
    /// Explain positions: which moves hold the value, which only seem to, and what each side must find.
    Explain(explain::ExplainArgs),
    /// Annotate games with the safety of each side after every move, only moves and errors, as PGN or
    /// as a web page.
    Annotate(annotate::AnnotateArgs),
    /// Show the page for a browser: a board that explains, with the search of this program.
    Serve(serve::ServeArgs),
    /// Offer this engine to the analysis board of lichess.org.
    Lichess(lichess::LichessArgs),
    /// Grow a tree for as long as you like, judged by any engine, and see what its verdict hangs on.
    Study(study::StudyArgs),
    /// Search a position and write a certificate: the plans of both sides that establish its value.
    Certify(certify::CertifyArgs),
    /// Check certificates: replay their plans using only the rules and the evaluation.
    Check(check::CheckArgs),
    /// Solve a suite of test positions.
    Solve(solve::SolveArgs),
    /// Find forced mates and prove them, or prove that there are none.
    Mate(mate::MateArgs),
    /// Play two recipes, parameter sets or UCI engines against each other.
    Match(match_::MatchArgs),
    /// Search built-in positions and print a signature and the speed.
    Bench(bench::BenchArgs),
    /// Print random openings, in the form that OpenBench reads.
    Genfens(genfens::GenfensArgs),
    /// Count the leaves of the move tree, for each root move.
    Perft(perft::PerftArgs),
    /// List the search recipes and their parameters.
    Recipes(recipes::RecipesArgs),
    /// Show the tree that a best-first search grows, as text, Graphviz, SVG or JSON.
    Grow(grow::GrowArgs),
    /// Analyse a tree given as text: its conspirators, and the plans of both sides with their depths,
    /// weakest lines and probability of failure.
    Tree(tree::TreeArgs),
    /// Search games other than chess: Connect Four, Othello, Hex, tic-tac-toe, random games and trees.
    Game(game::GameArgs),
    /// Run experiments from the papers, tune the evaluation, and generate training data.
    Lab(lab::LabArgs),
    /// Print the schema of the JSON that a command prints.
    Schema(schema::SchemaArgs),
    /// Write manual pages.
    Man(man::ManArgs),
    /// Print a shell completion script.
    Completions(completions::CompletionsArgs),
}
