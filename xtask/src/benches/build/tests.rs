//! Reading what `times` and `cargo tree` print, and the row of a figure.

use super::{children_seconds, distinct, row};

#[test]
fn the_time_of_children_is_the_second_line() {
    let seconds = children_seconds("0m0.00s 0m0.01s\n10m2.50s 0m30.25s\n").unwrap();
    assert!((seconds - 632.75).abs() < 1e-9, "{seconds}");
    for text in ["", "0m0.00s 0m0.01s\n", "a\nb\n"] {
        assert_eq!(children_seconds(text), None);
    }
}

#[test]
fn a_crate_counts_once_per_version() {
    let tree =
        "cli v0.1.0 (/a)\nserde v1.0.0\nserde v1.0.0 (*)\nserde v2.0.0\nmacros v1.0.0 (proc-macro)\n\n";
    assert_eq!(distinct(tree), 4);
}

#[test]
fn a_figure_stands_next_to_its_aim() {
    assert_eq!(row("MB", 88.04, 45.0), "    88.0 MB           aim 45: missed");
    assert_eq!(row("crates", 280.0, 280.0), "   280.0 crates       aim 280: reached");
}
