//! The games of this crate by name: their positions and moves as text, and the check of certificates.

use crate::explicit::{Tree, TreePosition};
use crate::{Connect4, Hex, Judge, Othello, RandomGame, RandomTree, TicTacToe};
use cassius_search::alpha_beta::horizon::Abc;
use cassius_search::plans::certificate::{self, Certificate, Certified, Checking, Established, Fault};
use cassius_search::recipes::Capability;
use cassius_search::{Depths, Game, Keyed, Limits, Off, Playable, Statics, Table};
use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A game with a name.
///
/// ```
/// use cassius_games::Named;
/// assert_eq!("othello".parse(), Ok(Named::Othello));
/// assert!("chequers".parse::<Named>().unwrap_err().to_string().ends_with("random-game, tree"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// Connect Four.
    Connect4,
    /// Othello.
    Othello,
    /// Hex.
    Hex,
    /// Tic-tac-toe.
    TicTacToe,
    /// Uniform trees with random values from a seed.
    RandomTree,
    /// Irregular random games from a seed, with nearly every capability.
    RandomGame,
    /// Trees given as text.
    Tree,
}

/// No game has this name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown game `{0}`; known games: {names}", names = names())]
pub struct UnknownGame(pub String);

fn names() -> String {
    Named::ALL.map(Named::name).join(", ")
}

impl FromStr for Named {
    type Err = UnknownGame;

    fn from_str(name: &str) -> Result<Named, UnknownGame> {
        Named::ALL.into_iter().find(|game| game.name() == name).ok_or_else(|| UnknownGame(name.into()))
    }
}

/// A text is no position of the game.
#[derive(Debug, Error)]
#[error("not a valid position of {}", game.name())]
pub struct NotAPosition {
    /// The game.
    pub game: Named,
    /// The reason.
    #[source]
    pub reason: Box<dyn Error + Send + Sync>,
}

/// What is done with a position of a game, whichever game it is.
pub trait Visit {
    /// What comes of it.
    type Output;

    /// Visits a position. `board` is the drawn position, if the game has a board. `judge` names the moves.
    fn visit<G: Playable + Keyed + PartialEq, N: Fn(&G, G::Move) -> String>(
        self,
        position: &G,
        board: Option<String>,
        judge: Judge<G, N>,
    ) -> Self::Output;
}

/// What is asked of a game itself, whichever it is.
pub trait Ask {
    /// The answer.
    type Output;

    /// Asks the game `G`.
    fn ask<G: Playable>(self) -> Self::Output;
}

