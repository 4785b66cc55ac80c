//! Plots as SVG, small enough to read: lines in this module, values with intervals in [`intervals`] and
//! [`bars`].

pub mod bars;
pub mod intervals;

pub use bars::Bars;
pub use intervals::Intervals;

use std::fmt::Write as _;

/// A plot of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// Lines.
    Lines(Plot),
    /// Bars.
    Bars(Bars),
    /// Points with intervals.
    Intervals(Intervals),
}

impl Figure {
    /// Returns the short name, for the file's name.
    pub fn name(&self) -> &str {
        match self {
            Figure::Lines(plot) => &plot.name,
            Figure::Bars(plot) => &plot.name,
            Figure::Intervals(plot) => &plot.name,
        }
    }

    /// Returns the title above the plot.
    pub fn title(&self) -> &str {
        match self {
            Figure::Lines(plot) => &plot.title,
            Figure::Bars(plot) => &plot.title,
            Figure::Intervals(plot) => &plot.title,
        }
    }

    /// Returns the plot as an SVG document.
    pub fn to_svg(&self) -> String {
        match self {
            Figure::Lines(plot) => plot.to_svg(),
            Figure::Bars(plot) => plot.to_svg(),
            Figure::Intervals(plot) => plot.to_svg(),
        }
    }
}

impl From<Plot> for Figure {
    fn from(plot: Plot) -> Figure {
        Figure::Lines(plot)
    }
}

impl From<Bars> for Figure {
    fn from(plot: Bars) -> Figure {
        Figure::Bars(plot)
    }
}

impl From<Intervals> for Figure {
    fn from(plot: Intervals) -> Figure {
        Figure::Intervals(plot)
    }
}

/// A plot: several lines over one pair of axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// The short name, for the file's name.
    pub name: String,
    /// The title above the plot.
    pub title: String,
    /// The label below the horizontal axis: quantity and unit.
    pub x: String,
    /// The label beside the vertical axis: quantity and unit.
    pub y: String,
    /// The scale of the vertical axis.
    pub scale: Scale,
    /// The lines.
    pub series: Vec<Series>,
}

/// How values are mapped to an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Linearly.
    Linear,
    /// By their logarithm. Values that are not positive are left out.
    Logarithmic,
}

/// A line with its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// How far an error bar reaches above and below each point; empty for no error bars.
    pub reach: Vec<f64>,
}

impl Series {
    /// Creates a line of points without error bars.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        Series { name: name.into(), points: points.into_iter().collect(), reach: Vec::new() }
    }

    /// Returns the error bars: the horizontal coordinate, and the two ends.
    fn bars(&self) -> impl Iterator<Item = (f64, [f64; 2])> {
        self.points.iter().zip(&self.reach).map(|((x, y), reach)| (*x, [y - reach, y + reach]))
    }
}

/// Colours that most people can tell apart, also in print (Okabe and Ito 2008). Where they
/// come again, markers are hollow.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 200.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 56.0;

/// An axis: the values it shows, and its ticks.
struct Axis {
    low: f64,
    high: f64,
    ticks: Vec<f64>,
    scale: Scale,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>, scale: Scale) -> Axis {
        let shown = |value: &f64| value.is_finite() && (scale == Scale::Linear || *value > 0.0);
        let (low, high) = values
            .filter(shown)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return Axis { low: 1.0, high: 2.0, ticks: Vec::new(), scale }; // there is nothing to show
        }
        match scale {
            Scale::Linear => {
                let step = nice_step((high - low).max(high.abs() * 1e-9).max(f64::MIN_POSITIVE) / 6.0);
                let (first, last) =
                    ((low / step).floor(), (high / step).ceil().max((low / step).floor() + 1.0));
                let ticks = (0..=((last - first) as usize).min(50)).map(|i| (first + i as f64) * step);
                Axis { low: first * step, high: last * step, ticks: ticks.collect(), scale }
            }
            Scale::Logarithmic => {
                let first = low.log10().floor() as i32;
                let last = (high.log10().ceil() as i32).max(first + 1);
                let ticks = (first..=last).map(|exponent| 10f64.powi(exponent));
                Axis { low: 10f64.powi(first), high: 10f64.powi(last), ticks: ticks.collect(), scale }
            }
        }
    }

    /// Returns the position of a value between the ends, 0 to 1.
    fn share(&self, value: f64) -> Option<f64> {
        let share = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        share.is_finite().then_some(share)
    }
}

/// Returns the smallest number of at least `step` that is 1, 2 or 5 times a power of ten.
fn nice_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|nice| nice * power)
        .find(|nice| *nice >= step * 0.999)
        .unwrap_or(step)
}

impl Plot {
    /// Returns the plot as an SVG document.
    pub fn to_svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x = Axis::over(points().map(|point| point.0), Scale::Linear);
        let ends = self.series.iter().flat_map(|series| series.bars().flat_map(|(_, ends)| ends));
        let y = Axis::over(points().map(|point| point.1).chain(ends), self.scale);
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let across = |value| x.share(value).map(|share| LEFT + share * (right - LEFT));
        let down = |value| y.share(value).map(|share| bottom - share * (bottom - TOP));

