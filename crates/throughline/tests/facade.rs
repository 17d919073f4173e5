//! How much an embedder has to know.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

/// Names that the crate exports, those of its modules included. An embedder learns them all, so a new one replaces another.
const MOST: usize = 60;

#[test]
fn the_facade_exports_few_names() {
    let sources = ["src/lib.rs", "src/ports.rs", "src/ports/scripted.rs"];
    let names: usize = sources.into_iter().map(exported).sum();
    assert!(names <= MOST, "{names} names are exported, at most {MOST} may be");
}

/// The number of names after `pub use`, and of public functions.
fn exported(file: &str) -> usize {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let uses = text.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let used: usize =
        uses.map(|list| list.split(',').filter(|name| name.contains(char::is_alphabetic)).count()).sum();
    used + text.lines().filter(|line| line.starts_with("pub fn ")).count()
}
