//! The MCP servers of a session: those of the settings, and those of a project that the user trusts.

mod known_tools;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use throughline_conversation::ToolDefinition;
pub(crate) use throughline_mcp::ServerConfig;
use throughline_mcp::{McpOptions, McpServers, ServerEntry, ServerReport, parse_mcp_json};
use throughline_permission::Permissions;
use throughline_settings::{McpServer, McpTransport, Secrets};
use throughline_text::{cut_end, error_chain};
use throughline_tools::ToolRegistry;
use tokio::sync::OnceCell;

use crate::permissions::Attendance;
use known_tools::KnownTools;
use throughline_config::{Config, Trust};

/// Maximum bytes of a description in a notice.
const SHOWN: usize = 300;

/// The configured MCP servers. Sessions may share them: starting one takes time.
#[derive(Debug)]
pub struct Servers {
    servers: McpServers,
    problems: Vec<String>,
    /// Set when the servers whose tools were not known have been asked for them.
    started: OnceCell<()>,
    /// The tools differ from those that were last taken.
    changed: AtomicBool,
    known: KnownTools,
}

impl Servers {
    /// The servers of the settings, and of the project if it is trusted. Starts none. `data` is the data folder, in which
    /// their lists of tools are cached.
    #[must_use]
    pub fn of(config: &Config, data: &Path, workspace: &Path, attendance: Attendance) -> Self {
        Self::with(config, data, workspace, attendance, Vec::new())
    }

    /// The same with more servers, of the program that opens the session, whose start waits as long as each of them may take:
    /// a session that has begun without their tools would make the prompt cache cold for them.
    pub(crate) fn waited_for(
        config: &Config,
        data: &Path,
        workspace: &Path,
        more: Vec<ServerConfig>,
    ) -> Self {
        Self::with(config, data, workspace, Attendance::Unattended, more)
    }

    fn with(
        config: &Config,
        data: &Path,
        workspace: &Path,
        attendance: Attendance,
        more: Vec<ServerConfig>,
    ) -> Self {
        let lookup = |name: &str| std::env::var(name).ok();
        let (mut configs, mut problems) = (more, Vec::new());
        for server in config.resolved.servers() {
            match entry(server).resolve(&server.name, &lookup) {
                Ok(found) => configs.extend(found.map(|found| limited(found, server))),
                Err(error) => problems.push(error_chain(&error)),
            }
        }
        if let (Some(text), Trust::Trusted) = (&config.project.mcp, config.trust) {
            match parse_mcp_json(text, &lookup) {
                Ok(read) => {
                    configs.extend(read.servers);
                    problems.extend(read.errors.iter().map(|error| error_chain(error)));
                    problems.extend(read.warnings);
                }
                Err(error) => {
                    problems.push(format!("{}: {}", config.project.mcp_name(), error_chain(&error)));
                }
            }
        }
        let cache = Some(data.join("mcp"));
        let mut options =
            McpOptions { cache, launcher: config.launcher.clone(), ..McpOptions::new(workspace) };
        if attendance == Attendance::Unattended {
            // Without a person a turn is not started again: it waits as long as each server may take to start.
            options.wait = configs.iter().map(|config| config.start_timeout).max().unwrap_or_default();
        }
        let servers = McpServers::new(configs, options);
        Self {
            servers,
            problems,
            started: OnceCell::new(),
            changed: AtomicBool::new(false),
            known: KnownTools::new(data, workspace),
        }
    }

    /// Learns their tools, which may take some seconds the first time. Returns notices for the user, once.
    pub async fn start(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let start = async {
            if self.servers.start().await {
                self.changed.store(true, Ordering::Release);
            }
            notes.clone_from(&self.problems);
            notes.extend(self.servers.notes());
        };
        self.started.get_or_init(|| start).await;
        notes
    }

    /// Returns true if [`start`](Self::start) has completed.
    #[must_use]
    pub fn have_started(&self) -> bool {
        self.started.initialized()
    }

