//! Tests of the rule that the model must have read what it changes.

use serde_json::json;

use super::Workspace;
use crate::builtin::BuiltinTools;
use crate::file_scope::FileScope;

#[tokio::test]
async fn a_file_that_was_not_read_is_not_overwritten() {
    let workspace = Workspace::of(&[("a.txt", "one\n"), ("empty.txt", "")]);
    let write = |path: &str| json!({"path": path, "content": "two\n"});
    let text = workspace.refused("write_file", write("a.txt")).await;
    assert!(
        text.starts_with("a.txt exists and you have not read it. Read it first with read_file"),
        "{text}"
    );
    assert_eq!(workspace.read("a.txt"), "one\n");
    let same = json!({"path": "a.txt", "content": "one\n"});
    assert!(workspace.fine("write_file", same).await.starts_with("Replaced"), "nothing is lost");
    assert!(workspace.fine("write_file", write("empty.txt")).await.starts_with("Replaced"), "nor here");
    assert!(workspace.fine("write_file", write("new.txt")).await.starts_with("Created"));
    workspace.fine("write_file", json!({"path": "new.txt", "content": "three\n"})).await;
    workspace.fine("read_file", json!({"path": "a.txt", "limit": 1})).await;
    workspace.fine("write_file", write("a.txt")).await;
    assert_eq!(workspace.read("a.txt"), "two\n");
}

#[tokio::test]
async fn a_file_read_in_an_earlier_run_counts_until_it_changes() {
    let scope = FileScope::new();
    let workspace = Workspace::with(&[("a.txt", "one\n")], &BuiltinTools::new().scope(scope.clone()));
    let at = |seconds| std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    let changed = |seconds| {
        let file = std::fs::File::options().write(true).open(workspace.path("a.txt")).unwrap();
        file.set_modified(at(seconds)).unwrap();
    };
    scope.note_earlier(&workspace.path("a.txt"), at(1_000));
    changed(1_001);
    let edit = json!({"path": "a.txt", "old_string": "one", "new_string": "1"});
    let text = workspace.refused("edit_file", edit.clone()).await;
    assert!(
        text.contains("was changed by something else") && text.ends_with("Read it again first."),
        "{text}"
    );
    changed(999);
    workspace.fine("edit_file", edit).await;
    workspace.fine("write_file", json!({"path": "a.txt", "content": "2\n"})).await;
}

#[tokio::test]
async fn an_unread_file_may_be_edited_by_quoting_it() {
    let workspace = Workspace::of(&[("a.txt", "one\ntwo\n")]);
    let edit = json!({"path": "a.txt", "old_string": "two", "new_string": "2"});
    workspace.fine("edit_file", edit).await;
    workspace.fine("write_file", json!({"path": "a.txt", "content": "now it is known\n"})).await;
    assert_eq!(workspace.read("a.txt"), "now it is known\n");
}

#[tokio::test]
async fn an_external_change_is_shown_before_an_edit_is_made() {
    let workspace = Workspace::of(&[("a.txt", "one\ntwo\nthree\n")]);
    workspace.fine("read_file", json!({"path": "a.txt"})).await;
    workspace.put("a.txt", b"one\n2\nthree\n");
    let edit = json!({"path": "a.txt", "old_string": "three", "new_string": "3"});
    let text = workspace.refused("edit_file", edit.clone()).await;
    assert_eq!(
        text,
        "a.txt was changed by something else since you last saw it, so nothing was written. This is what changed:\n\
         @@ -1,3 +1,3 @@\n one\n-two\n+2\n three\nFit your change to it, then call again."
    );
    assert_eq!(workspace.read("a.txt"), "one\n2\nthree\n");
    workspace.fine("edit_file", edit).await;
    assert_eq!(
        workspace.read("a.txt"),
        "one\n2\n3\n",
        "the whole diff was shown, so the file counts as read"
    );
}

#[tokio::test]
async fn every_tool_that_writes_checks_for_changes() {
    let workspace = Workspace::of(&[("a.txt", "one\n")]);
    workspace.fine("read_file", json!({"path": "a.txt"})).await;
    let long: String = (0..5_000).map(|n| format!("line {n}\n")).collect();
    let edits = json!([{ "old_string": "line 7\n", "new_string": "" }]);
    for (tool, input) in [
        ("write_file", json!({"path": "a.txt", "content": "x"})),
        ("multi_edit", json!({"path": "a.txt", "edits": edits})),
        ("edit_file", json!({"path": "a.txt", "old_string": "line 7\n", "new_string": ""})),
    ] {
        workspace.put("a.txt", long.as_bytes());
        let text = workspace.refused(tool, input).await;
        assert!(text.ends_with("[cut]\nRead the file again first."), "{tool}: {text}");
        assert!(text.len() < 7_000, "{}", text.len());
    }
    assert_eq!(workspace.read("a.txt"), long);
}

#[tokio::test]
async fn a_change_that_was_undone_is_not_a_change() {
    let workspace = Workspace::of(&[("a.txt", "one\n")]);
    workspace.fine("read_file", json!({"path": "a.txt"})).await;
    workspace.put("a.txt", b"two\n");
    workspace.put("a.txt", b"one\n");
    workspace.fine("write_file", json!({"path": "a.txt", "content": "three\n"})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_edits_of_one_file_are_all_made() {
    let text: String = (0..20).map(|n| format!("<{n}>\n")).collect();
    let workspace = Workspace::of(&[("a.txt", &text)]);
    let edits = (0..20).map(|n| {
        let input = json!({"path": "a.txt", "old_string": format!("<{n}>"), "new_string": format!("({n})")});
        workspace.fine("edit_file", input)
    });
    futures_util::future::join_all(edits).await;
    assert_eq!(workspace.read("a.txt"), text.replace('<', "(").replace('>', ")"));
}
