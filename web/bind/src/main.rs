//! Writes the JavaScript that surrounds a module in WebAssembly: `bind MODULE.wasm FOLDER`.

use std::env;
use std::error::Error;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let [module, folder] = [1, 2].map(|at| env::args().nth(at));
    let (module, folder) = module.zip(folder).ok_or("bind MODULE.wasm FOLDER")?;
    Ok(Bindgen::new().input_path(module).web(true)?.typescript(true).remove_name_section(true).generate(folder)?)
}