    /// Compares their tools with those of earlier sessions. The rules that the user saved for a tool that has changed end, so
    /// that it is asked about again. Returns notices for the user.
    pub async fn review(&self, permissions: &Permissions) -> Vec<String> {
        let tools: Vec<ToolDefinition> = self.servers.tools().iter().map(|tool| tool.definition()).collect();
        if tools.is_empty() {
            return Vec::new();
        }
        let known = self.known.clone();
        let changed = match tokio::task::spawn_blocking(move || known.record(tools)).await {
            Ok(Ok(changed)) => changed,
            Ok(Err(error)) => {
                return vec![format!("changes of MCP tools cannot be noticed: {}", error_chain(&error))];
            }
            Err(error) => return vec![format!("changes of MCP tools cannot be noticed: {error}")],
        };
        let mut notices = Vec::new();
        for tool in changed {
            let ended = permissions.forget_tool(&tool.name).await;
            let asked = if ended.is_empty() { "" } else { "; it is asked about again" };
            let text = cut_end(&tool.description, SHOWN).replace('\n', " ");
            notices.push(format!(
                "the MCP tool {} has changed since it was last offered{asked}. Its description is now: {text}",
                tool.name
            ));
        }
        notices
    }

    /// Adds their known tools. A tool whose name is taken is left out; a notice says so.
    pub fn add(&self, registry: &mut ToolRegistry) -> Vec<String> {
        let refused = |tool| registry.register(tool).err().map(|error| error_chain(&error));
        self.servers.tools().into_iter().filter_map(refused).collect()
    }

    /// Refreshes, in the background, the tools of servers that were late or that announced a change.
    pub fn refresh(self: &Arc<Self>) {
        let servers = Arc::clone(self);
        tokio::spawn(async move {
            if servers.servers.refresh().await {
                servers.changed.store(true, Ordering::Release);
            }
        });
    }

    /// Returns true if the tools have changed since this was last asked.
    pub fn have_changed(&self) -> bool {
        self.changed.swap(false, Ordering::AcqRel)
    }

    /// How each server does.
    #[must_use]
    pub fn reports(&self) -> Vec<ServerReport> {
        self.servers.reports()
    }

    /// Names of the tools that are known.
    #[must_use]
    pub fn tool_names(&self) -> Vec<String> {
        self.servers.tools().iter().map(|tool| tool.definition().name).collect()
    }

    /// What of the configuration cannot be used, and what the servers reported.
    #[must_use]
    pub fn notices(&self) -> Vec<String> {
        self.problems.iter().cloned().chain(self.servers.notes()).collect()
    }

    /// Ends the servers.
    pub async fn close(&self) {
        self.servers.close().await;
    }
}

/// A server of the settings in the form of `.mcp.json`.
fn entry(server: &McpServer) -> ServerEntry {
    let texts = |secrets: &Secrets| -> BTreeMap<String, String> {
        secrets.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    let disabled_tools = server.disabled_tools.clone();
    match &server.transport {
        McpTransport::Stdio { command, args, env, cwd } => ServerEntry {
            command: Some(command.clone()),
            args: args.clone(),
            env: texts(env),
            cwd: cwd.as_ref().map(Into::into),
            disabled_tools,
            ..ServerEntry::default()
        },
        McpTransport::Http { url, headers } => ServerEntry {
            url: Some(url.clone()),
            headers: texts(headers),
            disabled_tools,
            ..ServerEntry::default()
        },
    }
}

/// Applies the timeouts of the settings, which are in seconds.
fn limited(config: ServerConfig, server: &McpServer) -> ServerConfig {
    ServerConfig {
        timeout: server.timeout.map_or(config.timeout, Duration::from_secs),
        start_timeout: server.start_timeout.map_or(config.start_timeout, Duration::from_secs),
        ..config
    }
}
