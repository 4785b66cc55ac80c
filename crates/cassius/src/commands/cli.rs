//! The command line. The arguments of each subcommand are declared next to its code in
//! [`crate::commands`].

use crate::commands::{
    analyse, annotate, bench, certify, check, completions, explain, game, grow, lab, match_, mate, perft,
    recipes, solve, tree,
};
use clap::{Parser, Subcommand};

/// A chess engine and analyser whose values know how far they can be trusted.
///
/// Without arguments it speaks UCI on standard input and output: that is how chess
/// programs use it. The commands below are for people.
#[derive(Debug, Parser)]
#[command(version, propagate_version = false, disable_help_subcommand = true, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do; nothing: speak UCI.
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
    /// Speak UCI, as without arguments.
    Uci,
    /// Analyse positions: best lines, their values, and how deep each side's plan was searched.
    #[command(visible_alias = "analyze")]
    Analyse(analyse::AnalyseArgs),
    /// Explain positions: which moves hold, which only seem to, what is asked of White and of Black.
    Explain(explain::ExplainArgs),
    /// Annotate games: how safe each side stands after every move, only moves, errors; as PGN and as a
    /// web page.
    Annotate(annotate::AnnotateArgs),
    /// Search a position until its value is established by a plan of each side, and write the plans down.
    Certify(certify::CertifyArgs),
    /// Replay written plans with the rules and the evaluation alone: do they establish what they say?
    Check(check::CheckArgs),
    /// Solve a suite of test positions.
    Solve(solve::SolveArgs),
    /// Find forced mates and prove them, or prove that there are none.
    Mate(mate::MateArgs),
    /// Play two recipes or parameter sets against each other.
    Match(match_::MatchArgs),
    /// Search built-in positions and print a signature and the speed.
    Bench(bench::BenchArgs),
    /// Count the leaves of the move tree, move by move.
    Perft(perft::PerftArgs),
    /// List the search recipes and their parameters.
    Recipes(recipes::RecipesArgs),
    /// Show the tree that a best-first search grows: as text, for Graphviz, as a picture, as JSON.
    Grow(grow::GrowArgs),
    /// Judge a tree that you write: conspirators, every plan, its depths and its weakest line, the odds
    /// that it fails.
    Tree(tree::TreeArgs),
    /// Search other games than chess: Connect Four, Othello, tic-tac-toe, random games and trees.
    Game(game::GameArgs),
    /// Run the papers' experiments.
    Lab(lab::LabArgs),
    /// Print a script that completes commands and options in a shell.
    Completions(completions::CompletionsArgs),
}
