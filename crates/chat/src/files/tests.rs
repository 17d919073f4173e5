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
    assert_eq!(Files::new(folder.path()).matches("x").await, ["x.rs"]);
}
