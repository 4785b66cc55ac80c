//! The page's side of the border to WebAssembly: text in, text out.

use crate::{Desk, Question};
use wasm_bindgen::prelude::*;

/// See [`crate::read`].
#[wasm_bindgen]
pub fn read(text: &str) -> String {
    crate::read(text)
}

/// See [`crate::place`].
#[wasm_bindgen]
pub fn place(start: &str, moves: Vec<String>) -> Result<String, JsError> {
    crate::place(start, &moves).map_err(|error| JsError::new(&error))
}

/// See [`crate::written`].
#[wasm_bindgen]
pub fn written(start: &str, moves: Vec<String>) -> Result<String, JsError> {
    crate::written(start, &moves).map_err(|error| JsError::new(&error))
}

/// See [`crate::extended`].
#[wasm_bindgen]
pub fn extended(pgn: &str, san: &str) -> Result<String, JsError> {
    crate::extended(pgn, san).map_err(|error| JsError::new(&error))
}

/// See [`crate::Desk`].
#[wasm_bindgen]
pub struct Searcher(Desk);

#[wasm_bindgen]
impl Searcher {
    /// Returns a searcher with a transposition table of this size in MiB.
    #[wasm_bindgen(constructor)]
    pub fn new(mib: usize) -> Result<Searcher, JsError> {
        Ok(Searcher(Desk::new(mib)?))
    }

    /// Answers a question, both as JSON. `tell` receives the answers.
    pub fn answer(&mut self, question: &str, tell: &js_sys::Function) -> Result<(), JsError> {
        let question: Question = serde_json::from_str(question)?;
        self.0.answer(&question, &mut |answer| {
            let text = serde_json::to_string(&answer).expect("strings and numbers");
            tell.call1(&JsValue::NULL, &JsValue::from_str(&text)).is_ok()
        });
        Ok(())
    }
}
