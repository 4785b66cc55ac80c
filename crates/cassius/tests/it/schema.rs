//! The published schemas of the JSON are those that the program prints.

use crate::common::run;
use std::fs;

/// `CASSIUS_UPDATE=1` writes them.
#[test]
fn the_published_schemas_are_current() {
    for command in ["annotate", "explain", "lab-run", "study"] {
        let output = run(&["schema", command], "");
        assert!(output.status.success());
        let printed = String::from_utf8(output.stdout).expect("text");
        let path = format!("{}/../../docs/schema/{command}.json", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("CASSIUS_UPDATE").is_some() {
            fs::write(&path, &printed).expect("the schema is written");
        }
        assert_eq!(
            fs::read_to_string(&path).expect("the schema"),
            printed,
            "{command}: CASSIUS_UPDATE=1 rewrites it"
        );
        let schema: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
        assert_eq!(schema["properties"]["version"]["type"], "integer");
    }
}
