//! `cassius lab card`.

use crate::Error;
use crate::terminal::STRONG;
use anyhow::Context as _;
use cassius_chess::Evaluation;
use cassius_chess::evaluation::network::{self, BUCKETS, Base, INPUTS, Network};
use cassius_lab::selfplay::Settings;
use serde_json::Value;
use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments of `cassius lab card`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Data, settings and losses are stored in the network itself. The commands shown make it again, with a \
build that searches as the one did that played the games.

Examples:
  cassius lab card
  cassius lab card first.net --json")]
pub struct CardArgs {
    /// File of a network; by default, the network that is built in.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print the card as JSON.
    #[arg(long)]
    json: bool,
}

/// Tells how a network was made.
pub fn run(args: &CardArgs) -> Result<(), Error> {
    let (name, network) = match &args.file {
        Some(path) => {
            let name = path.display().to_string();
            let bytes = fs::read(path).with_context(|| name.clone())?;
            let network = Network::from_bytes(&bytes).with_context(|| name.clone())?;
            (name, Arc::new(network))
        }
        None => ("the built-in network".into(), network::own()),
    };
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", network.card())?;
    } else {
        show(&mut out, &name, &network)?;
    }
    Ok(())
}

/// Returns the number by which certificates, journals and kept measurements name the evaluation.
fn number(network: &Arc<Network>) -> u64 {
    Evaluation::Network(Arc::clone(network)).number()
}

fn show(out: &mut impl io::Write, name: &str, network: &Arc<Network>) -> io::Result<()> {
    let (card, width) = (network.card(), network.width());
    let adds = match network.base() {
        Base::Nothing => "gives the whole value",
        Base::Classical => "corrects the classical evaluation",
    };
    writeln!(out, "{STRONG}{name}{STRONG:#}, evaluation {:016x}", number(network))?;
    writeln!(out, "{INPUTS} inputs, {width} hidden units for each side, {BUCKETS} outputs; {adds}")?;
    let data = card["data"].as_array().map_or(&[][..], Vec::as_slice);
    if data.is_empty() {
        return writeln!(out, "\nIts card does not tell of any games.");
    }

    writeln!(out, "\n{STRONG}    games   positions  nodes  seed  player{STRONG:#}")?;
    for games in data {
        let settings = &games["settings"];
        let [number, positions] = ["games", "positions"].map(|of| count(&games[of]));
        let [nodes, seed] = ["soft_nodes", "seed"].map(|of| count(&settings[of]));
        let player = settings["player"].as_str().unwrap_or("?");
        writeln!(out, "{number:>9}  {positions:>10}  {nodes:>5}  {seed:>4}  {player}")?;
    }
    let [trained, held_out] = ["positions", "held_out"].map(|of| count(&card[of]));
    writeln!(out, "\ntrained on {trained} positions; {held_out} held out")?;

    writeln!(out, "\n{STRONG}pass      loss  held out{STRONG:#}")?;
    for (number, loss) in (1..).zip(card["losses"].as_array().into_iter().flatten()) {
        let [trained, held_out] = ["trained", "held_out"].map(|of| loss[of].as_f64().unwrap_or(f64::NAN));
        writeln!(out, "{number:>4}  {trained:.6}  {held_out:.6}")?;
    }

    writeln!(out, "\n{STRONG}To make it again{STRONG:#}")?;
    for (number, games) in (1..).zip(data) {
        writeln!(out, "{}", selfplay(number, games))?;
    }
    let files: Vec<String> = (1..=data.len()).map(|number| format!("data-{number}/games.viri")).collect();
    let option = |name: &str| &card["options"][name];
    let [passes, batch, seed] = ["passes", "batch", "seed"].map(|name| count(option(name)));
    let [rate, share] = ["rate", "result_share"].map(|name| option(name).as_f64().unwrap_or_default() as f32);
    let alone = if option("alone") == true { " --alone" } else { "" };
    writeln!(
        out,
        "cassius lab train {} --out again.net --width {width} --passes {passes} --batch {batch} \
         --rate {rate} --result-share {share} --seed {seed}{alone}",
        files.join(" ")
    )
}

/// Returns the command that plays these games.
fn selfplay(number: usize, games: &Value) -> String {
    let settings = &games["settings"];
    let usual = Settings::default().to_json();
    // The number behind a player's name is that of its evaluation.
    let player = settings["player"].as_str().unwrap_or("?");
    let player = player.rsplit_once(" (").map_or(player, |(name, _)| name);
    let mut command = format!("cassius lab selfplay --out data-{number} --games {}", count(&games["games"]));
    let nodes = settings["soft_nodes"].as_u64().unwrap_or_default();
    for (option, value) in [("player", player.to_string()), ("nodes", nodes.to_string())] {
        command += &format!(" --{option} {value}");
    }
    if settings["hard_nodes"] != 8 * nodes {
        command += &format!(" --hard-nodes {}", settings["hard_nodes"]);
    }
    for option in ["hash", "seed"] {
        command += &format!(" --{option} {}", settings[option]);
    }
    if settings["random_plies"] != usual["random_plies"] {
        let plies = &settings["random_plies"];
        command += &format!(" --random-plies {} {}", plies[0], plies[1]);
    }
    command
}

fn count(value: &Value) -> String {
    value.as_u64().map_or_else(|| "?".into(), |number| number.to_string())
}
