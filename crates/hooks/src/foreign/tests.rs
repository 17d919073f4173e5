//! Calls in the names of scripts.

use super::*;

fn call(name: &str, input: Value) -> ToolCall {
    ToolCall { id: "c1".to_owned(), name: name.to_owned(), input }
}

fn round_trip(name: &str, own: &Value, foreign_name: &str, foreign: &Value) {
    let workspace = Path::new("/work/project");
    let made = foreign_call(&call(name, own.clone()), workspace);
    assert_eq!(made, (foreign_name.to_owned(), foreign.clone()));
    assert_eq!(own_input(name, foreign, workspace), *own);
}

#[test]
fn calls_have_the_names_that_scripts_know_and_changed_arguments_find_their_way_back() {
    round_trip(
        "shell",
        &json!({ "command": "ls", "timeout_seconds": 5, "background": false }),
        "Bash",
        &json!({ "command": "ls", "timeout": 5_000, "run_in_background": false }),
    );
    round_trip(
        "edit_file",
        &json!({ "path": "src/a.rs", "old_string": "a", "new_string": "b" }),
        "Edit",
        &json!({ "file_path": "/work/project/src/a.rs", "old_string": "a", "new_string": "b" }),
    );
    round_trip(
        "update_checklist",
        &json!({ "items": [{ "description": "Test it", "status": "pending" }] }),
        "TodoWrite",
        &json!({ "todos": [{ "content": "Test it", "status": "pending" }] }),
    );
}

#[test]
fn tools_of_servers_and_unknown_arguments_are_unchanged() {
    round_trip("mcp__gh__issue", &json!({ "n": 1 }), "mcp__gh__issue", &json!({ "n": 1 }));
    let made = foreign_call(&call("read_file", json!({ "path": "a", "odd": 1 })), Path::new("/w"));
    assert_eq!(made.1, json!({ "file_path": "/w/a", "odd": 1 }));
    let broken = foreign_call(&call("read_file", json!("no object")), Path::new("/w"));
    assert_eq!(broken, ("read_file".to_owned(), json!("no object")));
}

#[test]
fn a_description_that_scripts_expect_of_commands_is_no_argument_here() {
    let changed = json!({ "command": "ls -l", "description": "List files" });
    assert_eq!(own_input("shell", &changed, Path::new("/w")), json!({ "command": "ls -l" }));
}
