//! Annotates a game and writes a page for a browser: `cargo run -p cassius-insight --example page --
//! game.html`.
//!
//! The game is one that Morphy won at the opera of Paris, 1858, against the Duke of Brunswick and Count
//! Isouard.

use cassius_chess::pgn::Game;
use cassius_insight::{Analyst, Effort, annotate, html};

const GAME: &str = "[Event \"In a box at the opera\"] [Site \"Paris\"] [Date \"1858.??.??\"]
[White \"Paul Morphy\"]
[Black \"Duke of Brunswick and Count Isouard\"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8
17. Rd8# 1-0";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or("game.html".into());
    let game: Game = GAME.parse()?;
    let mut analyst = Analyst::new(Effort { nodes: 30_000, plan_nodes: 200, ..Effort::default() }, 16)?;
    let annotated = annotate(&mut analyst, &game, &mut |_, _| true)?.ok_or("interrupted")?;
    for white in [true, false] {
        println!("{}: {:?}", if white { "White" } else { "Black" }, annotated.tally(white));
    }
    std::fs::write(&path, html(&[annotated]))?;
    println!("{path} is written");
    Ok(())
}
