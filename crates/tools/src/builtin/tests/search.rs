//! Tests of `grep` and `list_files`.

use std::sync::Arc;

use expect_test::expect;
use serde_json::json;

use super::Workspace;
use crate::file_guard::MockFileGuard;
use crate::run::CANCELLED;

fn workspace() -> Workspace {
    let workspace = Workspace::of(&[
        (".gitignore", "target/\n*.log\n"),
        ("src/main.rs", "fn main() {\n    Run();\n}\n"),
        ("src/deep/run.rs", "// run\r\nfn run() {}\n"),
        ("notes.md", "run it (now)\n"),
        ("target/out.rs", "fn run() {}\n"),
        ("debug.log", "run\n"),
        (".hidden/x.rs", "run\n"),
    ]);
    workspace.put("data.bin", b"run\n\0\0run\n");
    workspace
}

#[tokio::test]
async fn grep_shows_matching_lines_of_files_that_git_does_not_ignore() {
    let workspace = workspace();
    let text = workspace.fine("grep", json!({"pattern": r"\brun\b"})).await;
    expect![[r#"
        notes.md:1:run it (now)
        src/deep/run.rs:1:// run
        src/deep/run.rs:2:fn run() {}"#]]
    .assert_eq(&text);
    let text = workspace.fine("grep", json!({"pattern": "run", "ignore_case": true, "glob": "main.*"})).await;
    assert_eq!(text, "src/main.rs:2:    Run();");
    let text = workspace.fine("grep", json!({"pattern": "fn", "path": "src/deep"})).await;
    assert_eq!(text, "src/deep/run.rs:2:fn run() {}");
    let text = workspace.fine("grep", json!({"pattern": "run", "path": "notes.md"})).await;
    assert_eq!(text, "notes.md:1:run it (now)");
    assert_eq!(workspace.fine("grep", json!({"pattern": "nowhere"})).await, "[no line matches]");
}

#[tokio::test]
async fn grep_truncates_and_reports_it() {
    let workspace = Workspace::of(&[("a.txt", &"same\n".repeat(10)), ("b.min.js", &"y".repeat(9_000))]);
    let text = workspace.fine("grep", json!({"pattern": "same", "max_matches": 2})).await;
    let bounded =
        "a.txt:1:same\na.txt:2:same\n[more than 2 lines match: narrow the pattern, the path or the glob]";
    assert_eq!(text, bounded);
    let ten = workspace.fine("grep", json!({"pattern": "same", "max_matches": 10})).await;
    assert_eq!(ten.lines().count(), 10, "exactly the limit is not more");
    let text = workspace.fine("grep", json!({"pattern": "y+"})).await;
    assert_eq!(text, format!("b.min.js:1:{} [line cut]", "y".repeat(500)));
}

#[tokio::test]
async fn a_failed_search_explains_why() {
    let workspace = workspace();
    let text = workspace.refused("grep", json!({"pattern": "main("})).await;
    assert!(text.starts_with("The pattern cannot be used") && text.contains("escape"), "{text}");
    let text = workspace.refused("grep", json!({"pattern": "x", "glob": "[a"})).await;
    assert!(text.starts_with("The glob is malformed"), "{text}");
    let text = workspace.refused("grep", json!({"pattern": "x", "path": "../"})).await;
    assert!(text.contains("outside of the workspace"), "{text}");
    let text = workspace.refused("list_files", json!({"path": "sr"})).await;
    assert_eq!(text, "There is no sr. Similar names in its folder: src.");
}

#[tokio::test]
async fn files_are_listed_sorted_and_by_glob() {
    let workspace = workspace();
    let all = workspace.fine("list_files", json!({})).await;
    assert_eq!(all, "data.bin\nnotes.md\nsrc/deep/run.rs\nsrc/main.rs");
    for (glob, files) in [
        ("*.rs", "src/deep/run.rs\nsrc/main.rs"),
        ("src/*.rs", "src/main.rs"),
        ("./src/**/*.rs", "src/deep/run.rs\nsrc/main.rs"),
        ("**/*.{md,bin}", "data.bin\nnotes.md"),
        ("*.py", "[no file fits]"),
    ] {
        assert_eq!(workspace.fine("list_files", json!({ "glob": glob })).await, files, "{glob}");
    }
    let inner = workspace.fine("list_files", json!({"path": "src", "glob": "deep/*"})).await;
    assert_eq!(inner, "src/deep/run.rs", "the glob is relative to the start folder");
}

#[tokio::test]
async fn hidden_files_are_neither_searched_nor_listed() {
    let files = [("a/secrets.txt", "key\n"), ("a/open.txt", "key\n"), ("secrets.txt", "key\n")];
    let mut workspace = Workspace::of(&files);
    let mut guard = MockFileGuard::new();
    guard.expect_hides().returning(|shown, real| {
        assert!(real.is_absolute() && real.ends_with(shown), "{shown} is {}", real.display());
        real.ends_with("secrets.txt")
    });
    workspace.context.files = Some(Arc::new(guard));
    let text = workspace.fine("grep", json!({"pattern": "key"})).await;
    let rules = "the user's rules keep them from being read]";
    assert_eq!(text, format!("a/open.txt:1:key\n[2 files were not searched: {rules}"));
    let text = workspace.fine("grep", json!({"pattern": "key", "path": "a", "glob": "sec*"})).await;
    assert_eq!(text, format!("[no line matches]\n[1 file was not searched: {rules}"));
    for newest_first in [false, true] {
        let text = workspace.fine("list_files", json!({ "newest_first": newest_first })).await;
        assert_eq!(text, format!("a/open.txt\n[2 files were not listed: {rules}"));
    }
    let text = workspace.fine("list_files", json!({"glob": "secrets.txt"})).await;
    assert_eq!(text, format!("[no file fits]\n[2 files were not listed: {rules}"));
}

#[tokio::test]
async fn files_can_be_sorted_by_modification_time() {
    let workspace = Workspace::of(&[("a", "x"), ("b", "x"), ("c", "x")]);
    let at = |seconds| std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    for (path, seconds) in [("a", 5), ("b", 9), ("c", 5)] {
        std::fs::File::options()
            .write(true)
            .open(workspace.path(path))
            .unwrap()
            .set_modified(at(seconds))
            .unwrap();
    }
    assert_eq!(workspace.fine("list_files", json!({"newest_first": true})).await, "b\na\nc");
    assert_eq!(workspace.fine("list_files", json!({"newest_first": true, "glob": "[ac]"})).await, "a\nc");
}

#[tokio::test]
async fn a_file_that_cannot_be_searched_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let workspace = Workspace::of(&[("a.txt", "here\n"), ("b.txt", "here\n")]);
    std::fs::set_permissions(workspace.path("b.txt"), std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(workspace.path("b.txt")).is_ok() {
        // Root reads everything.
        return;
    }
    let text = workspace.fine("grep", json!({"pattern": "here"})).await;
    assert!(text.starts_with("a.txt:1:here\n[not searched: b.txt: "), "{text}");
}

#[tokio::test]
async fn a_long_list_is_truncated_and_a_cancelled_search_stops() {
    let workspace = Workspace::of(&[]);
    for index in 0..1_001 {
        workspace.put(&format!("f{index:04}"), b"x");
    }
    let text = workspace.fine("list_files", json!({})).await;
    assert_eq!(text.lines().count(), 1_001);
    assert!(text.ends_with("f0999\n[more than 1000 files: narrow the glob or the path]"));
    let text = workspace.fine("list_files", json!({"newest_first": true})).await;
    assert_eq!(text.lines().count(), 1_001);
    workspace.context.cancel.cancel();
    assert_eq!(workspace.refused("grep", json!({"pattern": "x"})).await, CANCELLED);
    assert_eq!(workspace.refused("list_files", json!({})).await, CANCELLED);
}
