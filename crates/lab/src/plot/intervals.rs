//! A plot of points with the intervals of their values, beside the line of equality: predicted against
//! observed values.

use super::{
    Axis, BOTTOM, COLOURS, HEIGHT, LEFT, RIGHT, Scale, TOP, WIDTH, label, level, name_across, name_down,
    page, upright,
};
use crate::statistics::Estimate;
use std::fmt::Write as _;

/// A plot of points that should lie on the line y = x. Both axes show the same values, from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervals {
    /// The short name, for the file's name.
    pub name: String,
    /// The title above the plot.
    pub title: String,
    /// The label below the horizontal axis: quantity and unit.
    pub x: String,
    /// The label beside the vertical axis: quantity and unit.
    pub y: String,
    /// The points, from left to right.
    pub points: Vec<(f64, Estimate)>,
}

impl Intervals {
    /// Returns the plot as an SVG document.
    pub fn to_svg(&self) -> String {
        let values = self.points.iter().flat_map(|(x, y)| [*x, y.value, y.high]);
        let axis = Axis::over(values.chain([0.0, 0.1]), Scale::Linear);
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let across = |value| axis.share(value).map(|share| LEFT + share * (right - LEFT));
        let down = |value| axis.share(value).map(|share| bottom - share * (bottom - TOP));

        let mut svg = page(HEIGHT, &self.title);
        for (tick, x, y) in axis.ticks.iter().filter_map(|tick| Some((tick, across(*tick)?, down(*tick)?))) {
            upright(&mut svg, x, bottom, &label(*tick));
            level(&mut svg, y, right, &label(*tick));
        }
        name_across(&mut svg, [LEFT, right], HEIGHT, &self.x);
        name_down(&mut svg, [TOP, bottom], &self.y);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{bottom}\" x2=\"{right}\" \
             y2=\"{TOP}\" stroke=\"#888\" stroke-dasharray=\"6 4\"/>"
        );
        for (x, y) in &self.points {
            let place = || Some((across(*x)?, down(y.value)?, down(y.low)?, down(y.high)?));
            let Some((x, y, low, high)) = place() else { continue };
            let colour = COLOURS[0];
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" y1=\"{low:.1}\" x2=\"{x:.1}\" y2=\"{high:.1}\" stroke=\"{colour}\" \
                 stroke-width=\"2\"/><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>"
            );
        }
        let legend = [
            ("stroke=\"#888\" stroke-dasharray=\"6 4\"", "as predicted"),
            ("stroke=\"#0072b2\" stroke-width=\"2\"", "seen, 95 % interval"),
        ];
        for (number, (stroke, text)) in legend.into_iter().enumerate() {
            let at = TOP + 12.0 + 20.0 * number as f64;
            let _ = writeln!(
                svg,
                "<line x1=\"{:.1}\" y1=\"{at}\" x2=\"{:.1}\" y2=\"{at}\" \
                 {stroke}/><text x=\"{:.1}\" y=\"{:.1}\">{text}</text>",
                right + 14.0,
                right + 42.0,
                right + 50.0,
                at + 4.0
            );
        }
        svg + "</svg>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: Vec<(f64, Estimate)>) -> String {
        let [name, title, x, y] = ["p", "T & t", "x", "y"].map(String::from);
        Intervals { name, title, x, y, points }.to_svg()
    }

    #[test]
    fn points_lie_where_they_should() {
        let svg = plot(vec![
            (0.5, Estimate { value: 0.5, low: 0.25, high: 1.0 }),
            (0.0, Estimate { value: 0.0, low: 0.0, high: 0.0 }),
        ]);
        // The axes go from 0 to 1: the test looks for the middle of the frame, three quarters down, and
        // for its top.
        assert!(svg.contains("<line x1=\"300.0\" y1=\"299.0\" x2=\"300.0\" y2=\"44.0\""), "{svg}");
        assert!(
            svg.contains("<circle cx=\"300.0\" cy=\"214.0\"")
                && svg.contains("<circle cx=\"80.0\" cy=\"384.0\""),
            "{svg}"
        );
        assert!(svg.contains("T &amp; t") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn odd_data_make_no_odd_numbers() {
        let odd = Estimate { value: f64::NAN, low: 0.0, high: f64::INFINITY };
        for points in
            [vec![], vec![(0.1, odd)], vec![(f64::NAN, Estimate { value: 0.2, low: 0.1, high: 0.3 })]]
        {
            let svg = plot(points);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
