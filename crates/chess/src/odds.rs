//! The chances of a win, a draw and a loss in games of the engine with itself.
//!
//! A win has the chance 1/(1 + e⁻ᶻ), z = s·v − d, for a value of v hundredths of a pawn. The slope s and the
//! distance d are polynomials of the number of pieces on the board. A loss has the chance of a win with −v, a
//! draw the rest. The weights are in `odds.txt`; `cassius lab odds` fits them.

use cassius_search::Score;
use std::sync::LazyLock;

/// The weights: three for each polynomial, the constant first. The variable is the number of pieces, divided
/// by 32.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    /// What a hundredth of a pawn counts.
    pub slope: [f64; 3],
    /// How far an equal position is from a win.
    pub distance: [f64; 3],
}

static BUILT_IN: LazyLock<Odds> =
    LazyLock::new(|| Odds::parse(include_str!("odds.txt")).expect("a test reads the file"));

impl Odds {
    /// Returns the weights that are built in.
    pub fn built_in() -> &'static Odds {
        &BUILT_IN
    }

    /// Reads the weights, as [`Odds::to_text`] writes them. Returns `None` if the text is something else, or
    /// if a greater value would not always mean a greater chance, or chances could be negative.
    pub fn parse(text: &str) -> Option<Odds> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let mut weights = |name| -> Option<[f64; 3]> {
            let numbers = lines.next()?.strip_prefix(name)?.split_whitespace().map(str::parse);
            numbers.collect::<Result<Vec<f64>, _>>().ok()?.try_into().ok()
        };
        let odds = Odds { slope: weights("slope ")?, distance: weights("distance ")? };
        let sound = |pieces| {
            let (slope, distance) = odds.at(pieces);
            slope > 0.0 && slope.is_finite() && distance >= 0.0 && distance.is_finite()
        };
        (2..=32).all(sound).then_some(odds)
    }

    /// Returns the weights as text. The first lines say what they were fitted to.
    pub fn to_text(&self, about: &str) -> String {
        let about: String = about.lines().map(|line| format!("# {line}\n")).collect();
        let text = |weights: [f64; 3]| weights.map(|weight| format!(" {weight:.7}")).concat();
        format!("{about}slope{}\ndistance{}\n", text(self.slope), text(self.distance))
    }

    fn at(&self, pieces: usize) -> (f64, f64) {
        let pieces = pieces as f64 / 32.0;
        let at = |[a, b, c]: [f64; 3]| a + pieces * (b + pieces * c);
        (at(self.slope), at(self.distance))
    }

    /// Returns the chances of a win, a draw and a loss, in thousandths, for the side that the value is for.
    /// `pieces` is the number of pieces and pawns on the board, kings included.
    ///
    /// ```
    /// use cassius_chess::odds::Odds;
    /// use cassius_search::Score;
    /// let [win, draw, loss] = Odds::built_in().of(Score(100), 32);
    /// assert_eq!(win + draw + loss, 1000);
    /// assert!(win > loss);
    /// assert_eq!(Odds::built_in().of(Score::win_in(3), 32), [1000, 0, 0]);
    /// ```
    pub fn of(&self, value: Score, pieces: usize) -> [u32; 3] {
        if value.is_decided() {
            return if value > Score::DRAW { [1000, 0, 0] } else { [0, 0, 1000] };
        }
        let (slope, distance) = self.at(pieces.clamp(2, 32));
        let chance = |value: i32| 1.0 / (1.0 + (distance - slope * f64::from(value)).exp());
        let [win, loss] = [value.0, -value.0].map(|value| (1000.0 * chance(value)).floor() as u32);
        [win, 1000 - win - loss, loss]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_chances() {
        let odds = Odds::built_in();
        for pieces in 0..=40 {
            let mut before = 0;
            for value in -3_000..=3_000 {
                let [win, draw, loss] = odds.of(Score(value), pieces);
                assert_eq!(win + draw + loss, 1000);
                assert!(win >= before);
                assert_eq!(odds.of(Score(-value), pieces), [loss, draw, win]);
                before = win;
            }
            assert!(before > 990);
        }
    }

    #[test]
    fn read_as_written() {
        let odds = Odds::built_in();
        assert_eq!(Odds::parse(&odds.to_text("about")).as_ref(), Some(odds));
        let [good, bad] = ["slope 0.02 0 0\ndistance 1 0 0\n", "slope 0.02 -0.03 0\ndistance 1 0 0\n"];
        assert!(Odds::parse(good).is_some());
        let negative = good.replace('1', "-1");
        let short = good.replace("1 0 0", "1 0");
        for wrong in ["", "slope", "slope x 0 0\ndistance 1 0 0", bad, &negative, &short] {
            assert_eq!(Odds::parse(wrong), None, "{wrong}");
        }
    }
}
