//! `cassius lab card`.

use crate::Error;
use crate::terminal::{STRONG, harmless_text};
use anyhow::Context as _;
use cassius_chess::Evaluation;
use cassius_chess::evaluation::network::{self, BUCKETS, Base, INPUTS, Network};
use cassius_lab::selfplay::Settings;
use cassius_search::fnv;
use serde_json::Value;
use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments of `cassius lab card`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Data, settings and losses are stored in the network itself. The commands shown make it again, with a \
build that searches as the one did that played the games. The number behind a player tells evaluations \
apart; if it is not this build's, the player must name the file of its network with EvalFile. Behind a \
player with EvalFile it is the file's checksum, which is shown at the head of that network's card.

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
    let (name, network, checksum) = match &args.file {
        Some(path) => {
            let name = path.display().to_string();
            let bytes = fs::read(path).with_context(|| name.clone())?;
            let network = Network::from_bytes(&bytes).with_context(|| name.clone())?;
            (name, Arc::new(network), Some(fnv(bytes.iter().copied())))
        }
        None => ("the built-in network".into(), network::own(), None),
    };
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", network.card())?;
    } else {
        show(&mut out, &name, &network, checksum)?;
    }
    Ok(())
}

/// Returns the number by which certificates, journals and kept measurements name the evaluation.
fn number(network: &Arc<Network>) -> u64 {
    Evaluation::Network(Arc::clone(network)).number()
}

/// Shows the card of a network, and the checksum of its file if it has one.
fn show(
    out: &mut impl io::Write,
    name: &str,
    network: &Arc<Network>,
    checksum: Option<u64>,
) -> io::Result<()> {
    let (card, width) = (network.card(), network.width());
    let adds = match network.base() {
        Base::Nothing => "gives the whole value",
        Base::Classical => "corrects the classical evaluation",
    };
    write!(out, "{STRONG}{name}{STRONG:#}, evaluation {:016x}", number(network))?;
    if let Some(sum) = checksum {
        write!(out, ", checksum of the file {sum:016x}")?;
    }
    writeln!(out)?;
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
        let player = match settings["values_of"].as_str() {
            Some(judge) => format!("values of {}", harmless_text(judge)),
            None => harmless_text(settings["player"].as_str().unwrap_or("?")),
        };
        writeln!(out, "{number:>9}  {positions:>10}  {nodes:>5}  {seed:>4}  {player}")?;
    }
    let [trained, held_out] = ["positions", "held_out"].map(|of| count(&card[of]));
    writeln!(out, "\ntrained on {trained} positions; {held_out} held out")?;
    let start = &card["options"]["start"];
    if let Some(number) = start["evaluation"].as_str() {
        writeln!(out, "started from the network of evaluation {}", harmless_text(number))?;
    }

    writeln!(out, "\n{STRONG}pass      loss  held out{STRONG:#}")?;
    for (number, loss) in (1..).zip(card["losses"].as_array().into_iter().flatten()) {
        let [trained, held_out] = ["trained", "held_out"].map(|of| loss[of].as_f64().unwrap_or(f64::NAN));
        writeln!(out, "{number:>4}  {trained:.6}  {held_out:.6}")?;
    }

    writeln!(out, "\n{STRONG}To make it again{STRONG:#}")?;
    training(out, card, "", "again.net")
}

/// Writes the commands that make a network with this card. The names of the data begin with `prefix`.
fn training(out: &mut impl io::Write, card: &Value, prefix: &str, network: &str) -> io::Result<()> {
    let option = |name: &str| &card["options"][name];
    let from = match option("start") {
        Value::Null => {
            let alone = if option("alone") == true { " --alone" } else { "" };
            format!("--width {}{alone}", count(option("width")))
        }
        start => {
            let name = format!("{prefix}start.net");
            training(out, &start["card"], &format!("{prefix}start-"), &name)?;
            format!("--start {name}")
        }
    };
    let mut files = Vec::new();
    for (number, games) in (1..).zip(card["data"].as_array().into_iter().flatten()) {
        files.push(commands(out, &format!("{prefix}data-{number}"), &games["settings"], &games["games"])?);
    }
    if files.is_empty() {
        return writeln!(out, "# {network}: its card does not tell of any games");
    }
    let [passes, batch, seed] = ["passes", "batch", "seed"].map(|name| count(option(name)));
    let [rate, share] = ["rate", "result_share"].map(|name| option(name).as_f64().unwrap_or_default());
    let rate = rate as f32;
    writeln!(
        out,
        "cassius lab train {} --out {network} {from} --passes {passes} --batch {batch} --rate {rate} \
         --result-share {share} --seed {seed}",
        files.join(" ")
    )
}

/// Writes the commands that make a file of so many games, and returns its name.
fn commands(out: &mut impl io::Write, name: &str, settings: &Value, games: &Value) -> io::Result<String> {
    if let Some(judge) = settings["values_of"].as_str() {
        let mut sources = Vec::new();
        let counts = settings["games"].as_array().map_or(&[][..], Vec::as_slice);
        // The network may have been trained on some of them only; those are the first ones.
        let mut left = games.as_u64().unwrap_or(u64::MAX);
        for (number, source) in (1..).zip(settings["files"].as_array().into_iter().flatten()) {
            let count = counts.get(number - 1).and_then(Value::as_u64).map(|count| count.min(left));
            left = left.saturating_sub(count.unwrap_or_default());
            if count != Some(0) {
                sources.push(commands(out, &format!("{name}-{number}"), &source["made"], &count.into())?);
            }
        }
        let file = format!("{name}.viri");
        writeln!(
            out,
            "cassius lab data {} --relabel {} --nodes {} --out {file}",
            sources.join(" "),
            quoted(without_number(judge)),
            count(&settings["soft_nodes"])
        )?;
        return Ok(file);
    }
    let file = format!("{name}/games.viri");
    match settings["player"].as_str() {
        Some(player) => writeln!(out, "{}", selfplay(name, player, settings, games))?,
        None => writeln!(out, "# {file}: {} games; how they were made is not known", count(games))?,
    }
    Ok(file)
}

/// Returns a stranger's text as one word of a command.
fn quoted(text: &str) -> String {
    let text = harmless_text(text);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-+=,./:%@".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// Returns a player without the number of its evaluation, which stands behind its name.
fn without_number(player: &str) -> &str {
    player.rsplit_once(" (").map_or(player, |(name, _)| name)
}

/// Returns the command that plays these games.
fn selfplay(name: &str, player: &str, settings: &Value, games: &Value) -> String {
    let usual = Settings::default().to_json();
    let player = without_number(player);
    let mut command = format!("cassius lab selfplay --out {name} --games {}", count(games));
    let nodes = settings["soft_nodes"].as_u64().unwrap_or_default();
    for (option, value) in [("player", quoted(player)), ("nodes", nodes.to_string())] {
        command += &format!(" --{option} {value}");
    }
    if settings["hard_nodes"] != 8 * nodes {
        command += &format!(" --hard-nodes {}", count(&settings["hard_nodes"]));
    }
    for option in ["hash", "seed"] {
        command += &format!(" --{option} {}", count(&settings[option]));
    }
    if settings["random_plies"] != usual["random_plies"] {
        let [least, most] = [0, 1].map(|index| count(&settings["random_plies"][index]));
        command += &format!(" --random-plies {least} {most}");
    }
    command
}

fn count(value: &Value) -> String {
    value.as_u64().map_or_else(|| "?".into(), |number| number.to_string())
}
