//! Blocks that are a part of a program, and blocks that are not.

use super::check;
use crate::tree::TextFile;

fn found(block: &str) -> Vec<String> {
    let file = |path: &str, text: &str| TextFile { path: path.to_owned(), text: text.to_owned() };
    let program = "use a;\n\nfn main() {\n    one();\n    two();\n    three();\n}\n";
    let files = [
        file("crates/a/examples/b.rs", program),
        file("docs/c.md", &format!("Text.\n\n```rust\n{block}\n```\n\n```sh\none\n```\n")),
    ];
    check(&files).iter().map(ToString::to_string).collect()
}

#[test]
fn a_part_of_a_program_is_good_with_any_indentation() {
    assert!(found("one();\ntwo();").is_empty());
    assert!(found("fn main() {\n// …\n    three();\n}").is_empty());
}

#[test]
fn other_lines_and_another_order_are_found() {
    assert!(found("four();")[0].starts_with("docs/c.md:3: the block is no part"));
    assert_eq!(found("one();\nthree();").len(), 1);
    assert_eq!(found("three();\n// …\none();").len(), 1);
}
