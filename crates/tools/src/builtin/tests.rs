//! Tests of the built-in tools, through the port.

mod bad_input;
mod checked;
mod checklist;
mod command;
mod editor;
mod files;
mod freshness;
mod jobs;
mod pictures;
#[cfg(target_os = "linux")]
mod race;
mod search;
mod watched;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use expect_test::expect;
use serde_json::{Value, json};
use tempfile::TempDir;
use throughline_conversation::{ToolCall, ToolOrigin};

use super::builtin_tools::{BuiltinTools, builtin_tools};
use crate::contract;
use crate::output::ToolOutput;
use crate::tool::{Tool, ToolContext};

/// A workspace with files, and the tools of one session.
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

    async fn call(&self, name: &str, input: Value) -> ToolOutput {
        let call = ToolCall { id: "c1".to_owned(), name: name.to_owned(), input };
        self.tool(name).call(&call, &self.context).await
    }

    /// The text of a call that must succeed.
    async fn fine(&self, name: &str, input: Value) -> String {
        let output = self.call(name, input).await;
        assert!(!output.is_error, "{}", output.to_text());
        output.to_text()
    }

    /// The text of a call that must fail.
    async fn refused(&self, name: &str, input: Value) -> String {
        let output = self.call(name, input).await;
        assert!(output.is_error, "{}", output.to_text());
        output.to_text()
    }
}

/// Time limit of a wait, long enough for a slow machine.
const LONG: Duration = Duration::from_secs(60);

/// Waits until the condition holds. The conditions are about other processes, which cannot notify the test.
async fn soon(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < LONG, "waited too long for {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn every_built_in_tool_fulfils_the_contract() {
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
fn each_tool_declares_its_effect_and_its_subject() {
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
    let text = workspace.refused("read_file", json!({"file": "a"})).await;
    assert!(text.starts_with("The arguments of read_file are wrong: unknown field `file`"), "{text}");
    assert!(text.contains(r#""required":["path"]"#), "{text}");
}
