//! The page on embedding shows the loop that compiles as an example.

use std::fs;
use std::path::Path;

#[test]
fn the_loop_of_the_page_is_the_example() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(here.join("../../docs/embed.md")).unwrap();
    let example = fs::read_to_string(here.join("examples/own_loop.rs")).unwrap();
    let code = page.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(example.contains(code.trim()), "docs/embed.md and examples/own_loop.rs differ");
}
