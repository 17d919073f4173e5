//! Opening a session, with everything that works in it.

mod compose;
mod moved;
mod notices;
mod parts;
mod session_tools;

use std::pin::Pin;
use std::sync::Arc;

use throughline_agent::{Agent, AgentBuilder, NextModel, NullSink};
use throughline_connect::CacheLifetime;
use throughline_continuity::{LogError, SessionInfo, live_checkpoint};
use throughline_conversation::{CheckpointRecord, SessionId};
use throughline_groups::Change;
use throughline_permission::Permissions;
use throughline_stored::{Result, SpendingLimits};
use throughline_tools::{CommandRunner, FileScope};

use crate::call_layers::CallLayers;
use crate::enter::enter;
use crate::file_history;
use crate::hooks::{HookPlace, SessionHooks};
use crate::instructions::Instructions;
use crate::options::{SessionOptions, SystemPrompt};
use crate::session::Session;
use crate::tools::ToolSet;
use compose::compose;
use notices::{agent_notices, policy_notice, start_notices};
use parts::Parts;
use session_tools::{Opening, tools};

/// Opens a session and takes its lock.
///
/// # Errors
/// [`Error::Busy`](throughline_stored::Error::Busy) if another process has the session open; the session cannot be read; a
/// setting cannot be used. A session that would have been new is removed again.
pub async fn open(options: SessionOptions) -> Result<Session> {
    let parts = Parts::of(&options).await?;
    let (info, lock) = enter(&options, &parts.model.model.info().name).await?;
    let (storage, is_new, id) = (options.storage.clone(), options.start.is_new(), info.id.clone());
    match assemble(options, parts, info).await {
        Ok(session) => Ok(session.locked(lock)),
        Err(error) => {
            if is_new {
                // The first error says what is wrong. A session that stays has no message, and `last` never means it.
                storage.discard(&id, lock).await.ok();
            }
            Err(error)
        }
    }
}

/// The same for sub-agents, whose tool is a part of what is opened.
fn open_boxed(options: SessionOptions) -> Pin<Box<dyn Future<Output = Result<Session>> + Send>> {
    Box::pin(open(options))
}

/// What the session may cost; `None`: there is no limit.
async fn limits(options: &SessionOptions, session: &SessionId) -> Result<Option<Arc<SpendingLimits>>> {
    let (set, storage) = (&options.config.resolved, &options.storage);
    match &options.agent {
        Some(role) => SpendingLimits::of_agent(set, storage, session, role.spending.as_ref()).await,
        None => SpendingLimits::of(set, storage, session).await,
    }
}

/// Notes whom a new session works for.
async fn note_parent(options: &SessionOptions, session: &SessionId) -> Result<()> {
    match options.agent.as_ref().filter(|_| options.start.is_new()) {
        Some(role) => options.storage.add_agent(session, &role.parent, &role.kind, &role.call).await,
        None => Ok(()),
    }
}

/// Restores the active skills and the files that the session has read.
async fn restore(
    options: &SessionOptions,
    instructions: &Instructions,
    scope: &FileScope,
    agent: &Agent,
) -> Result<()> {
    instructions.restore(&options.storage, agent).await?;
    file_history::restore(scope, &options.storage, agent, &options.workspace).await;
    Ok(())
}

/// Runs the hooks of the session's start. Returns what they say to the user.
async fn begin_hooks(hooks: Option<&Arc<SessionHooks>>, agent: &Agent) -> Vec<String> {
    let Some(hooks) = hooks else { return Vec::new() };
    let source = if agent.exchange() == 0 { "startup" } else { "resume" };
    hooks.begin(source, &agent.model().name).await;
    hooks.take_notices()
}

