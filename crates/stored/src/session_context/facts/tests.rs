//! The facts of a session, each once.

use super::facts;

fn strings(items: &[&str]) -> Vec<String> {
    items.iter().map(|item| (*item).to_owned()).collect()
}

#[test]
fn a_file_is_one_fact_however_its_path_is_written() {
    let names = strings(&[
        "/w/p/a.txt",
        "a.txt",
        "./a.txt",
        "src/lib.rs",
        "/w/p/src/lib.rs",
        "/elsewhere/p/src/lib.rs",
        "src/a.txt",
        "cargo test src/lib.rs",
        "cat src/lib.rs",
    ]);
    let expected =
        strings(&["/w/p/a.txt", "src/lib.rs", "src/a.txt", "cargo test src/lib.rs", "cat src/lib.rs"]);
    assert_eq!(facts(names, None, "/w/p"), expected);
}
