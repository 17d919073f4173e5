//! A heavy package is found by its whole name.

use super::heavy;

#[test]
fn a_heavy_package_is_found_by_its_whole_name() {
    let tree =
        "throughline-wire v0.1.0 (/crates/wire)\nserde v1.0.229\ntokio-macros v2.7.2\nreqwest v0.12.9 (*)\n";
    assert_eq!(heavy(tree, &["serde"]), ["reqwest", "serde"]);
    assert!(heavy("serde v1.0.229\nhyper-util v0.1.21\n", &["tokio"]).is_empty());
}
