//! Tunes parameters of a search by games: simultaneous perturbation stochastic approximation.
//!
//! A step plays some pairs of games. In each pair every parameter is moved up or down at random: one player
//! has it moved one way, the other player the other way. The result of the pair moves all parameters a
//! little towards the winner. A parameter that matters moves in one direction; the others wander.
//!
//! A step depends on nothing but the [`Settings`] and the values that it begins with. With a fixed number of
//! nodes a tuning is therefore the same whatever the number of jobs, and it can be interrupted after any
//! step.
//!
//! *Reference*: Spall 1992; the sequences of step sizes are those that engine testers use (OpenBench,
//! fishtest), after Spall 1998, "Implementation of the simultaneous perturbation algorithm".

use crate::matches::game::Rules;
use crate::matches::ledger::identity_of;
use crate::matches::{Match, MatchError, Pace, World, play_pairs};
use crate::random::Random;
use crate::{Player, PlayerError};
use cassius_chess::EngineError;
use cassius_chess::openings::Opening;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use thiserror::Error;

/// A parameter to be tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// Its name, `Component.parameter`.
    pub name: String,
    /// The value to begin with.
    pub start: i32,
    /// The smallest value.
    pub min: i32,
    /// The largest value.
    pub max: i32,
    /// How far it is moved up and down at the end of the tuning; further at the beginning.
    pub reach: f64,
}

impl Tuned {
    /// Returns the parameter that a text names, `Component.parameter` or `Component.parameter=REACH`, with
    /// the value that it has in the player's recipe.
    ///
    /// ```
    /// use cassius_lab::{Player, spsa::Tuned};
    /// let player: Player = "lab,NullMove.reduction=310".parse()?;
    /// let tuned = Tuned::named("NullMove.reduction=25", &player)?;
    /// assert_eq!((tuned.start, tuned.min, tuned.max, tuned.reach), (310, 0, 800, 25.0));
    /// assert!(Tuned::named("NullMove.luck", &player).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the player cannot be set up, or has no such parameter, or the reach is not a number above 0 and at
    /// most the width of the range.
    pub fn named(text: &str, player: &Player) -> Result<Tuned, SpsaError> {
        let (name, reach) = text.split_once('=').map_or((text, None), |(name, reach)| (name, Some(reach)));
        let parameters = player.engine(1, 1)?.parameters();
        let found = parameters.into_iter().find(|(parameter, _)| parameter.full_name() == name.trim());
        let (parameter, start) = found.ok_or_else(|| {
            SpsaError::Player(EngineError::UnknownParameter {
                recipe: player.engine(1, 1).map_or("", |engine| engine.recipe().name),
                parameter: name.trim().into(),
            })
        })?;
        let (min, max) = (parameter.min, parameter.max);
        let reach = match reach.map(|text| text.trim().parse::<f64>()) {
            None => usual_reach(start, min, max),
            Some(Ok(reach)) if reach > 0.0 && reach <= f64::from(max) - f64::from(min) => reach,
            Some(_) => return Err(SpsaError::Reach(text.into())),
        };
        Ok(Tuned { name: name.trim().into(), start, min, max, reach })
    }
}

/// A twelfth of the value. Where that is less than a hundredth of the range, the latter, though not more than
/// half of the value, unless that is 0. Never so little that rounding hides it.
fn usual_reach(start: i32, min: i32, max: i32) -> f64 {
    let (value, range) = (f64::from(start).abs(), f64::from(max - min));
    let most = if value > 0.0 { value / 2.0 } else { range };
    (value / 12.0).max((range / 100.0).min(most)).max(0.75)
}

/// The settings of a tuning.
pub struct Settings<'a> {
    /// The player whose parameters are tuned.
    pub player: Player,
    /// The parameters.
    pub tuned: Vec<Tuned>,
    /// The number of steps.
    pub steps: u64,
    /// The number of pairs of games in a step.
    pub pairs: u64,
    /// How far a parameter moves at the end for each half point by which a pair is not even, as a share of
    /// its reach. A pair that is won twice has two half points more.
    pub rate: f64,
    /// How long the players may think.
    pub pace: Pace,
    /// The openings, at least one.
    pub openings: &'a [Opening],
    /// The rules that cut games short.
    pub rules: Rules,
    /// The size of the table of each player, in MiB.
    pub hash: usize,
    /// The random seed.
    pub seed: u64,
}

