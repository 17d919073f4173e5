//! The servers of a session, by the folder that the suite gives.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use throughline_conversation::ToolCall;
use throughline_mcp::{McpOptions, McpServers, ServerConfig, Transport};
use throughline_tools::{Elicitor, ToolContext, ToolOutput};

/// Where npm has put the servers' programs.
pub(crate) fn programs() -> PathBuf {
    std::env::var_os("THROUGHLINE_MCP_SERVERS").expect("run this with `cargo xtask integration mcp`").into()
}

/// One of the programs.
pub(crate) fn program(name: &str, program: &str, args: &[&str], env: &[(&str, &str)]) -> ServerConfig {
    let command = programs().join(program).to_str().unwrap().to_owned();
    let env: BTreeMap<String, String> = env.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let args = args.iter().map(|arg| (*arg).to_owned()).collect();
    ServerConfig::new(name, Transport::Stdio { command, args, env, cwd: None })
}

/// A session, and which tools it called.
pub(crate) struct Session {
    pub(crate) servers: McpServers,
    pub(crate) workspace: tempfile::TempDir,
    called: Mutex<BTreeSet<String>>,
}

impl Session {
    /// A session of these servers, in a folder of its own.
    pub(crate) async fn open(configs: impl FnOnce(&Path) -> Vec<ServerConfig>) -> Self {
        Self::opened(configs, false).await
    }

    /// A session with a person who can be asked.
    pub(crate) async fn attended(configs: Vec<ServerConfig>) -> Self {
        Self::opened(|_| configs, true).await
    }

    async fn opened(configs: impl FnOnce(&Path) -> Vec<ServerConfig>, attended: bool) -> Self {
        let workspace = tempfile::tempdir().unwrap();
        let mut options = McpOptions::new(workspace.path().canonicalize().unwrap());
        options.wait = Duration::from_secs(60);
        options.attended = attended;
        let servers = McpServers::new(configs(&options.workspace), options);
        servers.start().await;
        Self { servers, workspace, called: Mutex::default() }
    }

    pub(crate) fn names(&self) -> BTreeSet<String> {
        self.servers.tools().iter().map(|tool| tool.definition().name).collect()
    }

    /// Calls a tool that must work.
    pub(crate) async fn call(&self, name: &str, input: Value) -> ToolOutput {
        let output = self.output(name, input).await;
        assert!(!output.is_error, "{name}: {}", output.to_text());
        output
    }

    /// The text of a tool that must work.
    pub(crate) async fn text(&self, name: &str, input: Value) -> String {
        self.call(name, input).await.to_text()
    }

    /// Calls a tool, whatever comes of it.
    pub(crate) async fn output(&self, name: &str, input: Value) -> ToolOutput {
        self.called(name, input, None).await
    }

    /// Calls a tool, whose server may ask this user.
    pub(crate) async fn asked(&self, name: &str, input: Value, user: Arc<dyn Elicitor>) -> ToolOutput {
        self.called(name, input, Some(user)).await
    }

    async fn called(&self, name: &str, input: Value, elicitor: Option<Arc<dyn Elicitor>>) -> ToolOutput {
        let tool = self.servers.tools().into_iter().find(|tool| tool.definition().name == name);
        let tool = tool.unwrap_or_else(|| panic!("no {name} in {:?}", self.names()));
        self.called.lock().unwrap().insert(name.to_owned());
        let call = ToolCall { id: "c1".to_owned(), name: name.to_owned(), input };
        let context = ToolContext { elicitor, ..ToolContext::new(self.workspace.path()) };
        tool.call(&call, &context).await
    }

    /// The end; every tool was called.
    pub(crate) async fn close(self) {
        let called = self.called.lock().unwrap().clone();
        assert_eq!(called, self.names(), "every tool is called");
        assert_eq!(self.servers.notes(), [""; 0]);
        self.servers.close().await;
    }
}
