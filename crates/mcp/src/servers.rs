//! The servers of a session.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use throughline_tools::Tool;
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout_at};

use crate::cache::Cache;
use crate::remote::{RemoteTool, shown};
use crate::server::Server;
use crate::tool::McpTool;
use crate::{ServerConfig, ServerReport, bounds};

/// Where the servers of a session live.
#[derive(Debug, Clone)]
pub struct McpOptions {
    /// The folder that the session works in: servers are started in it and told of it. Absolute.
    pub workspace: PathBuf,
    /// A folder for the lists of tools, for the user alone. Without it each session starts every server.
    pub cache: Option<PathBuf>,
    /// How long [`McpServers::start`] and [`McpServers::refresh`] wait for a server at most.
    pub wait: Duration,
}

impl McpOptions {
    /// Options without a cache; waits are five seconds at most.
    #[must_use]
    pub fn new(workspace: impl Into<PathBuf>) -> Self {
        Self { workspace: workspace.into(), cache: None, wait: bounds::WAIT }
    }
}

/// The servers of a session and their tools.
///
/// [`McpServers::tools`] gives the same tools until [`McpServers::refresh`] takes up what servers have said since:
/// another list makes every cached prompt cold, so the composition says when. Call [`McpServers::close`] at the end;
/// without it servers are ended when the last tool of theirs is dropped.
#[derive(Debug)]
pub struct McpServers {
    servers: Vec<Arc<Server>>,
    wait: Duration,
    /// What is wrong with the configuration as a whole.
    complaints: Vec<String>,
    shown: Mutex<Shown>,
    background: Mutex<Vec<AbortHandle>>,
}

/// The tools that were given out.
#[derive(Debug, Default)]
struct Shown {
    tools: Vec<Arc<McpTool>>,
    notes: Vec<String>,
}

impl McpServers {
    /// Takes the servers, in whatever order, and reads from the cache which tools they have. Starts nothing.
    #[must_use]
    pub fn new(configs: impl IntoIterator<Item = ServerConfig>, options: McpOptions) -> Self {
        let McpOptions { workspace, cache, wait } = options;
        let cache = cache.map(Cache::new);
        let mut configs: Vec<ServerConfig> = configs.into_iter().collect();
        // Of two with one name the first that was given counts; a stable sort keeps it first.
        configs.sort_by(|a, b| a.name.cmp(&b.name));
        let mut names = BTreeSet::new();
        let mut complaints = Vec::new();
        let mut servers = Vec::new();
        for config in configs {
            if names.insert(config.name.clone()) {
                servers.push(Arc::new(Server::new(config, workspace.clone(), cache.clone())));
            } else {
                let name = shown(&config.name);
                complaints.push(format!("MCP server {name} is configured twice; the second is left out"));
            }
        }
        let new = Self { servers, wait, complaints, shown: Mutex::default(), background: Mutex::default() };
        new.take_up();
        new
    }

    /// Starts the servers whose tools are not known yet, side by side, and waits for them a while. Those that take
    /// longer go on in the background, and [`McpServers::refresh`] takes up their tools. Gives whether the tools differ
    /// from those before.
    pub async fn start(&self) -> bool {
        let new = self.servers.iter().filter(|server| server.is_worth_a_try());
        let started: Vec<_> = new.map(|server| self.prepare(server)).collect();
        let until = Instant::now() + self.wait;
        for one in started {
            let _ = timeout_at(until, one).await;
        }
        self.take_up()
    }

    /// The tools, in order of the servers' names and then of their own. The same until [`McpServers::refresh`].
    #[must_use]
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.shown().tools.iter().map(|tool| Arc::clone(tool) as Arc<dyn Tool>).collect()
    }

    /// Takes up what has changed: lists that servers said are new, and servers that were late. Call it when the
    /// prompt's cache is cold anyway. Gives whether the tools differ from those before.
    ///
    /// Servers that could not be started are tried again in the background, without a wait here.
    pub async fn refresh(&self) -> bool {
        let relists = self.servers.iter().map(|server| {
            let server = Arc::clone(server);
            self.keep(tokio::spawn(async move { server.relist().await }))
        });
        let relists: Vec<_> = relists.collect();
        let until = Instant::now() + self.wait;
        for one in relists {
            let _ = timeout_at(until, one).await;
        }
        let changed = self.take_up();
        for server in self.servers.iter().filter(|server| server.is_worth_a_try()) {
            drop(self.prepare(server));
        }
        changed
    }

    /// What a person should know: which tools are missing and why. One line each, without secrets.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.complaints.clone();
        for report in self.reports() {
            let name = shown(&report.name);
            notes.extend(report.notes.iter().map(|note| format!("MCP server {name}: {note}")));
        }
        notes.extend(self.shown().notes.iter().cloned());
        notes
    }

    /// Every server as it stands, in order of name.
    #[must_use]
    pub fn reports(&self) -> Vec<ServerReport> {
        self.servers.iter().map(|server| server.report()).collect()
    }

    /// Ends all servers and waits until they have. Their tools answer with an error from then on.
    pub async fn close(&self) {
        for task in self.background().drain(..) {
            task.abort();
        }
        let ends = self.servers.iter().map(|server| {
            let server = Arc::clone(server);
            tokio::spawn(async move { server.close().await })
        });
        for end in ends.collect::<Vec<_>>() {
            let _ = end.await;
        }
    }

    /// Takes the tools as the servers have them now. Gives whether they differ.
    fn take_up(&self) -> bool {
        let mut found = Vec::new();
        let mut notes = Vec::new();
        let mut names = BTreeSet::new();
        let lists: Vec<_> =
            self.servers.iter().filter_map(|server| Some((server, server.listed()?))).collect();
        for (server, tool) in
            lists.iter().flat_map(|(server, listed)| listed.tools.iter().map(move |tool| (*server, tool)))
        {
            if names.insert(tool.definition.name.as_str()) {
                found.push((server, tool));
            } else {
                let (tool, server) = (shown(&tool.name), shown(server.name()));
                notes.push(format!(
                    "the tool {tool} of the MCP server {server} is left out: its name is taken"
                ));
            }
        }
        let mut shown = self.shown();
        let same = |(_, new): &(_, &Arc<RemoteTool>), old: &Arc<McpTool>| {
            Arc::ptr_eq(new, &old.tool) || *new == &old.tool
        };
        if found.len() == shown.tools.len() && found.iter().zip(&shown.tools).all(|(new, old)| same(new, old))
        {
            return false;
        }
        let tools = found
            .into_iter()
            .map(|(server, tool)| Arc::new(McpTool { server: Arc::clone(server), tool: Arc::clone(tool) }));
        *shown = Shown { tools: tools.collect(), notes };
        true
    }

    fn prepare(&self, server: &Arc<Server>) -> tokio::task::JoinHandle<()> {
        let server = Arc::clone(server);
        self.keep(tokio::spawn(async move { server.prepare().await }))
    }

    /// Remembers a task, so that it ends with the session.
    fn keep(&self, task: tokio::task::JoinHandle<()>) -> tokio::task::JoinHandle<()> {
        let mut background = self.background();
        background.retain(|task| !task.is_finished());
        background.push(task.abort_handle());
        task
    }

    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn background(&self) -> MutexGuard<'_, Vec<AbortHandle>> {
        self.background.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for McpServers {
    fn drop(&mut self) {
        for task in self.background().drain(..) {
            task.abort();
        }
    }
}
