//! An endgame of Othello, played out: who wins, by how many discs, and how.
//!
//! `cargo run --release -p cassius-games --example othello`, with another position after `--`, such as
//! `f5d6c3` or a
//! board of 64 squares and the side to move; with many empty squares it takes long.

use cassius_games::othello::{Endgame, Othello};
use cassius_search::{Game, Off, Request, Slots, Statics, Table, Unlimited, search};

/// Position 40 of those by which the Fédération Française d'Othello compares programs: X takes a2 and
/// wins by 38.
const FFO_40: &str = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or(FFO_40.into());
    let mut position: Othello = text.parse()?;
    println!("{position}\n{} squares are empty", position.empties());
    let mut slots = Slots::<Othello, Endgame>::new(Statics, Table::new(256)?, Off);
    let request = Request::new(&position, &Unlimited).to_iteration(position.empties());
    let answer = search(&mut slots, &request, &mut |report| {
        println!("{:>2} discs {:>12} nodes {:>6?}", report.iteration, report.nodes, report.score);
    });
    let best = answer.lines.first().ok_or("the game is over")?;
    for mv in &best.pv {
        position.play(*mv);
    }
    let moves: Vec<String> = best.pv.iter().map(ToString::to_string).collect();
    println!(
        "{}\n{position}\n{:+} discs for the side to move at the beginning",
        moves.join(" "),
        best.score.0 / 100
    );
    Ok(())
}
