//! Tests of the built-in tools, through the port.

mod bad_input;
mod checklist;
mod command;
mod files;
mod freshness;
mod jobs;
mod pictures;
mod search;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use expect_test::expect;
use serde_json::{Value, json};
use tempfile::TempDir;
use throughline_conversation::{ToolCall, ToolOrigin};

use super::{BuiltinTools, builtin_tools};
use crate::{Tool, ToolContext, ToolOutput, contract};

/// A workspace of files, and the tools of one session in it.
struct Workspace {
    folder: TempDir,
    context: ToolContext,
    tools: Vec<Arc<dyn Tool>>,
}

impl Workspace {
    fn of(files: &[(&str, &str)]) -> Self {
        Self::with(files, &BuiltinTools::new())
    }

    fn with(files: &[(&str, &str)], tools: &BuiltinTools) -> Self {
        let folder = TempDir::new().unwrap();
        let context = ToolContext::new(folder.path());
        let workspace = Self { context, folder, tools: tools.tools() };
        for (path, content) in files {
            workspace.put(path, content.as_bytes());
        }
        workspace
    }

    fn put(&self, path: &str, content: &[u8]) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        self.root().join(path)
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap()
    }

    /// A tool of the session.
    fn tool(&self, name: &str) -> &dyn Tool {
        self.tools.iter().find(|tool| tool.definition().name == name).unwrap().as_ref()
    }

    /// The answer of a tool of the session, which must be none of an error.
    async fn fine(&self, name: &str, input: Value) -> String {
        self.ok(self.tool(name), input).await
    }

    /// The answer of a tool of the session, which must be one of an error.
    async fn refused(&self, name: &str, input: Value) -> String {
        self.err(self.tool(name), input).await
    }

    async fn call(&self, tool: &dyn Tool, input: Value) -> ToolOutput {
        let name = tool.definition().name;
        tool.call(&ToolCall { id: "c1".to_owned(), name, input }, &self.context).await
    }

    /// The answer, which must be none of an error.
    async fn ok(&self, tool: &dyn Tool, input: Value) -> String {
        let output = self.call(tool, input).await;
        assert!(!output.is_error, "{}", output.to_text());
        output.to_text()
    }

    /// The answer, which must be one of an error.
    async fn err(&self, tool: &dyn Tool, input: Value) -> String {
        let output = self.call(tool, input).await;
        assert!(output.is_error, "{}", output.to_text());
        output.to_text()
    }
}

/// What has not happened by then does not happen, however slow the machine is.
const LONG: Duration = Duration::from_secs(60);

/// Waits until this is so.
async fn soon(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < LONG, "waited too long for {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn every_built_in_tool_keeps_the_contract() {
    let workspace = Workspace::of(&[("a.txt", "a\n")]);
    for tool in builtin_tools() {
        contract::contract_definition(tool.as_ref()).await;
        contract::contract_wrong_arguments(tool.as_ref(), &workspace.context).await;
        assert_eq!(tool.definition().origin, ToolOrigin::Builtin);
        contract::contract_registers(tool).await;
    }
    let names: Vec<String> = builtin_tools().iter().map(|tool| tool.definition().name).collect();
    let files = ["read_file", "write_file", "edit_file", "multi_edit", "grep", "list_files"];
    let others = ["shell", "shell_output", "shell_stop", "update_checklist"];
    assert_eq!(names, [files.as_slice(), &others].concat());
}

#[test]
fn each_tool_says_what_it_does_and_to_what() {
    let effects: Vec<String> = builtin_tools()
        .iter()
        .map(|tool| {
            let name = tool.definition().name;
            let input = json!({ "path": "p", "command": "c", "job": 7 });
            let access = tool.access(&ToolCall { id: "c1".to_owned(), name: name.clone(), input });
            format!("{name}: {:?} {}", access.effect, access.subject.unwrap_or_default())
        })
        .collect();
    expect![[r#"
        read_file: Read p
        write_file: Edit p
        edit_file: Edit p
        multi_edit: Edit p
        grep: Read p
        list_files: Read p
        shell: Command c
        shell_output: Read 7
        shell_stop: Read 7
        update_checklist: Read "#]]
    .assert_eq(&effects.join("\n"));
}

#[tokio::test]
async fn wrong_arguments_are_answered_with_the_schema() {
    let workspace = Workspace::of(&[]);
    let text = workspace.err(&super::ReadFileTool::default(), json!({"file": "a"})).await;
    assert!(text.starts_with("The arguments of read_file are wrong: unknown field `file`"), "{text}");
    assert!(text.contains(r#""required":["path"]"#), "{text}");
}
