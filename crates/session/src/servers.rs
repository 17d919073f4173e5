//! The MCP servers of a session: those of the settings, and those of a project that the user trusts.

mod configured;
mod known_tools;
mod logins;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use throughline_conversation::ToolDefinition;
use throughline_instructions::PluginParts;
pub(crate) use throughline_mcp::ServerConfig;
use throughline_mcp::{ServerReport, ServerSkills};
use throughline_permission::Permissions;
use throughline_text::{cut_end, error_chain};
use throughline_tools::ToolRegistry;
use tokio::sync::{Mutex, OnceCell};

use crate::permissions::Attendance;
pub use configured::Restart;
use configured::{Configured, ServerPlace};
use known_tools::KnownTools;
pub use logins::{ServerLoginError, ServerLogins};
use throughline_config::Config;
pub use throughline_mcp::LoginState;

/// What no text has.
const NO_MARK: &str = "\0";

/// Maximum bytes of a description in a notice.
const SHOWN: usize = 300;

/// The configured MCP servers. Sessions may share them: starting one takes time.
#[derive(Debug)]
pub struct Servers {
    /// Those of now; they may be reloaded.
    configured: RwLock<Arc<Configured>>,
    /// Locked while they are reloaded.
    reload: Mutex<()>,
    place: ServerPlace,
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
        let asks = attendance == Attendance::Attended;
        Self::at(config, ServerPlace { attendance, asks, ..ServerPlace::new(data, workspace) })
    }

    /// The same with more servers, of the program that opens the session, whose start waits as long as each of them may take:
    /// a session that has begun without their tools would make the prompt cache cold for them. `asks`: its user can be asked
    /// what servers want to know.
    pub(crate) fn waited_for(
        config: &Config,
        data: &Path,
        workspace: &Path,
        more: Vec<ServerConfig>,
        asks: bool,
    ) -> Self {
        Self::at(config, ServerPlace { asks, more, ..ServerPlace::new(data, workspace) })
    }

    fn at(config: &Config, place: ServerPlace) -> Self {
        Self {
            configured: RwLock::new(Arc::new(Configured::of(config, &place))),
            reload: Mutex::default(),
            started: OnceCell::new(),
            changed: AtomicBool::new(false),
            known: KnownTools::new(&place.data, &place.workspace),
            place,
        }
    }

    /// Uses the servers of these settings. One that was configured in the same way continues with what it holds, unless it is
    /// to be restarted; calls of the others fail. What the user should know is in [`notices`](Self::notices).
    pub async fn reload(&self, config: &Config, restart: &Restart) {
        // The servers of another reload are replaced, too.
        let _one = self.reload.lock().await;
        let old = self.configured();
        let new = Arc::new(old.replace(config, &self.place, restart).await);
        *self.configured.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&new);
        new.servers.start().await;
        self.started.get_or_init(async || {}).await;
        if !new.servers.has_tools_of(&old.servers) {
            self.changed.store(true, Ordering::Release);
        }
    }

    fn configured(&self) -> Arc<Configured> {
        Arc::clone(&self.configured.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Learns their tools, which may take some seconds the first time. Returns notices for the user, once.
    pub async fn start(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let start = async {
            let now = self.configured();
            if now.servers.start().await {
                self.changed.store(true, Ordering::Release);
            }
            notes.clone_from(&now.problems);
            notes.extend(now.servers.notes());
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
    pub(crate) async fn review(&self, permissions: &Permissions) -> Vec<String> {
        let tools: Vec<ToolDefinition> =
            self.configured().servers.tools().iter().map(|tool| tool.definition()).collect();
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
    pub(crate) fn add(&self, registry: &mut ToolRegistry) -> Vec<String> {
        let refused = |tool| registry.register(tool).err().map(|error| error_chain(&error));
        self.configured().servers.tools().into_iter().filter_map(refused).collect()
    }

    /// Starts those whose tools are not known, as after a login, and waits some seconds for them.
    pub async fn start_missing(&self) {
        if self.configured().servers.start().await {
            self.changed.store(true, Ordering::Release);
        }
    }

    /// The skills of the servers: each has the name of its server in front.
    pub(crate) fn skills(&self) -> Vec<PluginParts> {
        let parts = |ServerSkills { server, root, skills }| PluginParts {
            name: server,
            root,
            skills,
            // A server's texts know no folder of the user.
            root_mark: NO_MARK.to_owned(),
            ..PluginParts::default()
        };
        self.configured().servers.skills().into_iter().map(parts).collect()
    }

    /// Refreshes, in the background, the tools of servers that were late or that announced a change.
    pub fn refresh(self: &Arc<Self>) {
        let servers = Arc::clone(self);
        tokio::spawn(async move { servers.relist().await });
    }

    /// The same, and waits for them some seconds.
    pub(crate) async fn relist(&self) {
        if self.configured().servers.refresh().await {
            self.changed.store(true, Ordering::Release);
        }
    }

    /// Returns true if the tools have changed since this was last asked.
    pub(crate) fn take_change(&self) -> bool {
        self.changed.swap(false, Ordering::AcqRel)
    }

    /// How each server does.
    #[must_use]
    pub fn reports(&self) -> Vec<ServerReport> {
        self.configured().servers.reports()
    }

    /// Names of the tools that are known.
    #[must_use]
    pub fn tool_names(&self) -> Vec<String> {
        self.configured().servers.tools().iter().map(|tool| tool.definition().name).collect()
    }

    /// What of the configuration cannot be used, and what the servers reported.
    #[must_use]
    pub fn notices(&self) -> Vec<String> {
        let now = self.configured();
        now.problems.iter().cloned().chain(now.servers.notes()).collect()
    }

    /// Ends the servers.
    pub async fn close(&self) {
        self.configured().servers.close().await;
    }
}
