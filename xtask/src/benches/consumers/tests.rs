//! The program of a consumer, and the row of its figures.

use std::path::Path;

use super::{CONSUMERS, main, manifest, row};

#[test]
fn a_consumer_depends_on_its_crates_and_nothing_else() {
    let manifest = manifest(Path::new("/work"), &CONSUMERS[0]);
    let (_, dependencies) = manifest.split_once("[dependencies]\n").unwrap();
    assert_eq!(
        dependencies,
        "throughline-engine = { path = \"/work/crates/engine\", features = [] }\n\
         throughline-wire = { path = \"/work/crates/wire\", features = [] }\n"
    );
    assert_eq!(main(&CONSUMERS[2]), "use throughline as _;\n\nfn main() {}\n");
}

#[test]
fn a_figure_stands_next_to_its_aim() {
    assert_eq!(
        row(&CONSUMERS[0], 70, 60.4),
        "| throughline-engine and throughline-wire | 70 (aim 70: reached) | 60 (aim 60: missed) |"
    );
    assert_eq!(row(&CONSUMERS[2], 300, 250.0), "| throughline with `full` | 300 | 250 |");
}
