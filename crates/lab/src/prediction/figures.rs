//! The plots of a report on errors.

use super::Bin;
use crate::plot::{Bars, Intervals};
use crate::statistics::Estimate;

/// Returns a reliability diagram: the share of errors in each bin of a
/// [`calibration`](super::calibration()) against the mean chance.
pub fn reliability(name: &str, title: &str, bins: &[Bin]) -> Intervals {
    Intervals {
        name: name.into(),
        title: title.into(),
        x: "predicted chance of an error, mean of the bin".into(),
        y: "share of errors".into(),
        points: bins.iter().map(|bin| (bin.predicted, bin.observed)).collect(),
    }
}

/// Returns a plot of the areas of several scores, each with its name, from the best to the worst.
pub fn areas(name: &str, title: &str, areas: &[(String, Estimate)]) -> Bars {
    let mut bars = areas.to_vec();
    bars.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    Bars {
        name: name.into(),
        title: title.into(),
        x: "area under the ROC, 95 % interval by games".into(),
        from: 0.5,
        bars,
    }
}

#[cfg(test)]
mod tests {
    use super::super::generated::observations;
    use super::super::{Bootstrap, RIDGE, auc_interval, calibration, column, folds};
    use super::*;

    #[test]
    fn a_report_can_be_drawn() {
        let observations = observations(2000, 10, &[1.0, 0.5], -1.0, 1);
        let chances = folds::out_of_fold(&observations, 5, RIDGE, 1).unwrap();
        let bins = calibration(&observations, &chances, 10).unwrap();
        let svg = reliability("calibration", "Calibration", &bins).to_svg();
        assert_eq!(svg.matches("<circle").count(), 10);
        let area = |scores: &[f64]| {
            auc_interval(&observations, scores, &Bootstrap { resamples: 200, seed: 1 }).unwrap()
        };
        let named = [
            ("half".to_string(), area(&column(&observations, 1).unwrap())),
            ("model".to_string(), area(&chances)),
        ];
        let drawn = areas("auc", "AUC", &named);
        assert_eq!(drawn.bars[0].0, "model");
        assert_eq!(drawn.to_svg().matches("<rect").count(), 3);
    }
}
