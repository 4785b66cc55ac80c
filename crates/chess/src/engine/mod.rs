//! A chess engine in one value: a recipe chosen by name, a table, threads, and parameters.
//!
//! The recipes are types. This module maps a name to one of them, once per search and not once per node.

mod best_first;

pub use best_first::QuietLeaves;

use crate::evaluation::{Evaluation, LoadError};
use crate::hash_table::HashTable;
use crate::recipes::{AnyLaboratory, Bare, Estimated, Foreseeing, Full, Laboratory, Printed};
use crate::tablebase::{Endgames, Tablebases};
use crate::{Evaluator, Move, Position};
use best_first::{BestFirst, Conspiring, IntervalJudge, ProofLeaves, Setting, Stars};
use cassius_search::alpha_beta::horizon::{Abc, Coupled, Plies};
use cassius_search::alpha_beta::memory::{SingleBound, TableError};
use cassius_search::alpha_beta::options::Oracle;
use cassius_search::alpha_beta::recipes::presets::{
    ABC, APPENDIX, COUPLED, DUAL_CREDIT, KAINDL, LIKELIHOOD, NOTHING_SELECTIVE, PALPHABETA, Preset, SCOUT,
    SEX, WHOLE_WINDOW,
};
use cassius_search::best_first::{
    BStar, BestSuccessor, ConspiracyNumbers, ControlledConspiracy, Grown, Interval, OutOfMemory,
    ProofNumberSearch, Proofs, Star,
};
use cassius_search::{
    Answer, Off, Parameter, Recipe, Report, Request, Slots, Table, Visitor, search_parallel,
};

/// A recipe with a name.
#[derive(Clone, Copy)]
pub struct RecipeInfo {
    /// The name.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// The recipe in which its components are behind switches, if the recipe does not have switches of
    /// its own.
    pub laboratory: Option<&'static str>,
    /// Whether it keeps its tree in memory, for [`Engine::tree`].
    pub keeps_tree: bool,
    /// The parameters that the recipe presets, as `Component.parameter` and value. They apply unless a
    /// setting overrides them.
    pub presets: &'static [Preset],
    make: Make,
}

/// Where values come from, besides the search.
#[derive(Clone, Default)]
pub(crate) struct Basis {
    pub evaluation: Evaluation,
    pub endgames: Endgames,
}

impl Basis {
    pub fn evaluator(&self) -> Evaluator {
        Evaluator::of(&self.evaluation)
    }
}

/// The name under which the evaluation is switched.
const NETWORK: &str = "Network";

/// Creates one thread of a recipe, with the table that the recipe needs.
type Make = fn(&mut HashTable, &Basis) -> Result<Box<dyn Team>, EngineError>;

impl std::fmt::Debug for RecipeInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RecipeInfo").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Both depths coupled, and S ½ where a plan has no option, else 1.
const ONLY_MOVES: Preset =
    &[("Abc.coupling", 100), ("Abc.soft", 1), ("Abc.floor", 50), ("Abc.branching", 1), ("Abc.gamma", 100)];

/// Where nothing else counts options, all legal moves are some.
const ALL_MOVES: Preset = &[("LegalMoves.quiet", 1)];

/// [`Estimated`] in a recipe over all ways to count options.
const ESTIMATED: Preset = &[("LearnedOptions.on", 1), ("LegalMoves.on", 1)];

/// How both recipes of McAllester & Yuret's search differ from the paper.
const ABC_DIFFERS: &[&str] = &[
    "moves after the first are asked with minimal windows; \
     Fig. 6 has the whole window, §7 calls narrow ones quite effective",
    "depths grow from iteration to iteration; the paper asks once",
    "a table with two bounds, each with its depth; the paper names one and does not define it",
    "values are clipped to the window, as the proof in the appendix has it; Fig. 6 returns them as they are",
    "a finished game, a draw by repetition or by rule, and an endgame table end a line with their value",
    "S has gamma 5 and b 30, the singular margin is half a pawn: for chess the paper names only b",
    "values are integers, and an option is worth more than the value less \
     the margin, as in Fig. 7; §8 has \"no more than\" the margin less",
];

/// Further differences of the recipe `abc`.
const ABC_DIFFERS_MORE: &[&str] = &[
    "S(0) and S(1) are a quarter (Abc.floor), so that forced lines end; printed S(0) is 0",
    "no line is longer than four times the plies of the iteration (Abc.longest); the paper has no limit",
    "a static value is that of a quiescence search that leaves out captures; §8 has the exact value",
    "the values of options are plain static values; §9.1 and §10.2 have quiescence values",
    "an iteration begins with a narrow window; the paper's first call has the whole one",
];

