//! Unit tests of `store::tables`.

#![allow(clippy::unwrap_used)]

use super::*;

#[test]
fn every_file_of_a_folder_is_a_step() {
    for (engine, steps) in [("sqlite", &SQLITE), ("postgres", &POSTGRES)] {
        let folder = format!("{}/migrations/{engine}", env!("CARGO_MANIFEST_DIR"));
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), steps.iter().len(), "{engine}");
    }
}