/// Why a tuning ended.
#[derive(Debug, Error)]
pub enum SpsaError {
    /// The player cannot be set up.
    #[error(transparent)]
    Player(#[from] EngineError),
    /// A match ended.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// A setting of a player is wrong.
    #[error(transparent)]
    Setting(#[from] PlayerError),
    /// The reach of a parameter is wrong.
    #[error("expected Component.parameter=REACH, above 0 and at most the width of its range, not '{0}'")]
    Reach(String),
}

/// The values after a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The parameters, in the order of the settings.
    pub values: Vec<f64>,
    /// The games won, drawn and lost by the players with the first perturbation; they should balance.
    pub games: [u64; 3],
}

/// The exponents and the delay of the sequences of step sizes.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const DELAY: f64 = 0.1;

impl Settings<'_> {
    /// Returns everything on which the steps depend.
    pub fn to_json(&self) -> Value {
        let tuned: Vec<Value> =
            self.tuned.iter().map(|it| json!([it.name, it.start, it.min, it.max, it.reach])).collect();
        json!({
            "player": self.player.identity(), "tuned": tuned, "steps": self.steps, "pairs": self.pairs,
            "rate": self.rate, "pace": self.pace.to_string(), "openings": identity_of(self.openings),
            "rules": self.rules.to_string(), "hash": self.hash, "seed": self.seed,
        })
    }

    /// Returns the values before the first step.
    pub fn begin(&self) -> Step {
        Step { values: self.tuned.iter().map(|it| f64::from(it.start)).collect(), games: [0; 3] }
    }

    /// How far parameters are moved in a step, as a multiple of their reach.
    fn spread(&self, step: u64) -> f64 {
        (self.steps as f64 / (step as f64 + 1.0)).powf(GAMMA)
    }

    /// How far a result moves a parameter in a step, as a share of how far it was moved up and down.
    fn gain(&self, step: u64) -> f64 {
        let all = self.steps as f64;
        let at = |step: f64| (step + 1.0 + DELAY * all).powf(ALPHA);
        let spread = self.spread(step);
        self.rate * at(all) / at(step as f64) / (spread * spread)
    }

    /// Returns the player with these values, rounded.
    fn with(&self, values: &[f64]) -> Result<Player, SpsaError> {
        let mut player = self.player.clone();
        for (tuned, value) in self.tuned.iter().zip(values) {
            let value = (value.round() as i32).clamp(tuned.min, tuned.max);
            player.set(&format!("{}={value}", tuned.name))?;
        }
        Ok(player)
    }

