//! Opening a session, with everything that works in it.

use std::path::Path;
use std::sync::Arc;

use throughline_agent::{Agent, AgentBuilder, Listeners, NextModel, NullSink};
use throughline_continuity::{LogError, SessionInfo};
use throughline_conversation::{CheckpointRecord, RecordBody, SessionId};
use throughline_groups::Change;
use throughline_instructions::SessionFolders;
use throughline_permission::{Approver, Permissions, guarded};
use throughline_prompt::{FixedSections, PromptSection};
use throughline_store::SessionLock;
use throughline_tools::{RegistryError, ToolRegistry};

use super::enter::enter;
use super::file_history;
use super::rule_notes::rule_notes;
use crate::continuity::{ContinuitySettings, with_continuity};
use crate::instructions::Instructions;
use crate::permissions::Attendance;
use crate::servers::Servers;
use crate::tools::{ToolSet, home_note, loss_notes, registry, sandbox_note, scope};
use throughline_config::{Config, SessionSettings};
use throughline_stored::Result;
use throughline_stored::{SessionStart, SpendingLimits, Storage, recorded_policy};

/// An open session.
#[derive(Debug)]
pub struct OpenedSession {
    /// The agent that works in it.
    pub agent: Agent,
    /// The lock that makes it this process's alone; it is held until this is dropped.
    pub lock: SessionLock,
    /// Its entry in the list of sessions.
    pub info: SessionInfo,
    /// The newest checkpoint, if a task is resumed from it.
    pub checkpoint: Option<CheckpointRecord>,
    /// Its rules and skills.
    pub instructions: Instructions,
    /// Its tools without those of MCP servers; `None`: it takes no tools of servers.
    pub own_tools: Option<ToolRegistry>,
    /// Its MCP servers. They run until the last owner drops them.
    pub servers: Arc<Servers>,
    /// Notices for the user.
    pub notices: Vec<String>,
}

/// Wraps the tools of a session, for example to observe their calls.
pub type ToolObserver<'a> = &'a (dyn Fn(&ToolRegistry) -> Result<ToolRegistry, RegistryError> + Sync);

/// What a session is opened with.
pub struct Opening<'a> {
    /// The settings, and the project that they are for.
    pub config: &'a Config,
    /// The policy and its overrides, after [`SessionSettings::for_session`].
    pub settings: &'a SessionSettings,
    /// Where the session is stored.
    pub storage: &'a Storage,
    /// The folder that the tools work in.
    pub workspace: &'a Path,
    /// The model, with its counter and settings.
    pub model: NextModel,
    /// Models that take over, in this order, if the model cannot answer.
    pub fallbacks: Vec<NextModel>,
    /// Decides about tool calls.
    pub permissions: Arc<Permissions>,
    /// Answers what the permissions ask.
    pub approver: Arc<dyn Approver>,
    /// MCP servers, which bring more tools.
    pub servers: Arc<Servers>,
    /// The built-in tools that the model is given.
    pub tools: ToolSet,
    /// Wraps the tools.
    pub observer: ToolObserver<'a>,
    /// The session.
    pub start: SessionStart,
    /// The word that a new session's id begins with.
    pub id_prefix: &'a str,
    /// Title of a new session.
    pub title: &'a str,
    /// The session works on a task: checkpoints carry its title, and the newest one is returned.
    pub is_task: bool,
    /// Maximum number of requests of a turn; `None`: no limit.
    pub max_requests: Option<u64>,
    /// Whether a user can answer the model's questions: the prompt says so.
    pub attendance: Attendance,
    /// Who receives all events of the session, besides the sink of each call.
    pub listeners: Option<Arc<dyn Listeners>>,
}

/// Opens a session and takes its lock.
///
/// # Errors
/// [`Error::Busy`](throughline_stored::Error::Busy) if another process has the session open; the session cannot be read; a setting
/// cannot be used. A session that would have been new is removed again.
pub async fn open(opening: Opening<'_>) -> Result<OpenedSession> {
    let (info, lock) = enter(&opening).await?;
    let (storage, is_new) = (opening.storage, opening.start.is_new());
    match filled(opening, &info).await {
        Ok(FilledSession { agent, checkpoint, instructions, own_tools, servers, notices }) => {
            Ok(OpenedSession { agent, lock, info, checkpoint, instructions, own_tools, servers, notices })
        }
        Err(error) => {
            if is_new {
                // The first error says what is wrong. A session that stays has no message, and `last` never means it.
                storage.discard(&info.id, lock).await.ok();
            }
            Err(error)
        }
    }
}

/// What an open session consists of.
struct FilledSession {
    agent: Agent,
    checkpoint: Option<CheckpointRecord>,
    instructions: Instructions,
    own_tools: Option<ToolRegistry>,
    servers: Arc<Servers>,
    notices: Vec<String>,
}

