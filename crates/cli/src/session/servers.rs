//! The MCP servers of a session: those of the settings, and those of a project that the user trusts.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use throughline_mcp::{McpOptions, McpServers, ServerConfig, ServerEntry, ServerStatus, parse_mcp_json};
use throughline_settings::{McpServer, McpTransport, Secrets};
use throughline_text::error_chain;
use throughline_tools::ToolRegistry;
use tokio::sync::OnceCell;

use crate::compose::Data;
use crate::config::{Config, Trust};
use crate::permissions::Attended;
use crate::terminal::{plain, table};

/// The servers, and what of their configuration cannot be used.
#[derive(Debug)]
pub(crate) struct Servers {
    servers: McpServers,
    problems: Vec<String>,
    /// Set when those whose tools were not known have been asked for them.
    started: OnceCell<()>,
    /// Whether the tools are others than when somebody last took them.
    changed: AtomicBool,
}

impl Servers {
    /// The servers that are configured. None is started by this.
    pub(crate) fn of(config: &Config, data: &Data, workspace: &Path, attended: Attended) -> Self {
        let lookup = |name: &str| std::env::var(name).ok();
        let (mut configs, mut problems) = (Vec::new(), Vec::new());
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
        let cache = Some(data.folder.root().join("mcp"));
        let mut options = McpOptions { cache, ..McpOptions::new(workspace) };
        if attended == Attended::No {
            // A turn without a person is not begun twice: it waits as long as each server may take to start.
            options.wait = configs.iter().map(|config| config.start_timeout).max().unwrap_or_default();
        }
        let servers = McpServers::new(configs, options);
        Self { servers, problems, started: OnceCell::new(), changed: AtomicBool::new(false) }
    }

    /// Learns what tools they have, which may take some seconds the first time. Gives what the user should know, once.
    pub(crate) async fn start(&self) -> Vec<String> {
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

    /// Whether their tools are known, as far as they could be learned.
    pub(crate) fn have_started(&self) -> bool {
        self.started.initialized()
    }

    /// Adds their tools as they are known. A name that is taken already is left out, and told.
    pub(crate) fn add(&self, registry: &mut ToolRegistry) -> Vec<String> {
        let refused = |tool| registry.register(tool).err().map(|error| error_chain(&error));
        self.servers.tools().into_iter().filter_map(refused).collect()
    }

    /// Asks servers that were late, or that said that they have other tools now, without making anybody wait.
    pub(crate) fn ask_again(self: &Arc<Self>) {
        let servers = Arc::clone(self);
        tokio::spawn(async move {
            if servers.servers.refresh().await {
                servers.changed.store(true, Ordering::Release);
            }
        });
    }

    /// Whether there are other tools since this was last asked.
    pub(crate) fn have_changed(&self) -> bool {
        self.changed.swap(false, Ordering::AcqRel)
    }

    /// The servers and their tools, for a person.
    pub(crate) fn page(&self) -> String {
        let reports = self.servers.reports();
        if reports.is_empty() && self.problems.is_empty() {
            return "No MCP servers: they stand in `[mcp.servers.NAME]` of the settings, or in the .mcp.json of a \
                    project that is trusted."
                .to_owned();
        }
        let mut rows = vec![["SERVER", "BY", "STATE", "TOOLS"].map(str::to_owned).to_vec()];
        rows.extend(reports.iter().map(|report| {
            let state = match report.status {
                ServerStatus::Idle => "not started: its tools are known",
                ServerStatus::Starting => "starting",
                ServerStatus::Running => "running",
                ServerStatus::Ended => "ended; the next call starts it again",
                ServerStatus::Failed => "failed",
            };
            let tools = report.tools.map_or("-".to_owned(), |tools| tools.to_string());
            vec![report.name.clone(), report.kind.to_owned(), state.to_owned(), tools]
        }));
        let mut lines = table(&rows);
        let tools = self.servers.tools();
        if !tools.is_empty() {
            lines.push(String::new());
            lines.extend(tools.iter().map(|tool| format!("  {}", tool.definition().name)));
        }
        let notes: Vec<String> = self.problems.iter().cloned().chain(self.servers.notes()).collect();
        if !notes.is_empty() {
            lines.push(String::new());
            lines.extend(notes);
        }
        plain(&lines.join("\n"))
    }

    /// Ends them.
    pub(crate) async fn close(&self) {
        self.servers.close().await;
    }
}

/// A server of the settings in the form that the file of other agents has.
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

/// With the times that the settings allow, which are in seconds.
fn limited(config: ServerConfig, server: &McpServer) -> ServerConfig {
    ServerConfig {
        timeout: server.timeout.map_or(config.timeout, Duration::from_secs),
        start_timeout: server.start_timeout.map_or(config.start_timeout, Duration::from_secs),
        ..config
    }
}