impl Named {
    /// All games.
    pub const ALL: [Named; 7] = [
        Named::Connect4,
        Named::Othello,
        Named::Hex,
        Named::TicTacToe,
        Named::RandomTree,
        Named::RandomGame,
        Named::Tree,
    ];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Named::Connect4 => "connect4",
            Named::Othello => "othello",
            Named::Hex => "hex",
            Named::TicTacToe => "tictactoe",
            Named::RandomTree => "random-tree",
            Named::RandomGame => "random-game",
            Named::Tree => "tree",
        }
    }

    /// Returns what the game is.
    pub fn about(self) -> &'static str {
        match self {
            Named::Connect4 => "Connect Four",
            Named::Othello => "Othello",
            Named::Hex => "Hex",
            Named::TicTacToe => "Tic-tac-toe",
            Named::RandomTree => "Uniform trees with random values from a seed",
            Named::RandomGame => "Irregular random games from a seed, with nearly every capability",
            Named::Tree => "Trees given as text",
        }
    }

    /// Returns how its positions are written.
    pub fn notation(self) -> &'static str {
        match self {
            Named::Connect4 => {
                "the columns played, 1 to 7, such as 4453, or the board: six rows of seven cells, each X, O \
                 or ."
            }
            Named::Othello => {
                "the moves played, such as f5d6c3, or the 64 squares in reading order, each X, O or -, \
                 followed by the side to move, X or O; values are in hundredths of a disc"
            }
            Named::Hex => {
                "the moves played, such as b4c3, after the number of rows, if it is not 11, and the word \
                 swap, if the second player may swap; or the board: rows of cells, each X, O or ., from \
                 top to bottom; X joins these, O the left and the right"
            }
            Named::TicTacToe => {
                "the squares taken, 1 to 9 in reading order, such as 519, or the board: three rows of three \
                 squares, each X, O or ."
            }
            Named::RandomTree => {
                "seed,width,depth such as 1,5,6; a fourth field may be strongly-ordered or incremental"
            }
            Named::RandomGame => {
                "seed,branching such as 7,4; a third field may be layers=N or cycles=N, with N places"
            }
            Named::Tree => {
                "label:value with children in parentheses, such as 'A:0(B:1(E:0 F:1) C:0)'; values are for \
                 the side that moves first"
            }
        }
    }

    /// Whether it has a start position, which an empty text means.
    pub fn has_start(self) -> bool {
        matches!(self, Named::Connect4 | Named::Othello | Named::Hex | Named::TicTacToe)
    }

    /// Returns its capabilities.
    pub fn capabilities(self) -> Vec<Capability> {
        struct Capabilities;
        impl Ask for Capabilities {
            type Output = Vec<Capability>;
            fn ask<G: Playable>(self) -> Vec<Capability> {
                G::capabilities()
            }
        }
        self.ask(Capabilities)
    }

    /// Asks the game itself.
    pub fn ask<A: Ask>(self, question: A) -> A::Output {
        match self {
            Named::Connect4 => question.ask::<Connect4>(),
            Named::Othello => question.ask::<Othello>(),
            Named::Hex => question.ask::<Hex>(),
            Named::TicTacToe => question.ask::<TicTacToe>(),
            Named::RandomTree => question.ask::<RandomTree>(),
            Named::RandomGame => question.ask::<RandomGame>(),
            Named::Tree => question.ask::<TreePosition<'static>>(),
        }
    }

    /// Parses a position, and passes it to the visitor.
    ///
    /// # Errors
    /// If the text is no position of the game.
    pub fn visit<V: Visit>(self, text: &str, visitor: V) -> Result<V::Output, NotAPosition> {
        Ok(match self {
            Named::Connect4 => {
                let position: Connect4 = self.read(text)?;
                visitor.visit(&position, Some(position.to_string()), Judge::new(column_name))
            }
            Named::Othello => {
                let position: Othello = self.read(text)?;
                visitor.visit(&position, Some(position.to_string()), Judge::new(disc_name))
            }
            Named::Hex => {
                let position: Hex = self.read(text)?;
                visitor.visit(&position, Some(position.to_string()), Judge::new(cell_name))
            }
            Named::TicTacToe => {
                let position: TicTacToe = self.read(text)?;
                visitor.visit(&position, Some(position.to_string()), Judge::new(square_name))
            }
            Named::RandomTree => {
                let root: RandomTree = self.read(text)?;
                visitor.visit(&root, None, Judge::new(branch_name))
            }
            Named::RandomGame => {
                let root: RandomGame = self.read(text)?;
                visitor.visit(&root, None, Judge::with_draws(move_name))
            }
            Named::Tree => {
                let tree: Tree = self.read(text)?;
                visitor.visit(&tree.root(), None, Judge::new(child_names(&tree)))
            }
        })
    }

    fn read<T: FromStr<Err: Error + Send + Sync + 'static>>(self, text: &str) -> Result<T, NotAPosition> {
        text.parse().map_err(|reason: T::Err| NotAPosition { game: self, reason: Box::new(reason) })
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name, in a certificate, of the static values of these games.
pub const VALUES: &str = "the game's own";

/// Searches until each side's plan has the requested depth, as
/// [`certify`](cassius_search::plans::certificate::certify) does. The certificate names the game, and
/// `text` as the position. Returns `None` if the game is over or `limits` end the search before its first
/// iteration is complete.
pub fn certify<G: Playable + Keyed + PartialEq, N: Fn(&G, G::Move) -> String>(
    (game, text, position): (Named, &str, &G),
    (asked, abc, table): (Depths, Abc, Table),
    limits: &dyn Limits,
    judge: &mut Judge<G, N>,
) -> Option<Certified> {
    let parts = (Statics, table);
    let mut found =
        certificate::certify::<G, G::Draws, Off, _>(position, asked, abc, parts, limits, judge, &mut |_| {})?;
    let about = &mut found.certificate;
    (about.game, about.position, about.values) = (game.name().into(), text.into(), VALUES.into());
    Some(found)
}

/// The reason why a certificate of one of these games does not establish anything.
#[derive(Debug, Error)]
pub enum CheckError {
    /// It is a certificate of no known game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// Its static values are not those of the game.
    #[error("its values are from `{0}`, but this program only knows `{VALUES}`")]
    OtherValues(String),
    /// Its position is invalid.
    #[error(transparent)]
    Position(#[from] NotAPosition),
    /// A statement in it is false.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Replays a certificate of one of these games with the rules and the static values alone.
///
/// # Errors
/// The statement that is false, and its location.
pub fn check(found: &Certificate, how: &Checking) -> Result<Established, CheckError> {
    struct Check<'a>(&'a Certificate, &'a Checking);

    impl Visit for Check<'_> {
        type Output = Result<Established, Fault>;

        fn visit<G: Playable + Keyed + PartialEq, N: Fn(&G, G::Move) -> String>(
            self,
            position: &G,
            _: Option<String>,
            mut judge: Judge<G, N>,
        ) -> Result<Established, Fault> {
            certificate::check_as(position, self.0, &mut judge, self.1)
        }
    }

    let game: Named = found.game.parse()?;
    if found.values != VALUES {
        return Err(CheckError::OtherValues(found.values.clone()));
    }
    Ok(game.visit(&found.position, Check(found, how))??)
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
