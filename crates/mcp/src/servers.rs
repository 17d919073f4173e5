//! The servers of a session.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use throughline_tools::{Launcher, Tool};
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout_at};

use crate::config::ServerConfig;
use crate::limits;
use crate::login_store::LoginStore;
use crate::mcp_tool::McpTool;
use crate::remote_tool::{RemoteTool, quoted};
use crate::report::ServerReport;
use crate::server::Server;
use crate::skills::ServerSkills;

/// Options for the servers of a session.
#[derive(Debug, Clone)]
pub struct McpOptions {
    /// The absolute path of the working folder, in which servers start and which they get as root.
    pub workspace: PathBuf,
    /// The folder for cached tool lists, readable by the user alone. Without it each session starts every server.
    pub cache: Option<PathBuf>,
    /// Maximum time that [`McpServers::start`] and [`McpServers::refresh`] wait.
    pub wait: Duration,
    /// Starts servers so that nothing of them outlives this process, however it ends. Without it a server that does not read
    /// its input may continue after a crash.
    pub launcher: Option<Launcher>,
    /// Where the logins to network servers are. Without it a server that asks for one cannot be used.
    pub logins: Option<Arc<dyn LoginStore>>,
    /// A person may be asked while a call runs, so servers are promised that they can ask. Who is asked is in the context of
    /// the call.
    pub attended: bool,
}

impl McpOptions {
    /// Options without a cache and without a person to ask, with waits of at most five seconds.
    #[must_use]
    pub fn new(workspace: impl Into<PathBuf>) -> Self {
        Self {
            workspace: workspace.into(),
            cache: None,
            wait: limits::WAIT,
            launcher: None,
            logins: None,
            attended: false,
        }
    }
}

/// The servers of a session and their tools.
///
/// [`McpServers::tools`] returns the same tools until [`McpServers::refresh`] applies changed lists: a change invalidates the
/// prompt cache, so the caller chooses the time. Call [`McpServers::close`] at the end; otherwise a server ends when its
/// last tool is dropped.
#[derive(Debug)]
pub struct McpServers {
    servers: Vec<Arc<Server>>,
    options: McpOptions,
    /// Problems of the configuration as a whole.
    problems: Vec<String>,
    offered: Mutex<OfferedTools>,
    background: Mutex<Vec<Background>>,
}

/// Work on a server in the background.
#[derive(Debug)]
struct Background {
    server: Arc<Server>,
    task: AbortHandle,
}

/// The tools that [`McpServers::tools`] returns.
#[derive(Debug, Default)]
struct OfferedTools {
    tools: Vec<Arc<McpTool>>,
    notes: Vec<String>,
}

impl McpServers {
    /// Creates the servers and loads their tools from the cache. Starts nothing. The order of the configurations does not
    /// matter.
    #[must_use]
    pub fn new(configs: impl IntoIterator<Item = ServerConfig>, options: McpOptions) -> Self {
        Self::with(configs, options, &[])
    }

    /// Servers of other configurations, in place of these. A server whose configuration is the same continues, with its
    /// connection and the calls that run, if `continues` is true for its name. All others are shut down, and this waits for
    /// them, because a server may not run twice. Starts nothing.
    #[must_use = "these servers are shut down"]
    pub async fn replace(
        &self,
        configs: impl IntoIterator<Item = ServerConfig>,
        options: McpOptions,
        continues: impl Fn(&str) -> bool,
    ) -> Self {
        let running: Vec<_> =
            self.servers.iter().filter(|server| continues(server.name())).cloned().collect();
        let new = Self::with(configs, options, &running);
        let is_shared = |server: &Arc<Server>| new.servers.iter().any(|one| Arc::ptr_eq(one, server));
        new.background().extend(self.background().extract_if(.., |one| is_shared(&one.server)));
        self.close_if(|server| !is_shared(server)).await;
        new
    }

    fn with(
        configs: impl IntoIterator<Item = ServerConfig>,
        options: McpOptions,
        running: &[Arc<Server>],
    ) -> Self {
        let mut configs: Vec<ServerConfig> = configs.into_iter().collect();
        // Of two with the same name the first one wins: the sort is stable.
        configs.sort_by(|a, b| a.name.cmp(&b.name));
        let mut names = BTreeSet::new();
        let mut problems = Vec::new();
        let mut servers = Vec::new();
        for config in configs {
            if names.insert(config.name.clone()) {
                let same = running.iter().find(|server| *server.config() == config).cloned();
                servers.push(same.unwrap_or_else(|| Arc::new(Server::new(config, &options))));
            } else {
                let name = quoted(&config.name);
                problems.push(format!("MCP server {name} is configured twice; the second entry is ignored"));
            }
        }
        let new =
            Self { servers, options, problems, offered: Mutex::default(), background: Mutex::default() };
        new.update_tools();
        new
    }