/// Further differences of the recipe `abc-paper`.
const ABC_PAPER_DIFFERS_MORE: &[&str] = &[
    "a line ends after 200 plies; an answer says how often (lines cut off)",
    "what is in check may stand pat, as the definition in §8 has it (ExactQuiescence.evasions 1: it may not)",
];

impl RecipeInfo {
    /// Iterates over the points in which the recipe differs from the paper that it is named after, if
    /// they are listed.
    ///
    /// ```
    /// let recipe = cassius_chess::RECIPES.iter().find(|recipe| recipe.name == "abc").unwrap();
    /// assert!(recipe.differs_from_paper().any(|point| point.contains("Abc.floor")));
    /// ```
    pub fn differs_from_paper(&self) -> impl Iterator<Item = &'static str> {
        let (first, second): (&[_], &[_]) = match self.name {
            "abc" => (ABC_DIFFERS_MORE, ABC_DIFFERS),
            "abc-paper" => (ABC_PAPER_DIFFERS_MORE, ABC_DIFFERS),
            _ => (&[], &[]),
        };
        first.iter().chain(second).copied()
    }
}

/// All recipes. The first is the default.
pub const RECIPES: &[RecipeInfo] = &[
    RecipeInfo {
        name: "plies",
        summary: "principal variation search to a depth in plies, with most of the selective components",
        laboratory: Some("lab"),
        keeps_tree: false,
        presets: &[],
        make: |table, basis| Ok(team::<Full<Plies>>(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "coupled",
        summary: "as plies, with two coupled depths: each side's plan has its own",
        laboratory: Some("lab-coupled"),
        keeps_tree: false,
        presets: &[],
        make: |table, basis| Ok(team::<Full<Coupled>>(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "two-depths",
        summary: "as plies, with two coupled depths: a plan that has no option, by an estimate that was \
            learned, is searched deeper",
        laboratory: Some("lab-two-depths"),
        keeps_tree: false,
        presets: &[ONLY_MOVES, ALL_MOVES],
        make: |table, basis| Ok(team::<Full<Abc, Estimated>>(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "bare",
        summary: "principal variation search to a depth in plies, with table and move ordering, nothing \
            selective",
        laboratory: None,
        keeps_tree: false,
        presets: &[],
        make: |table, basis| Ok(team::<Bare<Plies>>(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "bare-coupled",
        summary: "two coupled depths with table and move ordering, nothing selective",
        laboratory: None,
        keeps_tree: false,
        presets: &[],
        make: |table, basis| Ok(team::<Bare<Coupled>>(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "abc",
        summary: "alpha-beta-conspiracy search as published by McAllester and Yuret, except that forced \
            lines end; nothing selective",
        laboratory: None,
        keeps_tree: false,
        presets: &[],
        make: |table, basis| Ok(team::<Bare<Abc>>(table.two_bounds()?.strict(), basis)),
    },
    RecipeInfo {
        name: "abc-paper",
        summary: "alpha-beta-conspiracy search as published: exact quiescence values, no maximum length, \
            nothing selective",
        laboratory: None,
        keeps_tree: false,
        presets: &[],
        make: |table, basis| Ok(team::<Printed>(table.two_bounds()?.strict(), basis)),
    },
    RecipeInfo {
        name: "lab",
        summary: "plies with every component behind a switch, for ablations",
        laboratory: None,
        keeps_tree: false,
        presets: &[],
        make: |table, basis| Ok(team::<Laboratory<Plies>>(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "lab-coupled",
        summary: "coupled with every component behind a switch, for ablations",
        laboratory: None,
        keeps_tree: false,
        presets: &[COUPLED],
        make: |table, basis| Ok(team::<AnyLaboratory>(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "lab-abc",
        summary: "the depths of abc, with any way to count options and every component behind a switch",
        laboratory: None,
        keeps_tree: false,
        presets: &[ABC],
        make: |table, basis| Ok(team::<AnyLaboratory>(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "lab-two-depths",
        summary: "two-depths with every component behind a switch, for ablations",
        laboratory: None,
        keeps_tree: false,
        presets: &[ABC, ONLY_MOVES, ESTIMATED, ALL_MOVES],
        make: |table, basis| Ok(team::<AnyLaboratory>(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "lab-oracle",
        summary: "two coupled depths whose options are counted by searches that cost no nodes, every \
            component behind a switch: what counting is worth if it is free",
        laboratory: None,
        keeps_tree: false,
        presets: &[ABC, ONLY_MOVES],
        make: |table, basis| Ok(foreseeing(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "sex",
        summary: "a counter for each side (search extension scheme), every component behind a switch",
        laboratory: None,
        keeps_tree: false,
        presets: &[SEX],
        make: |table, basis| Ok(team::<AnyLaboratory>(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "dual-credit",
        summary: "plies and two credits for forced moves (Deep Blue), every component behind a switch",
        laboratory: None,
        keeps_tree: false,
        presets: &[DUAL_CREDIT],
        make: |table, basis| Ok(team::<AnyLaboratory>(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "likelihood",
        summary: "lines end when they are unlikely (Floyd), every component behind a switch",
        laboratory: None,
        keeps_tree: false,
        presets: &[LIKELIHOOD],
        make: |table, basis| Ok(team::<AnyLaboratory>(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "kaindl",
        summary: "Kaindl's search: plies, nothing selective; replies to checks and very forcing checks are \
            not counted; killers, forcing checks, hung pieces and threats in quiescence",
        laboratory: None,
        keeps_tree: false,
        presets: &[NOTHING_SELECTIVE, KAINDL],
        make: |table, basis| Ok(team::<Laboratory<Plies>>(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "alphabeta",
        summary: "as lab, nothing selective, every move with the full window; MTD(f), SSS* and DUAL* with \
            Mtd",
        laboratory: None,
        keeps_tree: false,
        presets: &[NOTHING_SELECTIVE, WHOLE_WINDOW],
        make: |table, basis| Ok(team::<Laboratory<Plies>>(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "palphabeta",
        summary: "as lab, nothing selective; moves that beat alpha are searched again by plain alpha-beta",
        laboratory: None,
        keeps_tree: false,
        presets: &[NOTHING_SELECTIVE, PALPHABETA],
        make: |table, basis| Ok(team::<Laboratory<Plies>>(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "single-bound",
        summary: "as lab, nothing selective, with the table of the survey: one proven bound per position, \
            and hits on open windows count",
        laboratory: None,
        keeps_tree: false,
        presets: &[NOTHING_SELECTIVE],
        make: |table, basis| Ok(team::<Laboratory<Plies, Off, SingleBound>>(table.one_bound()?, basis)),
    },
    RecipeInfo {
        name: "appendix",
        summary: "alpha-beta with a table as in the survey's appendix, corrected: hits narrow the window and \
            the table's move comes first; no quiescence",
        laboratory: None,
        keeps_tree: false,
        presets: &[NOTHING_SELECTIVE, APPENDIX],
        make: |table, basis| Ok(team::<Laboratory<Plies, Off, SingleBound>>(table.one_bound()?, basis)),
    },
    RecipeInfo {
        name: "scout",
        summary: "as lab, nothing selective; moves that beat alpha are evaluated again",
        laboratory: None,
        keeps_tree: false,
        presets: &[NOTHING_SELECTIVE, SCOUT],
        make: |table, basis| Ok(team::<Laboratory<Plies>>(table.two_bounds()?, basis)),
    },
    RecipeInfo {
        name: "cns",
        summary: "best-first: conspiracy numbers prove that the best move is best, or that the others are \
            not; the tree uses the memory of the table",
        laboratory: None,
        keeps_tree: true,
        presets: &[],
        make: |table, basis| Conspiring::<BestSuccessor>::team(tree(table, 0, basis)),
    },
    RecipeInfo {
        name: "ccns",
        summary: "best-first: as cns, but targets are pushed down and split, leaves are searched by \
            alpha-beta, several at once",
        laboratory: None,
        keeps_tree: true,
        presets: &[],
        make: |table, basis| Conspiring::<ControlledConspiracy>::team(tree(table, 5, basis)),
    },
    RecipeInfo {
        name: "cns-value",
        summary: "best-first: grows a tree by conspiracy numbers until its value is settled, whatever the \
            best move is",
        laboratory: None,
        keeps_tree: true,
        presets: &[],
        make: |table, basis| Conspiring::<ConspiracyNumbers>::team(tree(table, 0, basis)),
    },
    RecipeInfo {
        name: "pns",
        summary: "best-first: proof numbers decide whether the side to move wins by force, and if not, \
            whether it draws; the tree uses the memory of the table",
        laboratory: None,
        keeps_tree: true,
        presets: &[],
        make: |table, basis| {
            BestFirst::<Proofs, _, ProofLeaves>::team(ProofNumberSearch::default(), tree(table, 0, basis))
        },
    },
    RecipeInfo {
        name: "b-star",
        summary: "best-first: B*; a leaf's interval reaches from the value of a pass, or the static value \
            minus a margin, to the static value plus a margin; the result is as reliable as these intervals",
        laboratory: None,
        keeps_tree: true,
        presets: &[],
        make: |table, basis| {
            BestFirst::<Interval, _, IntervalJudge>::team(BStar::default(), tree(table, 0, basis))
        },
    },
    RecipeInfo {
        name: "sss-star",
        summary: "best-first: SSS* to a depth of 1, 2, … plies in turn, with a list as large as the table",
        laboratory: None,
        keeps_tree: false,
        presets: &[],
        make: |table, basis| Ok(Stars::team(Star::Sss, table.tree().0, basis)),
    },
    RecipeInfo {
        name: "dual-star",
        summary: "best-first: DUAL*, which is SSS* for the other side",
        laboratory: None,
        keeps_tree: false,
        presets: &[],
        make: |table, basis| Ok(Stars::team(Star::Dual, table.tree().0, basis)),
    },
];

/// Returns the initial setting of a best-first search whose leaves are searched to `depth`.
fn tree(table: &mut HashTable, depth: i32, basis: &Basis) -> Setting {
    let (mib, filled) = table.tree();
    Setting { depth, mib, filled, basis: basis.clone() }
}

/// The reason why an engine cannot be set up as requested.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// No recipe has this name.
    #[error("unknown recipe `{0}`; known recipes: {names}", names = recipe_names())]
    UnknownRecipe(String),
    /// The recipe has no such parameter.
    #[error("recipe `{recipe}` has no parameter `{parameter}`")]
    UnknownParameter {
        /// The recipe.
        recipe: &'static str,
        /// The parameter requested.
        parameter: String,
    },
    /// The recipe has no switchable component of this name.
    #[error("recipe `{recipe}` has no component `{component}` to switch; it has: {known}")]
    UnknownComponent {
        /// The recipe.
        recipe: &'static str,
        /// The component requested.
        component: String,
        /// The components that can be switched.
        known: String,
    },
    /// The value is outside the parameter's range.
    #[error("{} must be from {} to {} ({}), not {value}", parameter.full_name(), parameter.min, parameter.max,
        parameter.unit)]
    OutOfRange {
        /// The parameter.
        parameter: Parameter,
        /// The value requested.
        value: i32,
    },
    /// The table does not fit into memory.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The file of an evaluation cannot be used.
    #[error(transparent)]
    Evaluation(#[from] LoadError),
    /// The tree of a best-first search does not fit into memory.
    #[error(transparent)]
    Tree(#[from] OutOfMemory),
}

fn recipe_names() -> String {
    RECIPES.iter().map(|recipe| recipe.name).collect::<Vec<_>>().join(", ")
}

/// A recipe with its table, its threads and its parameters.
///
/// ```
/// use cassius_chess::{Engine, Position};
/// use cassius_search::{Request, Unlimited};
///
/// let mut engine = Engine::new("plies", 16, 1)?;
/// let position: Position = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1".parse()?;
/// let request = Request::new(&position, &Unlimited).to_iteration(4);
/// let answer = engine.search(&request, &mut |_| {});
/// assert_eq!(answer.best().unwrap().to_string(), "a1a8");
/// assert_eq!(answer.score().unwrap().plies_to_end(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    recipe: &'static RecipeInfo,
    table: HashTable,
    basis: Basis,
    threads: usize,
    /// The settings made so far, to be applied again for another recipe or more threads.
    settings: Vec<(String, i32)>,
    /// Whether there may be anything to clear.
    has_searched: bool,
    team: Box<dyn Team>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("recipe", &self.recipe.name).finish_non_exhaustive()
    }
}

impl Engine {
    /// Creates an engine with the recipe of this name, a table of `mib` MiB, and `threads` threads.
    pub fn new(recipe: &str, mib: usize, threads: usize) -> Result<Engine, EngineError> {
        let recipe = find(recipe)?;
        let mut table = HashTable::new(mib)?;
        let basis = Basis::default();
        let team = (recipe.make)(&mut table, &basis)?;
        let settings = Vec::new();
        let mut engine = Engine { recipe, table, basis, threads: 1, settings, has_searched: false, team };
        engine.set_threads(threads);
        Ok(engine)
    }

    /// Returns the recipe.
    pub fn recipe(&self) -> &'static RecipeInfo {
        self.recipe
    }

    /// Changes the recipe. Parameters that were set are kept where the new recipe has them. Switches are
    /// kept too, but a recipe with fixed components has none and uses its own components. What was
    /// learned under another recipe is discarded. Setting the same recipe again changes nothing.
    pub fn set_recipe(&mut self, recipe: &str) -> Result<(), EngineError> {
        let recipe = find(recipe)?;
        if recipe.name != self.recipe.name {
            let made = self.make(recipe);
            if made.is_ok() {
                self.recipe = recipe;
            }
            self.set_threads(self.threads);
            self.forget_other_rules();
            return made;
        }
        Ok(())
    }

    /// Frees the memory of the present team before the next team is created, so that both are never held
    /// at once. On an error the recipe is unchanged, if necessary with a table of one MiB.
    fn make(&mut self, recipe: &RecipeInfo) -> Result<(), EngineError> {
        self.team = Box::new(Nobody);
        match (recipe.make)(&mut self.table, &self.basis) {
            Ok(team) => self.team = team,
            Err(error) => {
                let again = self.recipe.make;
                self.team = match again(&mut self.table, &self.basis) {
                    Ok(team) => team,
                    Err(_) => {
                        self.table = HashTable::new(1)?;
                        again(&mut self.table, &self.basis)?
                    }
                };
                return Err(error);
            }
        }
        Ok(())
    }

    /// Changes the size of the table, which is emptied. The memory of the old table is freed before the
    /// new one is allocated. On an error the size is unchanged.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), EngineError> {
        let before = self.table.mib();
        if mib == before {
            return Ok(());
        }
        self.move_into(0)?;
        let moved = self.move_into(mib);
        if moved.is_err() {
            self.move_into(before)?;
        }
        moved
    }

    /// Creates the present team again with a new table of `mib` MiB.
    fn move_into(&mut self, mib: usize) -> Result<(), EngineError> {
        let mut table = HashTable::new(mib)?;
        self.team = (self.recipe.make)(&mut table, &self.basis)?;
        self.table = table;
        self.set_threads(self.threads);
        Ok(())
    }

    /// Returns the number of threads that search: as many as requested, but no more than
    /// [`most_threads`](Self::most_threads), or one where the recipe grows a tree leaf by leaf.
    ///
    /// ```
    /// use cassius_chess::Engine;
    /// let mut engine = Engine::new("ccns", 1, 4)?;
    /// assert_eq!(engine.threads(), 4);
    /// engine.set_recipe("cns")?;
    /// assert_eq!(engine.threads(), 1);
    /// # Ok::<(), cassius_chess::EngineError>(())
    /// ```
    pub fn threads(&self) -> usize {
        self.team.threads()
    }

    /// Returns a sentence that says why fewer threads search than were requested, if so.
    pub fn idle_threads(&self) -> Option<String> {
        let (asked, name) = (self.threads, self.recipe.name);
        match self.threads() {
            searching if searching == asked => None,
            1 => Some(format!("recipe {name} expands one leaf at a time: one thread searches, not {asked}")),
            most => Some(format!(
                "{most} threads search, not {asked}: more would wait for a processor, and then for each other"
            )),
        }
    }

    /// Returns the maximum number of threads on this machine: four for each processor, and at least
    /// eight. Threads beyond the number of processors gain little. With many more, a search ends late,
    /// because every thread needs a time slice before all have seen the stop signal.
    pub fn most_threads() -> usize {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        (4 * processors).max(8)
    }

    /// Changes the number of threads. There is at least one.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
        self.team.resize(self.threads.min(Engine::most_threads()));
        self.apply_settings();
    }

    /// Returns the parameters of the recipe with their values.
    pub fn parameters(&mut self) -> Vec<(Parameter, i32)> {
        let mut parameters: Vec<(Parameter, i32)> = Vec::new();
        self.team.visit_first(&mut |parameter, value| parameters.push((*parameter, *value)));
        parameters
    }

    /// Sets a parameter, named as `Component.parameter`, for every thread. What was learned with another
    /// value is discarded.
    pub fn set_parameter(&mut self, name: &str, value: i32) -> Result<(), EngineError> {
        let present = self.checked(name, value)?;
        self.settings.retain(|(set, _)| set != name);
        self.settings.push((name.into(), value));
        self.apply_settings();
        if value != present {
            self.forget_other_rules();
        }
        Ok(())
    }

    /// Sets these parameters, and returns all others to the recipe's own values. On an error nothing
    /// changes. What was learned with other values is discarded.
    ///
    /// ```
    /// use cassius_chess::Engine;
    /// let mut engine = Engine::new("plies", 1, 1)?;
    /// let before = engine.parameters();
    /// engine.set_parameters(vec![("NullMove.reduction".into(), 200)])?;
    /// assert!(engine.parameters() != before);
    /// assert!(engine.set_parameters(vec![("NullMove.wishes".into(), 1)]).is_err());
    /// assert!(engine.parameters() != before);
    /// engine.set_parameters(Vec::new())?;
    /// assert!(engine.parameters() == before);
    /// # Ok::<(), cassius_chess::EngineError>(())
    /// ```
    pub fn set_parameters(&mut self, settings: Vec<(String, i32)>) -> Result<(), EngineError> {
        for (name, value) in &settings {
            self.checked(name, *value)?;
        }
        if settings == self.settings {
            return Ok(());
        }
        let before = std::mem::replace(&mut self.settings, settings);
        let made = self.make(self.recipe);
        if made.is_err() {
            self.settings = before;
        }
        self.set_threads(self.threads);
        self.forget_other_rules();
        made
    }

    /// Returns the present value of a parameter that may have this value.
    fn checked(&mut self, name: &str, value: i32) -> Result<i32, EngineError> {
        let Some((parameter, present)) =
            self.parameters().into_iter().find(|(parameter, _)| parameter.full_name() == name)
        else {
            return Err(EngineError::UnknownParameter { recipe: self.recipe.name, parameter: name.into() });
        };
        if !(parameter.min..=parameter.max).contains(&value) {
            return Err(EngineError::OutOfRange { parameter, value });
        }
        Ok(present)
    }

    /// Returns the components that can be switched on and off, and whether each is on. For a fixed
    /// recipe these are the components of its laboratory. Every recipe has the component `Network`, the
    /// evaluation by the built-in network.
    pub fn components(&mut self) -> Vec<(&'static str, bool)> {
        let mut components = Vec::new();
        let mut visitor = |parameter: &Parameter, on: &mut i32| {
            if parameter.name == "on" {
                components.push((parameter.component, *on != 0));
            }
        };
        let laboratory = self.recipe.laboratory.and_then(|name| {
            let laboratory = find(name).ok()?;
            (laboratory.make)(&mut self.table.clone(), &self.basis).ok()
        });
        match laboratory {
            Some(mut team) => team.visit_first(&mut visitor),
            None => self.team.visit_first(&mut visitor),
        }
        components.push((NETWORK, matches!(self.basis.evaluation, Evaluation::Network(_))));
        components
    }

    /// Switches a component on or off for every thread. A recipe whose components are fixed is replaced
    /// by its laboratory, which is the same search with switches; not so for the evaluation. Switching on
    /// `Network` takes the built-in one, unless the engine already evaluates by a network.
    ///
    /// ```
    /// use cassius_chess::Engine;
    /// let mut engine = Engine::new("plies", 1, 1)?;
    /// engine.switch("NullMove", false)?;
    /// assert_eq!(engine.recipe().name, "lab");
    /// assert!(engine.switch("Wishes", true).unwrap_err().to_string().contains("NullMove"));
    /// # Ok::<(), cassius_chess::EngineError>(())
    /// ```
    pub fn switch(&mut self, component: &str, on: bool) -> Result<(), EngineError> {
        let components = self.components();
        let Some((name, _)) = components.iter().find(|(name, _)| name.eq_ignore_ascii_case(component)) else {
            let known = components.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            return Err(EngineError::UnknownComponent {
                recipe: self.recipe.name,
                component: component.into(),
                known,
            });
        };
        if *name == NETWORK {
            if on && matches!(self.evaluation(), Evaluation::Network(_)) {
                return Ok(());
            }
            let name = if on { "network" } else { "classical" };
            return self.set_evaluation(Evaluation::named(name).unwrap_or_default());
        }
        if let Some(laboratory) = self.recipe.laboratory {
            self.set_recipe(laboratory)?;
        }
        self.set_parameter(&format!("{name}.on"), i32::from(on))
    }

    /// Clears everything learned, for a new game.
    pub fn forget(&mut self) {
        self.table.clear();
        self.team.forget();
        self.has_searched = false;
    }

    /// Returns a handle to the table, which can be inspected while a search runs.
    pub fn table(&self) -> HashTable {
        self.table.clone()
    }

    /// Returns the fill level of the table, in thousandths.
    pub fn permille_full(&self) -> usize {
        self.table.permille_full()
    }

    /// Uses these endgame tables, or none, in the tree and at the root. What was learned with others is
    /// discarded.
    pub fn set_tablebases(&mut self, tables: Option<Tablebases>) {
        if tables.is_none() && self.basis.endgames.tables().is_none() {
            return;
        }
        self.basis.endgames = tables.map_or_else(Endgames::default, Endgames::new);
        self.team.set_endgames(&self.basis.endgames);
        self.apply_settings();
        self.forget_other_rules();
    }

    /// Returns the evaluation.
    pub fn evaluation(&self) -> &Evaluation {
        &self.basis.evaluation
    }

    /// Uses this evaluation. What was learned with another one is discarded.
    ///
    /// # Errors
    /// If memory cannot be allocated. The evaluation is then unchanged.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) -> Result<(), EngineError> {
        let before = std::mem::replace(&mut self.basis.evaluation, evaluation);
        let made = self.make(self.recipe);
        if made.is_err() {
            self.basis.evaluation = before;
            self.make(self.recipe)?;
        }
        self.set_threads(self.threads);
        self.forget_other_rules();
        made
    }

    /// Returns a handle to the endgame tables, whose hits can be counted while a search runs.
    pub fn endgames(&self) -> Endgames {
        self.basis.endgames.clone()
    }

    /// Returns the number of endgame table hits.
    pub fn tablebase_hits(&self) -> u64 {
        self.basis.endgames.hits()
    }

    /// Returns the tree grown by the last search, if the recipe is best-first.
    pub fn tree(&self) -> Option<&dyn Grown<Move>> {
        self.team.tree()
    }

    /// Searches and calls `report` with every line found.
    pub fn search(
        &mut self,
        request: &Request<'_, Position>,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> Answer<Move> {
        self.search_with(usize::MAX, request, report)
    }

    /// Searches with at most `threads` of its threads, and at least one. In a very short search further
    /// threads would start too late.
    pub fn search_with(
        &mut self,
        threads: usize,
        request: &Request<'_, Position>,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> Answer<Move> {
        let kept = self.basis.endgames.root_moves(request.position, request.before);
        let allowed = |mv: &Move| request.moves.is_empty() || request.moves.contains(mv);
        let kept: Vec<Move> = kept.into_iter().filter(allowed).collect();
        // Who asks for several lines asks for the others, too.
        let moves = if kept.len() < request.lines.max(1) { request.moves } else { &kept };
        self.has_searched = true;
        self.team.work_with(threads.max(1));
        self.team.search(&Request { moves, ..*request }, report)
    }

    /// Discards what was learned under other rules, if there has been a search. The meaning of a depth,
    /// and therefore of a table entry, depends on the recipe and its parameters, and a value depends on
    /// the endgame tables. Entries of other rules would be misleading, and would make the answer depend
    /// on earlier searches.
    fn forget_other_rules(&mut self) {
        if self.has_searched {
            self.forget();
        }
    }

    /// Applies the settings made, and the recipe's presets for all other parameters.
    fn apply_settings(&mut self) {
        let settings = &self.settings;
        let presets = || self.recipe.presets.iter().copied().flatten();
        self.team.visit_all(&mut |parameter, value| {
            let full_name = parameter.full_name();
            let set = settings.iter().rev().find(|(name, _)| *name == full_name).map(|(_, set)| *set);
            let preset = || presets().find(|(name, _)| *name == full_name).map(|(_, preset)| *preset);
            if let Some(set) = set.or_else(preset) {
                *value = set.clamp(parameter.min, parameter.max);
            }
        });
    }
}

fn find(name: &str) -> Result<&'static RecipeInfo, EngineError> {
    let named = |recipe: &&RecipeInfo| recipe.name == name;
    RECIPES.iter().find(named).ok_or_else(|| EngineError::UnknownRecipe(name.into()))
}

/// The threads of one recipe.
pub(crate) trait Team: Send {
    fn search(
        &mut self,
        request: &Request<'_, Position>,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> Answer<Move>;
    fn resize(&mut self, threads: usize);
    /// Limits the number of its threads that search from now on.
    fn work_with(&mut self, threads: usize);
    fn threads(&self) -> usize;
    fn visit_first(&mut self, visitor: &mut Visitor<'_>);
    fn visit_all(&mut self, visitor: &mut Visitor<'_>);
    fn set_endgames(&mut self, endgames: &Endgames);
    fn forget(&mut self);

    /// Returns the tree that has been grown, if one is kept.
    fn tree(&self) -> Option<&dyn Grown<Move>> {
        None
    }
}

/// A placeholder between two teams, which holds no memory.
struct Nobody;

impl Team for Nobody {
    fn search(&mut self, _: &Request<'_, Position>, _: &mut dyn FnMut(&Report<Move>)) -> Answer<Move> {
        Answer { lines: Vec::new(), nodes: 0, option_nodes: 0, cut_off: 0, complete: false, full: false }
    }

    fn resize(&mut self, _: usize) {}

    fn work_with(&mut self, _: usize) {}

    fn threads(&self) -> usize {
        1
    }

    fn visit_first(&mut self, _: &mut Visitor<'_>) {}

    fn visit_all(&mut self, _: &mut Visitor<'_>) {}

    fn set_endgames(&mut self, _: &Endgames) {}

    fn forget(&mut self) {}
}

struct Threads<R: Recipe<Position>> {
    members: Vec<Slots<Position, R>>,
    working: usize,
    make: fn(R::Memory, &Basis) -> Slots<Position, R>,
    memory: R::Memory,
    basis: Basis,
}

fn team<R>(memory: R::Memory, basis: &Basis) -> Box<dyn Team>
where
    R: Recipe<
            Position,
            Setting: cassius_search::Setting<Position, Evaluate = Evaluator, Knowledge = Endgames>,
        > + 'static,
    R::Memory: Clone + Send,
    Slots<Position, R>: Send,
{
    team_of::<R>(memory, basis, |memory, basis| Slots::new(basis.evaluator(), memory, basis.endgames.clone()))
}

/// Returns one thread of a recipe whose slots are filled by `make`.
fn team_of<R>(
    memory: R::Memory,
    basis: &Basis,
    make: fn(R::Memory, &Basis) -> Slots<Position, R>,
) -> Box<dyn Team>
where
    R: Recipe<Position> + 'static,
    R::Memory: Clone + Send,
    Slots<Position, R>: Send,
{
    let members = vec![make(memory.clone(), basis)];
    Box::new(Threads::<R> { members, working: usize::MAX, make, memory, basis: basis.clone() })
}

/// Returns one thread of a recipe that counts options by searches which it does not pay for.
fn foreseeing(memory: Table, basis: &Basis) -> Box<dyn Team> {
    team_of::<Foreseeing<AnyLaboratory>>(memory, basis, |memory, basis| {
        let mut slots: Slots<Position, Foreseeing<AnyLaboratory>> =
            Slots::new(basis.evaluator(), memory, basis.endgames.clone());
        let own = Table::new(FORESIGHT_MIB).expect("memory for a small table");
        let search = Slots::new(basis.evaluator(), own, basis.endgames.clone());
        slots.options.0 = Oracle::new(search, Table::clear);
        slots
    })
}

/// The size of the table of the searches that count options, in MiB.
const FORESIGHT_MIB: usize = 16;

impl<R: Recipe<Position>> Team for Threads<R>
where
    Slots<Position, R>: Send,
    R::Memory: Clone + Send,
{
    fn search(
        &mut self,
        request: &Request<'_, Position>,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> Answer<Move> {
        let threads = self.working.min(self.members.len());
        search_parallel(&mut self.members[..threads], request, report)
    }

    fn work_with(&mut self, threads: usize) {
        self.working = threads;
    }

    fn resize(&mut self, threads: usize) {
        let (make, memory, basis) = (self.make, &self.memory, &self.basis);
        self.members.resize_with(threads, || make(memory.clone(), basis));
    }

    fn threads(&self) -> usize {
        self.members.len()
    }

    fn visit_first(&mut self, visitor: &mut Visitor<'_>) {
        self.members[0].visit(visitor);
    }

    fn visit_all(&mut self, visitor: &mut Visitor<'_>) {
        self.members.iter_mut().for_each(|slots| slots.visit(visitor));
    }

    fn set_endgames(&mut self, endgames: &Endgames) {
        self.basis.endgames = endgames.clone();
        let threads = self.members.len();
        self.members.clear();
        self.resize(threads);
    }

    fn forget(&mut self) {
        self.members.iter_mut().for_each(Slots::forget);
    }
}