    /// Makes the step with this number from the values before it. Returns `None` if it was stopped.
    ///
    /// # Errors
    /// If a player cannot be set up.
    pub fn step(&self, number: u64, before: &Step, world: &World<'_>) -> Result<Option<Step>, SpsaError> {
        let spread = self.spread(number);
        let mut random = Random(self.seed);
        random.0 ^= number.wrapping_add(1).wrapping_mul(0xd134_2543_de82_ef95);
        let mut signs = || -> Vec<f64> {
            self.tuned.iter().map(|_| if random.below(2) == 0 { -1.0 } else { 1.0 }).collect()
        };
        let directions: Vec<Vec<f64>> = (0..self.pairs).map(|_| signs()).collect();
        let moved = |direction: &[f64], way: f64| {
            let values = before.values.iter().zip(&self.tuned).zip(direction);
            let values: Vec<f64> =
                values.map(|((value, it), sign)| value + way * sign * spread * it.reach).collect();
            self.with(&values)
        };
        let mut games = Vec::new();
        for (pair, direction) in (number * self.pairs..).zip(&directions) {
            let players = [moved(direction, 1.0)?.into(), moved(direction, -1.0)?.into()];
            games.push((
                pair,
                Match {
                    players,
                    pace: self.pace,
                    openings: self.openings,
                    seed: self.seed,
                    pairs: pair + 1,
                    rules: self.rules,
                    hash: self.hash,
                    threads: 1,
                    sprt: None,
                },
            ));
        }
        let Some(records) = play_pairs(&games, world)? else { return Ok(None) };
        let gain = self.gain(number);
        let mut after = before.clone();
        for (record, direction) in records.iter().zip(&directions) {
            for game in &record.games {
                after.games[2 - usize::from(game.half_points.min(2))] += 1;
            }
            let result = record.half_points() as f64 - 2.0;
            for ((value, it), sign) in after.values.iter_mut().zip(&self.tuned).zip(direction) {
                let step = gain * spread * it.reach * result * sign;
                *value = (*value + step).clamp(f64::from(it.min), f64::from(it.max));
            }
        }
        Ok(Some(after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::TimeManager;
    use crate::{Budget, Clock};
    use cassius_chess::openings;
    use cassius_search::Limits;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    struct NoTime;

    impl Clock for NoTime {
        fn now(&self) -> Duration {
            Duration::ZERO
        }
    }

    impl TimeManager for NoTime {
        fn limits<'a>(&'a self, _: Duration, _: Duration, _: usize) -> Box<dyn Limits + 'a> {
            unreachable!("no clocks")
        }
    }

    fn run(settings: &Settings<'_>, jobs: usize, from: (u64, Step), to: u64) -> Step {
        let stop = AtomicBool::new(false);
        let world = World { clock: &NoTime, manager: &NoTime, stop: &stop, jobs };
        let (first, mut step) = from;
        for number in first..to {
            step = settings.step(number, &step, &world).unwrap().expect("not stopped");
        }
        step
    }

    fn settings<'a>(openings: &'a [Opening], tuned: &str, steps: u64) -> Settings<'a> {
        let player: Player = "lab".parse().unwrap();
        Settings {
            tuned: vec![Tuned::named(tuned, &player).unwrap()],
            player,
            steps,
            pairs: 4,
            rate: 0.2,
            pace: Pace::PerMove(Budget { nodes: Some(60), ..Budget::default() }),
            openings,
            rules: Rules::default(),
            hash: 1,
            seed: 1,
        }
    }

    #[test]
    fn the_same_steps_whatever_the_jobs_and_interruptions() {
        let openings = openings::builtin();
        let settings = settings(&openings, "Captures.margin=40", 6);
        let once = run(&settings, 1, (0, settings.begin()), 4);
        let half = run(&settings, 2, (0, settings.begin()), 2);
        assert_eq!(run(&settings, 2, (2, half), 4), once);
        assert_eq!(once.games.iter().sum::<u64>(), 32);
        assert_ne!(once.values, settings.begin().values);
    }

    /// A component that is worth hundreds of Elo is switched on by its own results.
    #[test]
    fn a_parameter_that_matters_finds_its_way() {
        let openings = openings::builtin();
        let mut settings = settings(&openings, "Captures.on=0.5", 24);
        settings.tuned[0].start = 0;
        settings.rate = 0.5;
        settings.pace = Pace::PerMove(Budget { nodes: Some(300), ..Budget::default() });
        let end = run(&settings, 2, (0, settings.begin()), 24);
        assert!(end.values[0] > 0.5, "{end:?}");
    }

    #[test]
    fn step_sizes_fall_to_their_last_values() {
        let openings = openings::builtin();
        let settings = settings(&openings, "Captures.margin=40", 1000);
        assert!(settings.spread(0) > settings.spread(500) && settings.spread(500) > 1.0);
        assert!((settings.spread(999) - 1.0).abs() < 1e-9);
        let moved = |step| settings.gain(step) * settings.spread(step);
        assert!(moved(0) > moved(500) && moved(500) > moved(999));
        assert!((settings.gain(999) - 0.2).abs() < 1e-3);
    }
}