    /// Starts the servers whose tools are unknown, concurrently, and waits for them up to the configured time; for one whose last start
    /// took too long, at most five seconds. Slower ones continue in the background, and [`McpServers::refresh`] adds their tools. Returns true if the tools changed.
    pub async fn start(&self) -> bool {
        let begun = Instant::now();
        let new = self.servers.iter().filter(|server| server.should_start());
        let started: Vec<_> = new
            .map(|server| (begun + server.wait(self.options.wait) + limits::SLACK, self.prepare(server)))
            .collect();
        for (until, one) in started {
            let _ = timeout_at(until, one).await;
        }
        self.update_tools()
    }

    /// The tools, ordered by the name of the server and their own name. Unchanged until [`McpServers::refresh`].
    #[must_use]
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.offered().tools.iter().map(|tool| Arc::clone(tool) as Arc<dyn Tool>).collect()
    }

    /// Returns true if the tools are those of the same running servers as other ones.
    #[must_use]
    pub fn has_tools_of(&self, other: &Self) -> bool {
        let same = |(mine, theirs): (&Arc<McpTool>, &Arc<McpTool>)| {
            Arc::ptr_eq(&mine.server, &theirs.server) && mine.tool == theirs.tool
        };
        let theirs = other.offered().tools.clone();
        let mine = self.offered();
        mine.tools.len() == theirs.len() && mine.tools.iter().zip(&theirs).all(same)
    }

    /// The skills of the servers, as of the last time that each was started. Without a cache there are none.
    #[must_use]
    pub fn skills(&self) -> Vec<ServerSkills> {
        self.servers.iter().filter_map(|server| server.skills()).collect()
    }

    /// Applies changed tool lists, and the lists of servers that were slow to start. Call it when the prompt cache is
    /// cold anyway. Returns true if the tools changed.
    ///
    /// Starts failed servers again in the background, without waiting for them.
    pub async fn refresh(&self) -> bool {
        let relists = self.servers.iter().map(|server| {
            let one = Arc::clone(server);
            self.track(server, tokio::spawn(async move { one.relist().await }))
        });
        let relists: Vec<_> = relists.collect();
        let until = Instant::now() + self.options.wait;
        for one in relists {
            let _ = timeout_at(until, one).await;
        }
        let changed = self.update_tools();
        for server in self.servers.iter().filter(|server| server.should_start()) {
            drop(self.prepare(server));
        }
        changed
    }

    /// Notes for the user: which tools are missing, and why. One line each, without secrets.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.problems.clone();
        for report in self.reports() {
            let name = quoted(&report.name);
            notes.extend(report.notes.iter().map(|note| format!("MCP server {name}: {note}")));
        }
        notes.extend(self.offered().notes.iter().cloned());
        notes
    }

    /// The state of every server, ordered by name.
    #[must_use]
    pub fn reports(&self) -> Vec<ServerReport> {
        self.servers.iter().map(|server| server.report()).collect()
    }

    /// Shuts down all servers and waits for them. Their tools return errors from then on.
    pub async fn close(&self) {
        self.close_if(|_| true).await;
    }

    /// Shuts down these servers and all work in the background.
    async fn close_if(&self, ends: impl Fn(&Arc<Server>) -> bool) {
        self.abort();
        let ends = self.servers.iter().filter(|server| ends(server)).map(|server| {
            let server = Arc::clone(server);
            tokio::spawn(async move { server.close().await })
        });
        for end in ends.collect::<Vec<_>>() {
            let _ = end.await;
        }
    }

    /// Replaces the offered tools by the current ones of the servers. Returns true if they changed.
    fn update_tools(&self) -> bool {
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
                let (tool, server) = (quoted(&tool.name), quoted(server.name()));
                notes.push(format!(
                    "the tool {tool} of the MCP server {server} is not offered: another tool has its name"
                ));
            }
        }
        let mut offered = self.offered();
        let same = |(_, new): &(_, &Arc<RemoteTool>), old: &Arc<McpTool>| {
            Arc::ptr_eq(new, &old.tool) || *new == &old.tool
        };
        if found.len() == offered.tools.len()
            && found.iter().zip(&offered.tools).all(|(new, old)| same(new, old))
        {
            return false;
        }
        let tools = found
            .into_iter()
            .map(|(server, tool)| Arc::new(McpTool { server: Arc::clone(server), tool: Arc::clone(tool) }));
        *offered = OfferedTools { tools: tools.collect(), notes };
        true
    }

    fn prepare(&self, server: &Arc<Server>) -> tokio::task::JoinHandle<()> {
        let one = Arc::clone(server);
        self.track(server, tokio::spawn(async move { one.prepare().await }))
    }

    /// Tracks work on a server, so that it is aborted with the session.
    fn track(&self, server: &Arc<Server>, task: tokio::task::JoinHandle<()>) -> tokio::task::JoinHandle<()> {
        let mut background = self.background();
        background.retain(|one| !one.task.is_finished());
        background.push(Background { server: Arc::clone(server), task: task.abort_handle() });
        task
    }

    fn abort(&self) {
        for one in self.background().drain(..) {
            one.task.abort();
        }
    }

    fn offered(&self) -> MutexGuard<'_, OfferedTools> {
        self.offered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn background(&self) -> MutexGuard<'_, Vec<Background>> {
        self.background.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for McpServers {
    fn drop(&mut self) {
        self.abort();
    }
}
