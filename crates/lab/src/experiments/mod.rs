//! The experiments, one file each, and the code that several of them share.

mod abc_lines;
mod abc_theorems;
mod ablation;
mod alpha_beta_leaves;
mod appendix;
mod best_first;
mod certificates;
mod check_replies;
mod conspiracy_bounds;
mod conspiracy_table;
mod conspirators;
mod deepening_recurrence;
mod depth_rules;
mod endings;
mod endless_checks;
mod fail_high_nodes;
mod fail_soft;
mod failure_polynomials;
mod fractional_plies;
mod full_width;
mod growth_example;
mod growth_scale;
mod hard_positions;
mod horizon_example;
mod human_error;
mod human_moves;
mod importance;
mod iterative_deepening;
mod kaindl_figures;
mod key_moments;
mod known_positions;
mod leaves;
mod level_errors;
mod likelihood;
mod measure;
mod moving_values;
mod null_move;
mod option_counting;
mod option_signals;
mod oracle;
mod random_trees;
mod root_values;
mod signal_order;
mod signal_uses;
mod singular_margins;
mod sss_star;
mod stability;
mod strategy_lemmas;
mod strongly_ordered_trees;
mod two_depths;
mod uniform_growth;
mod whose_extension;
mod windows;
mod written;

use crate::experiment::Experiment;

pub use abc_lines::ABC_LINES;
pub use abc_theorems::ABC_THEOREMS;
pub use ablation::ABLATION;
pub(crate) use leaves::RootWindow;
pub(crate) use measure::trees;

pub use alpha_beta_leaves::ALPHA_BETA_LEAVES;
pub use appendix::APPENDIX;
pub use best_first::BEST_FIRST;
pub use certificates::CERTIFICATES;
pub use check_replies::CHECK_REPLIES;
pub use conspiracy_bounds::CONSPIRACY_BOUNDS;
pub use conspiracy_table::CONSPIRACY_TABLE;
pub use conspirators::CONSPIRATORS;
pub use deepening_recurrence::DEEPENING_RECURRENCE;
pub use depth_rules::DEPTH_RULES;
pub use endings::ENDINGS;
pub use endless_checks::ENDLESS_CHECKS;
pub use fail_high_nodes::FAIL_HIGH_NODES;
pub use fail_soft::FAIL_SOFT;
pub use failure_polynomials::FAILURE_POLYNOMIALS;
pub use fractional_plies::FRACTIONAL_PLIES;
pub use growth_example::GROWTH_EXAMPLE;
pub use growth_scale::GROWTH_SCALE;
pub use hard_positions::HARD_POSITIONS;
pub use horizon_example::HORIZON_EXAMPLE;
pub use human_error::HUMAN_ERROR;
pub use human_moves::HUMAN_MOVES;
pub use importance::IMPORTANCE;
pub use iterative_deepening::ITERATIVE_DEEPENING;
pub use kaindl_figures::KAINDL_FIGURES;
pub use key_moments::KEY_MOMENTS;
pub use known_positions::KNOWN_POSITIONS;
pub use level_errors::LEVEL_ERRORS;
pub use likelihood::LIKELIHOOD;
pub use moving_values::MOVING_VALUES;
pub use null_move::NULL_MOVE;
pub use option_counting::OPTION_COUNTING;
pub use option_signals::{OPTION_SIGNALS, STATIC_ESTIMATOR};
pub use oracle::ORACLE;
pub use random_trees::RANDOM_TREES;
pub use root_values::ROOT_VALUES;
pub use signal_order::SIGNAL_ORDER;
pub use signal_uses::SIGNAL_USES;
pub use singular_margins::SINGULAR_MARGINS;
pub use sss_star::SSS_STAR;
pub use stability::STABILITY;
pub use strategy_lemmas::STRATEGY_LEMMAS;
pub use strongly_ordered_trees::STRONGLY_ORDERED_TREES;
pub use two_depths::TWO_DEPTHS;
pub use uniform_growth::UNIFORM_GROWTH;
pub use whose_extension::WHOSE_EXTENSION;
pub use windows::WINDOWS;

/// All experiments, in the order in which they are listed.
pub const EXPERIMENTS: &[&Experiment] = &[
    &ALPHA_BETA_LEAVES,
    &RANDOM_TREES,
    &STRONGLY_ORDERED_TREES,
    &DEEPENING_RECURRENCE,
    &FAIL_SOFT,
    &WINDOWS,
    &SSS_STAR,
    &ROOT_VALUES,
    &APPENDIX,
    &CONSPIRACY_BOUNDS,
    &GROWTH_EXAMPLE,
    &UNIFORM_GROWTH,
    &CONSPIRACY_TABLE,
    &GROWTH_SCALE,
    &BEST_FIRST,
    &CONSPIRATORS,
    &STRATEGY_LEMMAS,
    &STABILITY,
    &TWO_DEPTHS,
    &WHOSE_EXTENSION,
    &SIGNAL_USES,
    &SIGNAL_ORDER,
    &MOVING_VALUES,
    &HARD_POSITIONS,
    &LEVEL_ERRORS,
    &FAILURE_POLYNOMIALS,
    &ABC_LINES,
    &ABC_THEOREMS,
    &FAIL_HIGH_NODES,
    &CERTIFICATES,
    &STATIC_ESTIMATOR,
    &OPTION_SIGNALS,
    &ITERATIVE_DEEPENING,
    &KAINDL_FIGURES,
    &CHECK_REPLIES,
    &LIKELIHOOD,
    &HORIZON_EXAMPLE,
    &FRACTIONAL_PLIES,
    &ENDLESS_CHECKS,
    &ENDINGS,
    &NULL_MOVE,
    &ABLATION,
    &DEPTH_RULES,
    &IMPORTANCE,
    &OPTION_COUNTING,
    &ORACLE,
    &SINGULAR_MARGINS,
    &KNOWN_POSITIONS,
    &KEY_MOMENTS,
    &HUMAN_ERROR,
    &HUMAN_MOVES,
];

/// Returns the experiment with this name.
pub fn find(id: &str) -> Option<&'static Experiment> {
    EXPERIMENTS.iter().find(|experiment| experiment.id == id).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_experiment_has_its_own_name_and_says_where_it_is_from() {
        let ids: BTreeSet<&str> = EXPERIMENTS.iter().map(|experiment| experiment.id).collect();
        assert_eq!(ids.len(), EXPERIMENTS.len());
        for experiment in EXPERIMENTS {
            assert!(find(experiment.id).is_some());
            assert!(
                !experiment.claim.is_empty()
                    && !experiment.paper.is_empty()
                    && !experiment.section.is_empty()
            );
        }
    }
}
