//! `cassius completions`.

use super::cli::Cli;
use crate::Error;
use clap::CommandFactory as _;
use clap_complete::Shell;
use std::io::Write as _;

/// Arguments of `cassius completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cassius completions bash > ~/.local/share/bash-completion/completions/cassius
  cassius completions zsh > ~/.zfunc/_cassius
  cassius completions fish > ~/.config/fish/completions/cassius.fish")]
pub struct CompletionsArgs {
    /// Shell for which to print the script.
    shell: Shell,
}

/// Prints the script.
pub fn run(args: CompletionsArgs) -> Result<(), Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cassius", &mut script);
    Ok(std::io::stdout().write_all(&script)?)
}
