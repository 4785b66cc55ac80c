//! Makes a game of the library of a game written in Python.
//!
//! A position holds the user's object, and what was asked of it: nothing is asked twice. The first positions
//! are kept, so that the next iteration does not play their moves again. An exception of the user's code ends
//! the search; until it has ended, positions without answers count as finished games.

use crate::watch::Watch;
use cassius_games::mix;
use cassius_search::game::LastMoveWins;
use cassius_search::{Game, Keyed, Off, Outcome, Score, Static, playable};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt, PyString, PyTuple, PyType};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// The number of positions that are kept until the search ends.
const KEPT: usize = 50_000;

/// How deep the tuples of a key may be nested, so that the stack has room for them.
const NESTED: usize = 1_000;

/// What all positions of a search share.
struct Run {
    watch: Arc<Watch>,
    has_values: bool,
    /// Whether the search takes it for granted that only the player who moved last can win.
    last_move_wins: bool,
    kept: AtomicUsize,
}

/// The user's position, and what it has answered.
struct Node {
    game: Py<PyAny>,
    moves: OnceLock<Vec<Py<PyAny>>>,
    children: OnceLock<Box<[OnceLock<Arc<Node>>]>>,
    key: OnceLock<u64>,
    value: OnceLock<Score>,
    outcome: OnceLock<Outcome>,
}

impl Node {
    fn new(game: Py<PyAny>) -> Node {
        let (moves, children, key, value, outcome) = Default::default();
        Node { game, moves, children, key, value, outcome }
    }

    /// Returns the position after a move that could not be played.
    fn after_failure(py: Python<'_>) -> Node {
        let node = Node::new(py.None());
        let _ = (node.moves.set(Vec::new()), node.key.set(0), node.value.set(Score::DRAW));
        let _ = node.outcome.set(Outcome::Draw);
        node
    }
}

/// A move: its place in the list of the position's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place(pub u16);

/// A position of a game written in Python.
#[derive(Clone)]
pub struct PythonGame {
    node: Arc<Node>,
    run: Arc<Run>,
}

impl PythonGame {
    /// Returns the position of the user's object. `last_move_wins` states that only the player who moved last
    /// can win; another outcome is then an error.
    pub fn new(game: &Bound<'_, PyAny>, last_move_wins: bool, watch: Arc<Watch>) -> PyResult<PythonGame> {
        if let Ok(class) = game.cast::<PyType>() {
            let name = class.name()?;
            return Err(PyTypeError::new_err(format!(
                "a search begins at a position, an object of the class {name}; this is the class itself"
            )));
        }
        for name in ["moves", "play", "outcome", "key"] {
            let is_method = game.getattr_opt(name)?.is_some_and(|method| method.is_callable());
            if !is_method {
                let class = game.get_type().name()?;
                return Err(PyTypeError::new_err(format!(
                    "a game needs the methods moves(), play(move), outcome() and key(), but {class} has no \
                     {name}()"
                )));
            }
        }
        let has_values = game.getattr_opt("value")?.is_some_and(|method| method.is_callable());
        let run = Run { watch, has_values, last_move_wins, kept: AtomicUsize::new(0) };
        Ok(PythonGame { node: Arc::new(Node::new(game.clone().unbind())), run: Arc::new(run) })
    }

    /// Asks the user's object. An exception ends the search.
    fn ask<T>(&self, otherwise: T, question: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> T {
        if self.run.watch.has_failed() {
            return otherwise;
        }
        let answer = Python::attach(|py| question(self.node.game.bind(py)));
        answer.unwrap_or_else(|error| {
            self.run.watch.fail(error);
            otherwise
        })
    }

    /// Returns the moves, as the user's objects.
    pub fn list(&self) -> &[Py<PyAny>] {
        self.node.moves.get_or_init(|| {
            self.ask(Vec::new(), |game| {
                let list = game.call_method0("moves")?.try_iter()?;
                let list = list.map(|mv| mv.map(Bound::unbind)).collect::<PyResult<Vec<_>>>()?;
                match list.len() < usize::from(u16::MAX) {
                    true => Ok(list),
                    false => Err(PyValueError::new_err(format!("{} moves: 65,534 at most", list.len()))),
                }
            })
        })
    }

    /// Returns the position after a move.
    fn child(&self, place: Place) -> Arc<Node> {
        let list = self.list();
        let play = || {
            let next = self.ask(None, |game| {
                let next = game.call_method1("play", (&list[usize::from(place.0)],))?;
                if next.is_none() || next.is(game) {
                    return Err(PyTypeError::new_err(format!(
                        "play(move) must return the position after the move as another object, not {}; it \
                         leaves its own position as it is",
                        if next.is_none() { "None" } else { "itself" }
                    )));
                }
                Ok(Some(Node::new(next.unbind())))
            });
            Arc::new(next.unwrap_or_else(|| Python::attach(Node::after_failure)))
        };
        let is_full = || self.run.kept.load(Relaxed) >= KEPT;
        if self.node.children.get().is_none() && is_full() {
            return play();
        }
        let children = self.node.children.get_or_init(|| list.iter().map(|_| OnceLock::new()).collect());
        let slot = &children[usize::from(place.0)];
        if slot.get().is_none() && is_full() {
            return play();
        }
        let keep = || {
            self.run.kept.fetch_add(1, Relaxed);
            play()
        };
        slot.get_or_init(keep).clone()
    }
}

impl Game for PythonGame {
    type Move = Place;

