//! What a session is opened with.

use std::path::PathBuf;
use std::sync::Arc;

use throughline_agent::{MemoryPorts, Settings};
use throughline_compaction::Summarizer;
use throughline_config::Config;
use throughline_memory::Scope;
use throughline_permission::Permissions;
use throughline_prompt::SectionSource;
use throughline_stored::{SessionStart, Storage, memo_scope};
use throughline_tools::Tool;

use crate::agent_role::AgentRole;
use crate::models::SessionModels;
use crate::servers::{ServerConfig, Servers};
use crate::user::{NoUser, User};

/// The first section of the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SystemPrompt {
    /// That it is a coding agent in this workspace.
    #[default]
    CodingAgent,
    /// This text.
    Own(String),
    /// That it works for another agent in this workspace, with this text.
    SubAgent(String),
    /// Nothing but the sections of the engine and of the caller.
    None,
}

/// What a session is opened with. [`SessionOptions::new`] sets what every session needs; each other field has one default.
#[derive(Debug)]
pub struct SessionOptions {
    /// The settings, and the project that they are for.
    pub config: Arc<Config>,
    /// Where the session is stored.
    pub storage: Storage,
    /// The folder that the tools work in, and for which permissions and memory files hold.
    pub workspace: PathBuf,
    /// The models, the built-in tools and the limits of the session.
    pub models: SessionModels,
    /// Who it works for. Defaults to [`NoUser`].
    pub user: Arc<dyn User>,
    /// The session. Defaults to a new one.
    pub start: SessionStart,
    /// The word that a new session's id begins with. Defaults to `session`.
    pub id_prefix: &'static str,
    /// Title of a new session. Defaults to none.
    pub title: String,
    /// The session works on a task: checkpoints carry its title, and the newest one is returned. Defaults to false.
    pub is_task: bool,
    /// Files that neither file tools nor commands change. Defaults to none.
    pub fixed_files: Vec<PathBuf>,
    /// Tools of the caller, next to the built-in ones. Defaults to none.
    pub more_tools: Vec<Arc<dyn Tool>>,
    /// The first section of the prompt. Defaults to the text of a coding agent.
    pub system_prompt: SystemPrompt,
    /// More sections of the prompt. Defaults to none.
    pub sections: Vec<Arc<dyn SectionSource>>,
    /// The agent's settings; `None`: those of the policy for the model's window, with what the settings override.
    pub settings: Option<Settings>,
    /// Who writes summaries; `None`: the model of the session, as the settings say.
    pub summarizer: Option<Arc<dyn Summarizer>>,
    /// What outlives sessions; `None`: the memos of the storage and the memory files of the workspace.
    pub memory: Option<MemoryPorts>,
    /// The memos of the storage that the session sees, and where it files new ones. Unused with [`memory`](Self::memory).
    /// Defaults to those of the project around the workspace.
    pub memos: Scope,
    /// What decides about calls, shared with other sessions; `None`: rules and mode of the settings.
    pub permissions: Option<Arc<Permissions>>,
    /// MCP servers that the caller starts, shared with other sessions; `None`: those of the settings, started before the
    /// session opens, so that it begins with all its tools.
    pub servers: Option<Arc<Servers>>,
    /// MCP servers of the caller, next to those of the settings. Unused with [`servers`](Self::servers). Defaults to none.
    pub more_servers: Vec<ServerConfig>,
    /// The session is one of a sub-agent that another session starts. Defaults to none.
    pub agent: Option<AgentRole>,
}

impl SessionOptions {
    /// A new session without a user, with the defaults of all other fields.
    #[must_use]
    pub fn new(config: Arc<Config>, storage: Storage, workspace: PathBuf, models: SessionModels) -> Self {
        let memos = memo_scope(&workspace);
        Self {
            config,
            storage,
            workspace,
            models,
            user: Arc::new(NoUser),
            start: SessionStart::New,
            id_prefix: "session",
            title: String::new(),
            is_task: false,
            fixed_files: Vec::new(),
            more_tools: Vec::new(),
            system_prompt: SystemPrompt::default(),
            sections: Vec::new(),
            settings: None,
            summarizer: None,
            memory: None,
            memos,
            permissions: None,
            servers: None,
            more_servers: Vec::new(),
            agent: None,
        }
    }
}
