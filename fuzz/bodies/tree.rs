//! Trees as text: a tree that can be read is written as an equivalent one, and `cassius tree` shows it
//! in words, as JSON and as a picture.

use cassius_games::Tree;
use cassius_search::plans::strategy::{Side, number_of_strategies, strategies};

pub fn run(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    let Ok(tree) = text.parse::<Tree>() else { return };
    let written = tree.to_string();
    assert_eq!(written.parse::<Tree>().as_ref(), Ok(&tree), "{written}");
    if tree.len() <= 100 {
        for side in [Side::Max, Side::Min] {
            if let Some(count @ ..200) = number_of_strategies(&tree, side) {
                assert_eq!(strategies(&tree, side).count() as u128, count, "{written}");
            }
        }
        cassius::commands::tree::shown(text).expect("a tree");
    }
}