async fn filled(opening: Opening<'_>, info: &SessionInfo) -> Result<FilledSession> {
    let Opening { config, storage, workspace, .. } = opening;
    let session = info.id.clone();
    let (mut notices, mut checkpoint) = (Vec::new(), None);
    if opening.is_task {
        checkpoint = newest_checkpoint(storage, &session, &mut notices).await?;
    }
    let window = opening.model.settings.window.unwrap_or_else(|| opening.model.model.info().window);
    let instructions = Instructions::of(workspace, window, config.instructions());
    let scope = scope(config, storage.folder.root());
    let mut tools = registry(opening.tools, config, workspace, scope.clone())?;
    let with_skills = opening.tools != ToolSet::None;
    notices.extend(opening.permissions.take_problems());
    if opening.tools == ToolSet::All {
        notices.extend(sandbox_note(config));
        notices.extend(loss_notes(config, workspace, storage.folder.root()).await);
        notices.extend(home_note(config, workspace));
    }
    if with_skills {
        instructions.register(&mut tools)?;
    }
    let own_tools = (opening.tools == ToolSet::All).then(|| tools.clone());
    if own_tools.is_some() {
        notices.extend(opening.servers.review(&opening.permissions).await);
        notices.extend(opening.servers.add(&mut tools));
        notices.extend(rule_notes(&opening.permissions, &tools));
    }
    // The observer is outermost: it also sees why a call was denied.
    let tools = (opening.observer)(&guarded(&tools, &opening.permissions, &opening.approver)?)?;
    let (policy, attended) = (opening.settings.policy().name(), opening.attendance == Attendance::Attended);
    let recorded = match opening.start {
        SessionStart::New => None,
        SessionStart::Existing(_) | SessionStart::Fork(_) => recorded_policy(storage, &session).await?,
    };
    if let Some(before) = recorded.map(|record| record.name).filter(|before| before != policy) {
        notices.push(format!("the policy of this session was {before}; from now on it is {policy}"));
    }
    let groups = opening.settings.shown_groups(opening.model.settings.compaction.chain.shown_groups());
    let servers = Arc::clone(&opening.servers);
    let spending = SpendingLimits::of(&config.resolved, storage, &session).await?;
    let mut builder = instructions.attach(compose(opening, tools), with_skills);
    if let Some(guard) = spending {
        builder = builder.spending(guard);
    }
    let mut agent = builder.open(session).await?;
    instructions.restore(storage, &agent).await?;
    file_history::restore(&scope, storage, &agent, workspace).await;
    notices.extend(instructions.notices().await?);
    notices.extend(lost_notice(&agent));
    notices.extend(instructions_notice(&agent));
    // Without a user the receipt of the next request has the figures.
    notices.extend(agent.continuing_price().filter(|_| attended));
    if let Some(groups) = groups.filter(|_| agent.exchange() == 0) {
        // The settings show this many groups; from here on the session's own setting counts.
        agent.change(Change::Window(Some(groups)), &NullSink).await?;
    }
    Ok(FilledSession { agent, checkpoint, instructions, own_tools, servers, notices })
}

/// What the session is opened without.
fn lost_notice(agent: &Agent) -> Option<String> {
    let (first, more) = (agent.unreadable().first()?, agent.unreadable().len() - 1);
    let more = if more > 0 { format!(" (and {more} more places)") } else { String::new() };
    let session = agent.session();
    Some(format!(
        "{first}{more}; the session continues without; `throughline recover {session}` saves what can be read"
    ))
}

/// Standing instructions for summaries that nothing follows.
fn instructions_notice(agent: &Agent) -> Option<String> {
    agent.ignores_instructions().then(|| {
        let policy = "the policy of this session asks no model for summaries";
        format!("compaction.instructions has no effect: {policy}")
    })
}

/// The agent with its model, fallbacks, tools, prompt and stores.
fn compose(opening: Opening<'_>, tools: ToolRegistry) -> AgentBuilder {
    let Opening { settings: own, storage, workspace, max_requests, .. } = opening;
    let NextModel { model, counter, mut settings, summarizer } = opening.model;
    settings.max_requests = max_requests;
    let sections = [
        PromptSection::base("identity", identity(opening.attendance).trim_end()),
        PromptSection::project("workspace", describe_workspace(workspace)),
    ];
    let mut builder = Agent::builder(model, counter, settings)
        .policy(own.policy().name())
        .workspace(workspace)
        .tools(tools)
        .section(Arc::new(FixedSections::new("run", sections)));
    if let Some(summarizer) = summarizer {
        builder = builder.summarizer(summarizer);
    }
    if let Some(listeners) = opening.listeners {
        builder = builder.listeners(listeners);
    }
    for mut next in opening.fallbacks {
        next.settings.max_requests = max_requests;
        builder = builder.fallback(next);
    }
    let continuity = ContinuitySettings {
        workspace,
        // Without a task the view says what the session is about; a title could repeat a message that was removed.
        title: if opening.is_task { opening.title } else { "" },
        state: own.state_rule(),
        checkpoints: own.checkpoints(),
        handoff: own.handoff(),
    };
    with_continuity(storage.attach(builder), storage, &continuity)
}

/// The first section of the prompt.
fn identity(attendance: Attendance) -> &'static str {
    match attendance {
        Attendance::Attended => include_str!("files/attended.md"),
        Attendance::Unattended => include_str!("files/unattended.md"),
    }
}

/// The newest checkpoint. A damaged one is left out, with a notice.
async fn newest_checkpoint(
    storage: &Storage,
    session: &SessionId,
    notices: &mut Vec<String>,
) -> Result<Option<CheckpointRecord>> {
    match storage.log().newest(session, "checkpoint").await {
        Ok(record) => Ok(record.and_then(|record| match record.body {
            RecordBody::Checkpoint(checkpoint) => Some(*checkpoint),
            _ => None,
        })),
        Err(LogError::Damaged { seq, why }) => {
            notices.push(format!(
                "the newest checkpoint (record {seq}) cannot be read, so the task starts over: {why}"
            ));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Describes the workspace. The text does not change during a session, so the cached prefix stays warm.
fn describe_workspace(workspace: &Path) -> String {
    let places = SessionFolders::of(workspace, None);
    let git = match places.root() {
        root if !root.join(".git").exists() => "no git repository".to_owned(),
        root if root == workspace => "a git repository".to_owned(),
        root => format!("in the git repository {}", root.display()),
    };
    format!(
        "The working folder is {} ({git}). Relative paths begin there. The system is {}.",
        workspace.display(),
        std::env::consts::OS
    )
}
