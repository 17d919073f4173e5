//! Tests of the built-in tools, through the port.

mod command;
mod files;
mod search;

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;
use throughline_conversation::{ToolCall, ToolOrigin};

use super::builtin_tools;
use crate::{Tool, ToolContext, ToolOutput, contract};

/// A workspace of files.
struct Workspace {
    folder: TempDir,
    context: ToolContext,
}

impl Workspace {
    fn of(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let workspace = Self { context: ToolContext::new(folder.path()), folder };
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
    assert_eq!(names, ["read_file", "write_file", "edit_file", "grep", "list_files", "shell"]);
}

#[tokio::test]
async fn wrong_arguments_are_answered_with_the_schema() {
    let workspace = Workspace::of(&[]);
    let text = workspace.err(&super::ReadFileTool, serde_json::json!({"file": "a"})).await;
    assert!(text.starts_with("The arguments of read_file are wrong: unknown field `file`"), "{text}");
    assert!(text.contains(r#""required":["path"]"#), "{text}");
}
