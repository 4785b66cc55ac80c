//! Small certificates that take much work to check: for the tests, and for `benches/bombs.rs`, which
//! measures the time.

use cassius_chess::evaluation::Evaluation;
use cassius_chess::{Position, certificate as chess};
use cassius_games::RandomGame;
use cassius_search::Game as _;
use std::fmt::Write as _;

/// The maximum size of a file, in bytes.
pub const LARGEST: usize = 1_000_000;

/// Returns a certificate for each number, of at most [`LARGEST`] bytes. It need not be true: the
/// question is how long the checker takes to refuse, accept or give up.
pub fn bomb(number: u64) -> String {
    let mut state = number.wrapping_add(1);
    let mut draw = |below: u64| {
        // The upper half of Knuth's linear congruential generator.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    match number % 6 {
        0..=2 => of_queens(&mut draw),
        3 => of_a_wide_tree(&mut draw),
        4 => of_references(&mut draw),
        _ => of_long_lines(&mut draw),
    }
}

/// Returns a certificate with many queens that can capture each other, in a plan of the maximum size.
fn of_queens(draw: &mut impl FnMut(u64) -> u64) -> String {
    let position = loop {
        let mut board = [[' '; 8]; 8];
        for _ in 0..10 + draw(40) {
            board[draw(8) as usize][draw(8) as usize] =
                ['q', 'Q', 'r', 'R', 'n', 'N'][draw(6) as usize / (1 + draw(2) as usize)];
        }
        board[draw(8) as usize][draw(8) as usize] = 'k';
        board[draw(8) as usize][draw(8) as usize] = 'K';
        let ranks: Vec<String> =
            board.iter().map(|rank| rank.iter().collect::<String>().replace(' ', "1")).collect();
        let fen = format!("{} {} - - 0 1", ranks.join("/"), if draw(2) == 0 { 'w' } else { 'b' });
        if let Ok(position) = fen.parse::<Position>()
            && !position.is_over()
        {
            break position;
        }
    };
    let mut text = head(
        "chess",
        &position.to_string(),
        &chess::values(&Evaluation::default()),
        [1, 50, 900, 30_000][draw(4) as usize],
        0,
    );
    let value = draw(2_000) as i32 - 1_000;
    let _ = writeln!(text, "value: {value}");
    text.push_str(["at least, depth: 60\n", "at most, depth: 60\n"][draw(2) as usize]);
    let own = text.contains("at least");
    plan(&position, own, draw(5) + 1, draw, &mut text);
    text + "end\n"
}

/// Writes a plan that answers every move, to the given number of plies, without options.
fn plan(position: &Position, own: bool, plies: u64, draw: &mut impl FnMut(u64) -> u64, text: &mut String) {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    if moves.is_empty() {
        text.push_str("# 0\n");
    } else if plies == 0 || text.len() > LARGEST - 10_000 {
        let _ = writeln!(text, ". {} 60", draw(9_000));
    } else {
        if own {
            let first = draw(moves.len() as u64) as usize;
            moves = vec![moves[first]];
        }
        text.push(if own { '!' } else { '?' });
        for mv in &moves {
            let _ = write!(text, " {}", position.uci(*mv));
        }
        text.push('\n');
        for mv in moves {
            let mut child = position.clone();
            child.play(mv);
            plan(&child, !own, plies - 1, draw, text);
        }
    }
}

/// Returns a certificate of a tree node with very many children, named in the least convenient order.
fn of_a_wide_tree(draw: &mut impl FnMut(u64) -> u64) -> String {
    let wide = 1_000 + draw(30_000) as usize;
    let name = |number: usize| format!("m{number:x}");
    let children = (0..wide).map(|number| name(number) + ":0").collect::<Vec<_>>().join(" ");
    let mut text = head("tree", &format!("a:0({children})"), "the game's own", 1 + draw(3) as i32, 120);
    let mut names: Vec<String> = (0..wide).map(name).collect();
    match draw(3) {
        0 => names.reverse(),
        1 => names.rotate_left(wide / 2),
        _ => {}
    }
    text.push_str("value: 0\n");
    match draw(2) {
        0 => {
            let _ = write!(text, "at least, depth: 120\n! {}\n. 0 120\n", names.join(" "));
        }
        _ => {
            let _ = write!(text, "at most, depth: 0\n? {}\n{}", names.join(" "), ". 0 0\n".repeat(wide));
        }
    }
    text + "end\n"
}

/// Returns a short plan that doubles its length with every move if the parts that its lines share are
/// written out.
fn of_references(draw: &mut impl FnMut(u64) -> u64) -> String {
    let first = draw(100_000);
    let read = |seed: u64| {
        let text = format!("{seed},2,cycles=100000");
        (text.parse::<RandomGame>().expect("a game"), text)
    };
    // The line of first moves, up to its end.
    let line = |game: &RandomGame| {
        let (mut line, mut position) = (Vec::new(), *game);
        while line.len() < 160 && !position.is_over() {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            position.play(moves[0]);
            line.push(moves.iter().map(|mv| (u16::from(*mv) + 1).to_string()).collect::<Vec<_>>());
        }
        line
    };
    let longest = (first..first + 200).map(read).max_by_key(|(game, _)| line(game).len());
    let (game, text) = longest.expect("a game");
    let mut text = head("random-game", &text, "the game's own", 30_000, 0);
    text.push_str("value: -32000\nat least, depth: certain\n");
    let line = line(&game);
    for (ply, names) in line.iter().enumerate() {
        let _ = writeln!(text, "{} {}", if ply % 2 == 0 { '!' } else { '?' }, names.join(" "));
    }
    let _ = writeln!(text, "# {}", line.len() as i32 - 32_000);
    // The other replies continue as the first one does.
    for (ply, names) in line.iter().enumerate().rev().filter(|(ply, _)| ply % 2 == 1) {
        text.push_str(&format!("= {}\n", ply + 2).repeat(names.len() - 1));
    }
    text + "end\n"
}

/// Returns a plan with lines of the maximum length, in a game whose positions recur.
fn of_long_lines(draw: &mut impl FnMut(u64) -> u64) -> String {
    let position = format!("{},2,cycles={}", draw(1_000), 2 + draw(500));
    let mut text = head("random-game", &position, "the game's own", 1, 1);
    text.push_str("value: -30000\nat least, depth: 1\n");
    while text.len() < LARGEST - 100 {
        text.push_str("! 1\n? 1 2\n");
    }
    text + "end\n"
}

fn head(game: &str, position: &str, values: &str, margin: i32, safety: i32) -> String {
    format!(
        "cassius certificate 2\ngame: {game}\nposition: {position}\nvalues: {values}\nmargin: {margin}\n\
         safety: {safety} 120\n"
    )
}
