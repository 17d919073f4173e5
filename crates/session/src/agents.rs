//! Sub-agents: sessions that a session starts for a part of its work, each with a window, limits and a log of its own.

pub(crate) mod background;
pub(crate) mod background_agent;
mod changes;
mod events;
pub(crate) mod lost;
pub(crate) mod lost_jobs;
mod output_tool;
mod report;
mod run;
pub(crate) mod shown;
mod stored_references;
pub(crate) mod sub_agent;
mod tool;
mod user;
pub(crate) mod work;

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use throughline_config::Config;
use throughline_conversation::SessionId;
use throughline_memory::Scope;
use throughline_permission::Permissions;
use throughline_settings::keys;
use throughline_stored::{Result, SpendingLimits, Storage};
use throughline_tools::Tool;

use crate::agent_kinds::SessionKinds;
use crate::models::SessionModels;
use crate::options::SessionOptions;
use crate::servers::Servers;
use crate::session::Session;
use crate::user::User;

use background::BackgroundAgents;
use output_tool::AgentOutputTool;
use tool::AgentTool;

/// How deep sub-agents may start others by default: not at all.
const DEPTH: u64 = 1;

/// Sub-agents of a session that run at the same time by default.
const RUNNING: u64 = 4;

/// Requests of a sub-agent's turn by default.
const REQUESTS: u64 = 100;

/// The smallest window, in tokens, that has room for the description of the tool.
const MIN_WINDOW: u64 = 16_000;

/// Opens a session. Sub-agents are opened by the same function as the session itself, which depends on their tool.
pub(crate) type OpenSession = fn(SessionOptions) -> Pin<Box<dyn Future<Output = Result<Session>> + Send>>;

/// What sub-agents are started with: as the session itself was.
#[derive(Debug)]
pub(crate) struct AgentStarter {
    pub(crate) config: Arc<Config>,
    pub(crate) storage: Storage,
    pub(crate) workspace: PathBuf,
    pub(crate) models: SessionModels,
    pub(crate) fixed_files: Vec<PathBuf>,
    pub(crate) more_tools: Vec<Arc<dyn Tool>>,
    pub(crate) user: Arc<dyn User>,
    pub(crate) permissions: Arc<Permissions>,
    pub(crate) servers: Arc<Servers>,
    /// The memos that the session sees.
    pub(crate) memos: Scope,
    /// The session that they work for.
    pub(crate) session: SessionId,
    /// The user's session: that one, or the one that it works for itself.
    pub(crate) user_session: SessionId,
    /// 1: it is a user's own session.
    pub(crate) depth: u64,
    /// The limits of the session; `None`: it has none.
    pub(crate) spending: Option<Arc<SpendingLimits>>,
    pub(crate) open: OpenSession,
}

/// What the session gives its sub-agents.
pub(crate) struct AgentParts<'a> {
    pub(crate) options: &'a SessionOptions,
    pub(crate) permissions: &'a Arc<Permissions>,
    pub(crate) servers: &'a Arc<Servers>,
    pub(crate) session: &'a SessionId,
    pub(crate) kinds: SessionKinds,
    /// Of its model, in tokens.
    pub(crate) window: u64,
    pub(crate) agents: &'a BackgroundAgents,
    pub(crate) spending: Option<Arc<SpendingLimits>>,
    pub(crate) open: OpenSession,
}

/// The tools that start sub-agents and read of them. None: the session may not start any, or its window has no room for them.
pub(crate) fn agent_tools(parts: AgentParts<'_>) -> Vec<Arc<dyn Tool>> {
    let AgentParts { options, permissions, servers, session, kinds, window, agents, spending, open } = parts;
    let depth = options.agent.as_ref().map_or(0, |role| role.depth) + 1;
    let set = &options.config.resolved;
    if window < MIN_WINDOW || depth > set.get(keys::AGENTS_DEPTH).unwrap_or(DEPTH) {
        return Vec::new();
    }
    let running = set.get(keys::AGENTS_RUNNING).unwrap_or(RUNNING);
    let starter = AgentStarter {
        config: Arc::clone(&options.config),
        storage: options.storage.clone(),
        workspace: options.workspace.clone(),
        models: options.models.clone(),
        fixed_files: options.fixed_files.clone(),
        more_tools: options.more_tools.clone(),
        user: Arc::clone(&options.user),
        permissions: Arc::clone(permissions),
        servers: Arc::clone(servers),
        memos: options.memos.clone(),
        session: session.clone(),
        user_session: options.agent.as_ref().map_or(session, |role| &role.user_session).clone(),
        depth,
        spending,
        open,
    };
    let starting = AgentTool::new(starter, kinds, agents.clone(), running);
    vec![Arc::new(starting), Arc::new(AgentOutputTool::new(agents.clone()))]
}
