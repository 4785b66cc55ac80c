//! A plot of named values with their intervals, one bar below the other.

use super::{Axis, BOTTOM, COLOURS, Scale, TOP, WIDTH, escape, label, name_across, page, upright};
use crate::statistics::Estimate;
use std::fmt::Write as _;

/// A plot of bars that begin at the neutral value.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// The short name, for the file's name.
    pub name: String,
    /// The title above the plot.
    pub title: String,
    /// The label below the horizontal axis: quantity and unit.
    pub x: String,
    /// The value where the bars begin.
    pub from: f64,
    /// Names and values, from top to bottom.
    pub bars: Vec<(String, Estimate)>,
}

/// The widths of the names, and of the values as text.
const NAMES: f64 = 240.0;
const WORDS: f64 = 160.0;
/// The distance from one bar to the next.
const ROW: f64 = 30.0;

impl Bars {
    /// Returns the plot as an SVG document.
    pub fn to_svg(&self) -> String {
        let values = self.bars.iter().flat_map(|(_, bar)| [bar.value, bar.low, bar.high]);
        // Shares have three digits, Elo and the like none.
        let is_large = values.clone().any(|value| value.is_finite() && value.abs() >= 10.0);
        let digits = if is_large { 0 } else { 3 };
        let axis = Axis::over(values.chain([self.from]), Scale::Linear);
        let right = WIDTH - WORDS;
        let across = |value| axis.share(value).map(|share| NAMES + share * (right - NAMES));
        let bottom = TOP + ROW * self.bars.len() as f64 + 8.0;
        let height = bottom + BOTTOM;

        let mut svg = page(height, &self.title);
        for (tick, at) in axis.ticks.iter().filter_map(|tick| Some((tick, across(*tick)?))) {
            upright(&mut svg, at, bottom, &label(*tick));
        }
        name_across(&mut svg, [NAMES, right], height, &self.x);
        for (number, (name, bar)) in self.bars.iter().enumerate() {
            let centre = TOP + ROW * (number as f64 + 0.5) + 4.0;
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                NAMES - 10.0,
                centre + 4.0,
                escape(name)
            );
            let place =
                || Some((across(self.from)?, across(bar.value)?, across(bar.low)?, across(bar.high)?));
            let Some((from, value, low, high)) = place() else { continue };
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"16\" fill=\"{}\"/><line \
                 x1=\"{low:.1}\" y1=\"{centre:.1}\" x2=\"{high:.1}\" y2=\"{centre:.1}\" stroke=\"#000000\" \
                 stroke-width=\"2\"/><text x=\"{:.1}\" y=\"{:.1}\">{:.digits$} [{:.digits$}, {:.digits$}]\
                 </text>",
                from.min(value),
                centre - 8.0,
                (value - from).abs(),
                COLOURS[5],
                right + 10.0,
                centre + 4.0,
                bar.value,
                bar.low,
                bar.high
            );
        }
        svg + "</svg>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(bars: Vec<(&str, Estimate)>) -> String {
        let [name, title, x] = ["p", "t", "x"].map(String::from);
        let bars = bars.into_iter().map(|(name, bar)| (name.to_string(), bar)).collect();
        Bars { name, title, x, from: 0.5, bars }.to_svg()
    }

    #[test]
    fn bars_begin_where_nothing_is_said() {
        let svg = plot(vec![
            ("better < best", Estimate { value: 0.75, low: 0.625, high: 1.0 }),
            ("worse", Estimate { value: 0.25, low: 0.0, high: 0.5 }),
        ]);
        // The axis goes from 0 to 1, in a frame from 240 to 560.
        assert!(svg.contains("<rect x=\"400.0\" y=\"55.0\" width=\"80.0\""), "{svg}");
        assert!(svg.contains("<line x1=\"440.0\" y1=\"63.0\" x2=\"560.0\" y2=\"63.0\""), "{svg}");
        assert!(svg.contains("<rect x=\"320.0\" y=\"85.0\" width=\"80.0\""), "{svg}");
        assert!(svg.contains("better &lt; best") && svg.contains("0.750 [0.625, 1.000]"));
    }

    #[test]
    fn large_values_have_no_digits() {
        let svg = plot(vec![("strong", Estimate { value: 16.3, low: -1.5, high: 34.1 })]);
        assert!(svg.contains("16 [-2, 34]"), "{svg}");
    }

    #[test]
    fn odd_data_make_no_odd_numbers() {
        let odd = Estimate { value: f64::NAN, low: 0.0, high: f64::INFINITY };
        for bars in [vec![], vec![("odd", odd)]] {
            let svg = plot(bars);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
