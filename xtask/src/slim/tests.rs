//! A heavy package is found by its whole name.

use super::{count, heavy};

#[test]
fn a_heavy_package_is_found_by_its_whole_name() {
    let tree =
        "throughline-wire v0.1.0 (/crates/wire)\nserde v1.0.229\ntokio-macros v2.7.2\nreqwest v0.12.9 (*)\n";
    assert_eq!(heavy(tree, &["serde"]), ["reqwest", "serde"]);
    assert!(heavy("serde v1.0.229\nhyper-util v0.1.21\n", &["tokio"]).is_empty());
}

#[test]
fn a_crate_of_two_versions_counts_twice_and_a_repeated_line_once() {
    assert_eq!(count("serde v1.0.229\nserde v1.0.229 (*)\n\nrand v0.8.5\nrand v0.9.2 (/x)\n", &["own"]), 3);
    assert_eq!(count("own v0.1.0 (/x)\nserde v1.0.229\n", &["own"]), 1);
}