/// Everything that works in the session but its lock.
async fn assemble(options: SessionOptions, parts: Parts, mut info: SessionInfo) -> Result<Session> {
    let Parts { settings, model, fallbacks, permissions, servers, runner, mut notices } = parts;
    let SessionOptions { config, workspace, .. } = &options;
    note_parent(&options, &info.id).await?;
    let window = model.settings.window.unwrap_or_else(|| model.model.info().window);
    let instructions = Instructions::of(workspace, window, config.instructions(), servers.skills());
    let hooks = session_hooks(&options, &permissions, &runner, &info.id, &model, &mut notices)?;
    let around = CallLayers::new(&permissions, &options.user, hooks.as_ref());
    let spending = limits(&options, &info.id).await?;
    let opening = Opening {
        spending: spending.clone(),
        options: &options,
        around: &around,
        servers: &servers,
        runner: &runner,
        instructions: &instructions,
        session: &info.id,
        window,
        open: open_boxed,
    };
    let tools = tools(opening, &mut notices).await?;
    notices.extend(policy_notice(&options, &settings, &info.id).await?);
    let groups = settings.shown_groups(model.settings.compaction.chain.shown_groups());
    let with_skills = options.models.options.tools != ToolSet::None;
    let builder = compose(&options, instructions.style(), model, &settings, tools.all, &around);
    let mut builder = fallbacks.into_iter().fold(builder, AgentBuilder::fallback);
    if with_skills || options.system_prompt == SystemPrompt::CodingAgent {
        builder = instructions.attach(builder, with_skills);
    }
    builder = spending.into_iter().fold(builder, |builder, guard| builder.spending(guard));
    let mut agent = builder.background(Arc::clone(&tools.work) as _).open(info.id.clone()).await?;
    let checkpoint = task_checkpoint(&options, &agent, &mut notices).await?;
    restore(&options, &instructions, &tools.scope, &agent).await?;
    notices.extend(start_notices(&options, &mut info, &instructions, &agent, &tools.work).await?);
    notices.extend(agent_notices(&agent, options.user.attendance()));
    show_groups(&mut agent, groups).await?;
    notices.extend(begin_hooks(hooks.as_ref(), &agent).await);
    Ok(Session {
        asked: agent.requests(),
        ttl: CacheLifetime::paid(&config.resolved),
        is_new: options.start.is_new(),
        owns_servers: options.servers.is_none(),
        agent,
        info,
        checkpoint,
        notices,
        permissions,
        instructions,
        servers,
        settings,
        base_tools: tools.base,
        jobs: tools.jobs,
        agents: tools.agents,
        around,
        user: options.user,
        storage: options.storage,
        workspace: options.workspace,
        lock: None,
    })
}

/// Shows as many groups as the settings say, in a new session. From here on its own setting counts.
async fn show_groups(agent: &mut Agent, groups: Option<u32>) -> Result<()> {
    if let Some(groups) = groups.filter(|_| agent.exchange() == 0) {
        agent.change(Change::Window(Some(groups)), &NullSink).await?;
    }
    Ok(())
}

/// The hooks of the settings, for this session.
fn session_hooks(
    options: &SessionOptions,
    permissions: &Arc<Permissions>,
    runner: &CommandRunner,
    session: &SessionId,
    model: &NextModel,
    notices: &mut Vec<String>,
) -> Result<Option<Arc<SessionHooks>>> {
    let place = HookPlace {
        config: &options.config,
        session: session.clone(),
        workspace: options.workspace.clone(),
        runner: runner.clone(),
        permissions: Arc::clone(permissions),
        log: options.storage.log(),
        model: Arc::clone(&model.model),
        agent: options.agent.as_ref(),
    };
    SessionHooks::of(place, notices)
}

/// The checkpoint that a task is resumed from. A damaged one is left out, with a notice.
async fn task_checkpoint(
    options: &SessionOptions,
    agent: &Agent,
    notices: &mut Vec<String>,
) -> Result<Option<CheckpointRecord>> {
    if !options.is_task {
        return Ok(None);
    }
    match live_checkpoint(options.storage.log().as_ref(), agent.session(), agent.view().groups()).await {
        Err(LogError::Damaged { seq, why }) => {
            notices.push(format!(
                "the newest checkpoint (record {seq}) cannot be read, so the task starts over: {why}"
            ));
            Ok(None)
        }
        found => Ok(found?),
    }
}
