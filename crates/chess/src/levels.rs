//! Levels of limited strength: how many nodes a move the engine may search to play like a player of a given
//! rating.
//!
//! The rating is a + b·x + c·x², where x is the binary logarithm of the number of nodes. The weights are in
//! `levels.txt`; `cassius lab levels` fits them to games against another engine whose levels have ratings.

use std::sync::LazyLock;

/// The weights of the curve, and the range of nodes in which it was fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    /// a, b and c.
    pub weights: [f64; 3],
    /// The smallest and the largest number of nodes with which games were played.
    pub nodes: [u64; 2],
}

static BUILT_IN: LazyLock<Levels> =
    LazyLock::new(|| Levels::parse(include_str!("levels.txt")).expect("a test reads the file"));

impl Levels {
    /// Returns the levels that are built in.
    pub fn built_in() -> &'static Levels {
        &BUILT_IN
    }

    /// Reads levels, as [`Levels::to_text`] writes them. Returns `None` if the text is something else, or if
    /// more nodes would not always mean a higher rating.
    pub fn parse(text: &str) -> Option<Levels> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let mut numbers = |name| -> Option<Vec<f64>> {
            let numbers = lines.next()?.strip_prefix(name)?.split_whitespace().map(str::parse);
            numbers.collect::<Result<Vec<f64>, _>>().ok()
        };
        let weights: [f64; 3] = numbers("rating ")?.try_into().ok()?;
        let nodes: [f64; 2] = numbers("nodes ")?.try_into().ok()?;
        let whole = nodes.iter().all(|nodes| *nodes >= 1.0 && nodes.fract() == 0.0 && *nodes < 1e15);
        let levels = Levels { weights, nodes: nodes.map(|nodes| nodes as u64) };
        let [_, b, c] = weights;
        let rises = nodes.iter().all(|nodes| b + 2.0 * c * nodes.log2() > 0.0);
        let finite = weights.iter().all(|weight| weight.is_finite());
        (whole && nodes[0] < nodes[1] && rises && finite).then_some(levels)
    }

    /// Returns the levels as text. The first lines say what they were fitted to.
    pub fn to_text(&self, about: &str) -> String {
        let about: String = about.lines().map(|line| format!("# {line}\n")).collect();
        let [a, b, c] = self.weights;
        format!("{about}rating {a:.4} {b:.5} {c:.6}\nnodes {} {}\n", self.nodes[0], self.nodes[1])
    }

    /// Returns the rating with this number of nodes a move.
    ///
    /// ```
    /// use cassius_chess::levels::Levels;
    /// let levels = Levels::built_in();
    /// assert!(levels.rating(2000) > levels.rating(1000));
    /// let nodes = levels.nodes(1900.0);
    /// assert!((levels.rating(nodes) - 1900.0).abs() < 20.0);
    /// ```
    pub fn rating(&self, nodes: u64) -> f64 {
        let [least, most] = self.nodes;
        let x = (nodes.clamp(least, most) as f64).log2();
        let [a, b, c] = self.weights;
        a + x * (b + x * c)
    }

    /// Returns the number of nodes with which the engine comes nearest to this rating. Outside the range in
    /// which the levels were fitted it is the smallest or the largest number of that range.
    pub fn nodes(&self, rating: f64) -> u64 {
        let [mut low, mut high] = self.nodes;
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.rating(middle) <= rating { low = middle } else { high = middle }
        }
        if (rating - self.rating(low)).abs() <= (self.rating(high) - rating).abs() { low } else { high }
    }

    /// Returns the lowest and the highest rating, rounded inwards to whole numbers.
    pub fn ratings(&self) -> [i64; 2] {
        let [least, most] = self.nodes.map(|nodes| self.rating(nodes));
        [least.ceil() as i64, most.floor() as i64]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_text_is_read_as_it_was_written(a in -500.0..500.0, b in 60.0..200.0, c in -1.5f64..1.5) {
            let levels = Levels { weights: [a, b, c], nodes: [25, 500_000] };
            let text = levels.to_text("Fitted by hand\nto nothing");
            let read = Levels::parse(&text).expect("levels");
            prop_assert_eq!(&read.nodes, &levels.nodes);
            let mut both = read.weights.iter().zip(levels.weights);
            prop_assert!(both.all(|(read, was)| (read - was).abs() < 1e-3));
            prop_assert_eq!(Levels::parse(&read.to_text("")), Some(read));
        }

        #[test]
        fn nodes_are_the_inverse_of_ratings(nodes in 25u64..500_000) {
            let levels = Levels { weights: [400.0, 110.0, 0.5], nodes: [25, 500_000] };
            prop_assert_eq!(levels.nodes(levels.rating(nodes)), nodes);
        }
    }

    #[test]
    fn outside_its_range_a_rating_gets_the_nearest_level() {
        let levels = Levels { weights: [400.0, 110.0, 0.5], nodes: [25, 500_000] };
        assert_eq!([levels.nodes(-9999.0), levels.nodes(9999.0)], [25, 500_000]);
    }

    #[test]
    fn what_is_not_a_rising_curve_is_refused() {
        for text in [
            "",
            "rating 1 2",
            "rating 1 2 3\nnodes 5 1\n",
            "rating 1 -2 0\nnodes 1 5\n",
            "rating 1 2 -1\nnodes 1 5\n",
        ] {
            assert_eq!(Levels::parse(text), None, "{text}");
        }
    }
}
