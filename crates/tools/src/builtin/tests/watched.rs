//! What commands change, next to what else changes meanwhile.

use std::path::PathBuf;

use super::*;

/// The names of the changed files, sorted.
fn names(output: &ToolOutput) -> Vec<String> {
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut names: Vec<String> = output.changes.files.iter().map(|file| name(&file.path)).collect();
    names.sort();
    names
}

/// Tools in the folder `sub` of a project.
fn in_project(files: &[(&str, &str)]) -> Workspace {
    let mut workspace = Workspace::of(files);
    let tools = BuiltinTools::new().watching_commands(workspace.root());
    workspace.tools = tools.tools();
    workspace.context = ToolContext::new(workspace.path("sub"));
    workspace
}

#[tokio::test]
async fn a_command_in_a_folder_of_the_project_may_change_the_rest_of_it() {
    let workspace = in_project(&[("root.txt", "a"), ("sub/own.txt", "b")]);
    let command = "rm ../root.txt; echo in > here.txt";
    let output = workspace.call("shell", json!({ "command": command })).await;
    assert_eq!(names(&output), ["here.txt", "root.txt"]);
    assert_eq!(output.changes.unreported, [""; 0]);
}

#[tokio::test]
async fn of_a_project_that_is_too_large_the_workspace_is_watched() {
    let workspace = in_project(&[("root.txt", "a"), ("sub/own.txt", "b")]);
    for number in 0..33 {
        workspace.put(&format!("large/{number}"), &vec![b'x'; 1024 * 1024]);
    }
    let command = "echo new > ../root.txt; echo in > here.txt";
    let output = workspace.call("shell", json!({ "command": command })).await;
    assert_eq!(names(&output), ["here.txt"]);
    assert!(output.changes.unreported[0].contains("outside of"), "{:?}", output.changes.unreported);
}

#[tokio::test]
async fn what_another_file_tool_writes_meanwhile_is_not_the_command_s() {
    let workspace = in_project(&[("sub/own.txt", "b")]);
    // The tools of a sub-agent.
    let other = BuiltinTools::new().tools();
    let write = other.iter().find(|tool| tool.definition().name == "write_file").unwrap();
    let input = json!({ "path": "agent.txt", "content": "of the agent" });
    let call = ToolCall { id: "c2".to_owned(), name: "write_file".to_owned(), input };
    let wait = "touch begun; until [ -e agent.txt ]; do sleep 0.01; done; echo own > own.txt";
    let command = workspace.call("shell", json!({ "command": wait }));
    let agent = async {
        soon("the command", || workspace.path("sub/begun").exists()).await;
        write.call(&call, &workspace.context).await
    };
    let (output, written) = tokio::join!(command, agent);
    assert!(!written.is_error, "{}", written.to_text());
    assert_eq!(names(&output), ["begun", "own.txt"]);
}
