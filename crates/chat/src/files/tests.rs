//! Completion of paths.

use super::*;

#[test]
fn a_match_at_the_beginning_comes_first() {
    let paths: Vec<String> =
        ["Cargo.toml", "crates/", "crates/cli/src/chat.rs", "docs/chat.md", "src/lib.rs", "tests/c_h_a_t.rs"]
            .map(str::to_owned)
            .to_vec();
    assert_eq!(best(&paths, "chat"), ["docs/chat.md", "crates/cli/src/chat.rs", "tests/c_h_a_t.rs"]);
    assert_eq!(best(&paths, "cra"), ["crates/", "crates/cli/src/chat.rs"]);
    assert_eq!(best(&paths, "").len(), 6);
    assert!(best(&paths, "zzz").is_empty());
}

#[tokio::test]
async fn ignored_files_are_not_offered() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("target")).unwrap();
    std::fs::write(folder.path().join(".gitignore"), "target/\n").unwrap();
    std::fs::write(folder.path().join("target/x.rs"), "").unwrap();
    std::fs::write(folder.path().join("x.rs"), "").unwrap();
    assert_eq!(found(folder.path(), "x").await, ["x.rs"]);
}

/// What a search of its own finds.
async fn found(folder: &Path, typed: &str) -> Vec<String> {
    let files = Files::new(folder);
    let search = files.next_search();
    files.matches(typed, search).await.unwrap()
}

#[tokio::test]
async fn hidden_files_are_offered_when_the_text_begins_with_a_dot() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join(".github/workflows")).unwrap();
    std::fs::create_dir(folder.path().join(".git")).unwrap();
    std::fs::write(folder.path().join(".git/gith"), "").unwrap();
    std::fs::write(folder.path().join(".github/workflows/ci.yml"), "").unwrap();
    std::fs::write(folder.path().join("gith.rs"), "").unwrap();
    let hidden = [".github/", ".github/workflows/", ".github/workflows/ci.yml"];
    assert_eq!(found(folder.path(), ".gith").await, hidden);
    assert_eq!(found(folder.path(), "gith").await, ["gith.rs"]);
}

#[tokio::test]
async fn a_search_that_a_newer_one_replaced_answers_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.rs"), "").unwrap();
    let files = Files::new(folder.path());
    let (old, new) = (files.next_search(), files.next_search());
    assert_eq!(files.matches("x", old).await, None);
    assert_eq!(files.matches("x", new).await, Some(vec!["x.rs".to_owned()]));
}
