//! Tests of checking a change before it is made.

use serde_json::{Value, json};
use throughline_conversation::ToolCall;

use super::Workspace;

async fn check(workspace: &Workspace, name: &str, input: Value) -> Result<(), String> {
    let call = ToolCall { id: "c1".to_owned(), name: name.to_owned(), input };
    workspace.tool(name).check(&call, &workspace.context).await.map_err(|output| output.to_text())
}

#[tokio::test]
async fn an_edit_that_cannot_be_made_is_found_without_making_it() {
    let workspace = Workspace::of(&[("a.txt", "one\ntwo\none\n")]);
    let edit = |old: &str, new: &str| json!({ "path": "a.txt", "old_string": old, "new_string": new });
    let several = |edits: Value| json!({ "path": "a.txt", "edits": edits });
    for (name, input, expected) in [
        ("edit_file", edit("three", "x"), "old_string is not in a.txt."),
        ("edit_file", edit("one", "x"), "old_string stands 2 times in a.txt"),
        ("edit_file", json!({ "path": "b.txt", "old_string": "a", "new_string": "b" }), "There is no b.txt."),
        ("edit_file", json!({ "path": "a.txt" }), "The arguments of edit_file are wrong"),
        (
            "multi_edit",
            several(
                json!([{ "old_string": "two", "new_string": "2" }, { "old_string": "two", "new_string": "3" }]),
            ),
            "Edit 2 of 2 cannot be made",
        ),
        ("multi_edit", several(json!([])), "edits is empty"),
        ("write_file", json!({ "path": "a.txt", "content": "x" }), "a.txt exists and you have not read it."),
        ("write_file", json!({ "path": ".git/config", "content": "x" }), ".git/config belongs to git itself"),
        ("write_file", json!({ "path": "../x", "content": "x" }), "../x is outside of the workspace"),
    ] {
        let found = check(&workspace, name, input.clone()).await.unwrap_err();
        assert!(found.starts_with(expected), "{name} {input}: {found}");
    }
    assert_eq!(check(&workspace, "edit_file", edit("two", "2")).await, Ok(()));
    assert_eq!(check(&workspace, "write_file", json!({ "path": "new/b.txt", "content": "x" })).await, Ok(()));
    assert_eq!(check(&workspace, "shell", json!({ "command": "false" })).await, Ok(()));
    assert_eq!(workspace.read("a.txt"), "one\ntwo\none\n");
    assert!(!workspace.path("new").exists());
}