        let mut svg = page(HEIGHT, &self.title);
        for (tick, at) in x.ticks.iter().filter_map(|tick| Some((tick, across(*tick)?))) {
            upright(&mut svg, at, bottom, &label(*tick));
        }
        for (tick, at) in y.ticks.iter().filter_map(|tick| Some((tick, down(*tick)?))) {
            level(&mut svg, at, right, &label(*tick));
        }
        name_across(&mut svg, [LEFT, right], HEIGHT, &self.x);
        name_down(&mut svg, [TOP, bottom], &self.y);
        for (number, series) in self.series.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let places: Vec<(f64, f64)> =
                series.points.iter().filter_map(|point| Some((across(point.0)?, down(point.1)?))).collect();
            let line: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{}/>",
                line.join(" "),
                dashes(number)
            );
            for (x, [from, to]) in series.bars() {
                if let (Some(x), Some(from), Some(to)) = (across(x), down(from), down(to)) {
                    let _ = writeln!(
                        svg,
                        "<line x1=\"{x:.1}\" y1=\"{from:.1}\" \
                         x2=\"{x:.1}\" y2=\"{to:.1}\" stroke=\"{colour}\"/>"
                    );
                }
            }
            let at = TOP + 12.0 + 20.0 * number as f64;
            let _ = writeln!(
                svg,
                "<line x1=\"{:.1}\" y1=\"{at}\" x2=\"{:.1}\" y2=\"{at}\" stroke=\"{colour}\" \
                 stroke-width=\"2\"{}/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                right + 14.0,
                right + 42.0,
                dashes(number),
                right + 50.0,
                at + 4.0,
                escape(&series.name)
            );
            let fill = if (number / COLOURS.len()).is_multiple_of(2) { colour } else { "white" };
            for (x, y) in places.into_iter().chain([(right + 28.0, at)]) {
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{fill}\" stroke=\"{colour}\"/>"
                );
            }
        }
        svg + "</svg>\n"
    }
}

/// Returns the beginning of a document, with its title.
fn page(height: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"26\" font-size=\"15\">{}</text>\n",
        escape(title)
    )
}

/// Draws a tick of the horizontal axis, with its grid line.
fn upright(svg: &mut String, at: f64, bottom: f64, text: &str) {
    let _ = writeln!(
        svg,
        "<line x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#ddd\"/>\
         <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
        bottom + 18.0
    );
}

/// Draws a tick of the vertical axis, with its grid line.
fn level(svg: &mut String, at: f64, right: f64, text: &str) {
    let _ = writeln!(
        svg,
        "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
        LEFT - 8.0,
        at + 4.0
    );
}

/// Writes the label of the horizontal axis.
fn name_across(svg: &mut String, [left, right]: [f64; 2], height: f64, name: &str) {
    let (middle, below) = ((left + right) / 2.0, height - 14.0);
    let name = escape(name);
    let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{name}</text>");
}

/// Writes the label of the vertical axis.
fn name_down(svg: &mut String, [top, bottom]: [f64; 2], name: &str) {
    let (centre, name) = ((top + bottom) / 2.0, escape(name));
    let _ = writeln!(
        svg,
        "<text transform=\"translate(20 {centre}) rotate(-90)\" text-anchor=\"middle\">{name}</text>"
    );
}

/// Returns the dashes of a line, so that lines that coincide can still be seen.
fn dashes(number: usize) -> String {
    if number == 0 { String::new() } else { format!(" stroke-dasharray=\"{} 4\"", 12 / number.min(6)) }
}

fn label(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        size if !(1e-3..1e6).contains(&size) => format!("{value:.0e}"),
        _ => {
            let text = format!("{value:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_string()
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(scale: Scale, points: &[(f64, f64)]) -> Plot {
        let series = vec![Series::new("a < b", points.to_vec())];
        Plot { name: "p".into(), title: "T & t".into(), x: "x".into(), y: "y".into(), scale, series }
    }

    #[test]
    fn draws_what_can_be_drawn() {
        let svg = plot(Scale::Logarithmic, &[(1.0, 10.0), (2.0, 1000.0), (3.0, 0.0)]).to_svg();
        assert!(svg.contains("T &amp; t") && svg.contains("a &lt; b"));
        assert_eq!(svg.matches("<circle").count(), 3, "two points, and the legend");
        assert!(svg.contains("points=\"80.0,384.0 "), "{svg}");
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn bars_reach_as_far_as_they_should() {
        let mut plot = plot(Scale::Linear, &[(1.0, 1.0), (2.0, 3.0)]);
        plot.series[0].reach = vec![1.0, 2.0];
        let svg = plot.to_svg();
        // The axis is from 0 to 5.
        for bar in [
            "x1=\"80.0\" y1=\"384.0\" x2=\"80.0\" y2=\"248.0\"",
            "x1=\"520.0\" y1=\"316.0\" x2=\"520.0\" y2=\"44.0\"",
        ] {
            assert!(svg.contains(bar), "{bar}: {svg}");
        }
    }

    #[test]
    fn odd_data_make_no_odd_numbers() {
        let all: [&[(f64, f64)]; 4] =
            [&[], &[(1.0, 5.0)], &[(0.0, 0.0), (0.0, 0.0)], &[(f64::NAN, 1.0), (1.0, f64::INFINITY)]];
        for points in all {
            for scale in [Scale::Linear, Scale::Logarithmic] {
                let svg = plot(scale, points).to_svg();
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            }
        }
    }

    #[test]
    fn steps_are_round() {
        for (step, nice) in [(0.3, 0.5), (1.0, 1.0), (1.1, 2.0), (30.0, 50.0), (60.0, 100.0)] {
            assert!((nice_step(step) - nice).abs() < 1e-9, "{step}: {}", nice_step(step));
        }
    }
}