    fn moves(&self, moves: &mut Vec<Place>) {
        moves.extend((0..self.list().len()).map(|place| Place(place as u16)));
    }

    fn play(&mut self, place: Place) {
        self.node = self.child(place);
    }

    fn outcome(&self) -> Outcome {
        *self.node.outcome.get_or_init(|| {
            self.ask(Outcome::Draw, |game| {
                let outcome = read_outcome(&game.call_method0("outcome")?)?;
                match outcome {
                    Outcome::Win | Outcome::Points(_) if self.run.last_move_wins => {
                        Err(PyValueError::new_err(
                            "recipe df-pn is for games that only the player who moved last can win: \
                             outcome() must be 'loss' or 'draw'; use pns",
                        ))
                    }
                    outcome => Ok(outcome),
                }
            })
        })
    }

    fn count_moves(&self) -> usize {
        self.list().len()
    }

    fn is_over(&self) -> bool {
        self.list().is_empty()
    }
}

/// Reads how a game has ended.
fn read_outcome(outcome: &Bound<'_, PyAny>) -> PyResult<Outcome> {
    let wrong = || {
        PyValueError::new_err(format!(
            "outcome() must be 'win', 'draw' or 'loss' for the side to move, or its points as an int, where \
             moves() is empty; not {outcome:?}"
        ))
    };
    if let Ok(word) = outcome.cast::<PyString>() {
        return match word.to_cow()?.as_ref() {
            "win" => Ok(Outcome::Win),
            "draw" => Ok(Outcome::Draw),
            "loss" => Ok(Outcome::Loss),
            _ => Err(wrong()),
        };
    }
    Ok(Outcome::Points(read_value(whole_number(outcome).ok_or_else(wrong)?)?))
}

/// Returns an int. A bool is none, though Python counts it as one.
fn whole_number<'a, 'py>(found: &'a Bound<'py, PyAny>) -> Option<&'a Bound<'py, PyInt>> {
    found.cast::<PyInt>().ok().filter(|number| !number.is_instance_of::<PyBool>())
}

/// Reads a value, which stays below that of a win.
fn read_value(value: &Bound<'_, PyInt>) -> PyResult<Score> {
    let most = Score::MAX_ESTIMATE.0;
    let value: i64 = value.extract().unwrap_or(i64::MAX);
    match i32::try_from(value).ok().filter(|value| (-most..=most).contains(value)) {
        Some(value) => Ok(Score(value)),
        None => Err(PyValueError::new_err(format!("values and points must be from -{most} to {most}"))),
    }
}

impl Static for PythonGame {
    fn static_value(&self) -> Score {
        if !self.run.has_values {
            return Score::DRAW;
        }
        *self.node.value.get_or_init(|| {
            self.ask(Score::DRAW, |game| {
                let value = game.call_method0("value")?;
                let wrong = || PyTypeError::new_err(format!("value() must be an int, not {value:?}"));
                read_value(whole_number(&value).ok_or_else(wrong)?)
            })
        })
    }
}

/// Returns 64 bits for a key: the lower ones of an int, a hash of our own for str, bytes and tuples, and
/// Python's hash for anything else. In Python's hash -1 equals -2, within tuples too, and str differs from
/// run to run. Tuples within tuples are at most `deepest` deep.
fn bits_of(key: &Bound<'_, PyAny>, deepest: usize) -> PyResult<u64> {
    const TEXT: u64 = 0x9e37_79b9_7f4a_7c15;
    const BYTES: u64 = 0xd1b5_4a32_d192_ed03;
    const TUPLE: u64 = 0x8cb9_2ba7_2f3d_8dd7;
    let of_bytes = |kind: u64, bytes: &[u8]| {
        bytes.chunks(8).fold(mix(kind ^ bytes.len() as u64), |bits, chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            mix(bits ^ u64::from_le_bytes(word))
        })
    };
    if key.cast::<PyInt>().is_ok() {
        key.bitand(u64::MAX)?.extract()
    } else if let Ok(text) = key.cast::<PyString>() {
        Ok(of_bytes(TEXT, text.to_cow()?.as_bytes()))
    } else if let Ok(bytes) = key.cast::<PyBytes>() {
        Ok(of_bytes(BYTES, bytes.as_bytes()))
    } else if let Ok(tuple) = key.cast::<PyTuple>() {
        let Some(deepest) = deepest.checked_sub(1) else {
            return Err(PyValueError::new_err(format!("key(): tuples are nested more than {NESTED} deep")));
        };
        tuple.iter().try_fold(mix(TUPLE ^ tuple.len() as u64), |bits, part| {
            Ok(mix(bits.rotate_left(1) ^ bits_of(&part, deepest)?))
        })
    } else {
        Ok(key.hash()? as u64)
    }
}

/// Moves are known by their places: positions with the same key list their moves in the same order.
impl Keyed for PythonGame {
    fn key(&self) -> u64 {
        *self.node.key.get_or_init(|| {
            self.ask(0, |game| {
                let key = game.call_method0("key")?;
                Ok(mix(bits_of(&key, NESTED).map_err(|error| {
                    match error.is_instance_of::<PyTypeError>(key.py()) {
                        true => {
                            PyTypeError::new_err(format!("key() must be an int or hashable, not {key:?}"))
                        }
                        false => error,
                    }
                })?))
            })
        })
    }

    fn code(&self, place: Place) -> u16 {
        place.0 + 1
    }
}

/// [`PythonGame::new`] has been told whether it is so.
impl LastMoveWins for PythonGame {}

playable!(PythonGame, "a game in Python", draws: Off);
