//! Runs a sub-agent to its report.

use std::collections::BTreeSet;
use std::sync::Arc;

use throughline_agent::EventSink;
use throughline_config::Config;
use throughline_continuity::title_of;
use throughline_conversation::{Message, SessionId};
use throughline_hooks::own_name;
use throughline_instructions::AgentKind;
use throughline_settings::keys;
use throughline_stored::{AGENT_TOOL, Error, Result, SessionStart};
use throughline_text::error_chain;
use throughline_tools::{CancelFlag, ToolOutput};
use tokio::sync::oneshot;

use super::changes::AgentChanges;
use super::events::AgentEvents;
use super::lost::{final_answer, message};
use super::output_tool;
use super::report;
use super::stored_references;
use super::sub_agent::SubAgent;
use super::user::AgentUser;
use super::{AgentStarter, REQUESTS};
use crate::agent_kinds::settings;
use crate::agent_role::AgentRole;
use crate::ending::RunEnding;
use crate::models::SessionModels;
use crate::options::{SessionOptions, SystemPrompt};
use crate::session::Session;

/// A task for a sub-agent.
#[derive(Debug)]
pub(super) struct AgentTask {
    pub(super) kind: AgentKind,
    pub(super) title: String,
    pub(super) prompt: String,
    /// The call that gives it.
    pub(super) call: String,
    pub(super) user: AgentUser,
    pub(super) changes: AgentChanges,
    pub(super) events: Arc<AgentEvents>,
    /// Says when its session is open.
    pub(super) opened: Option<oneshot::Sender<()>>,
}

/// Runs a task. The output is the report, with what the sub-agent changed and used.
pub(super) async fn run(starter: Arc<AgentStarter>, mut task: AgentTask, cancel: CancelFlag) -> ToolOutput {
    let (kind, title, opened) = (task.kind.name.clone(), task.title.clone(), task.opened.take());
    let ended = work(&starter, &task, opened, &cancel).await;
    let (used, changes, deeds) = (task.events.used(), task.changes.take(), task.events.deeds());
    let mut output = match ended {
        Ok((session, ending)) => report::of(&kind, &session, &ending, &used, &deeds),
        Err(error) => ToolOutput::error(format!(
            "The sub-agent {kind} ({title}) could not work: {}.{}",
            error_chain(&error),
            report::deeds_text("", &deeds)
        )),
    };
    output.used = used.models.into();
    output.changes = changes;
    output
}

async fn work(
    starter: &Arc<AgentStarter>,
    task: &AgentTask,
    is_open: Option<oneshot::Sender<()>>,
    cancel: &CancelFlag,
) -> Result<(SessionId, RunEnding)> {
    let sink: &dyn EventSink = task.events.as_ref();
    let models = models(starter, &task.kind).await?;
    let (mut session, is_resumed) = opened(starter, task, &models).await?;
    task.user.begin(SubAgent {
        id: session.id().clone(),
        kind: task.kind.name.clone(),
        title: task.title.clone(),
        depth: starter.depth,
        call: task.call.clone(),
    });
    session.notices.iter().for_each(|text| task.events.notice(text));
    if task.kind.model.is_some() {
        models.instead().iter().for_each(|text| task.events.notice(text));
    }
    if let Some(is_open) = is_open {
        // The call was cancelled.
        let _ = is_open.send(());
    }
    let ending = match is_resumed {
        true => session.turn(None, sink, cancel).await?,
        false => session.message_turn(Message::user(&task.prompt), sink, cancel).await?,
    };
    let id = session.id().clone();
    session.close_with(sink).await?;
    stored_references::copy(&starter.storage, &ending.text, &id, &starter.session).await;
    Ok((id, ending))
}

/// The session of a sub-agent: the one that was interrupted at the same task, or a new one. True: it was interrupted.
async fn opened(
    starter: &Arc<AgentStarter>,
    task: &AgentTask,
    models: &SessionModels,
) -> Result<(Session, bool)> {
    for link in starter.storage.agents_of(&starter.session).await? {
        let info = starter.storage.session_info(&link.session).await?;
        let is_same =
            link.kind == task.kind.name && info.is_some_and(|info| info.title == title_of(&task.title));
        if !is_same || !is_interrupted_at(starter, &link.session, &task.prompt).await? {
            continue;
        }
        let existing = options(starter, task, SessionStart::Existing(link.session.clone()), models)?;
        match (starter.open)(existing).await {
            // Another call could have ended it meanwhile.
            Ok(session) if is_interrupted_at(starter, &link.session, &task.prompt).await? => {
                task.events.line(&format!("continues {}", link.session));
                return Ok((session, true));
            }
            Ok(session) => {
                session.close().await?;
            }
            // Another call of the session works in it.
            Err(Error::Busy { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(((starter.open)(options(starter, task, SessionStart::New, models)?).await?, false))
}

/// Returns true if a session works on this prompt and the model has not ended its turn.
async fn is_interrupted_at(starter: &AgentStarter, session: &SessionId, prompt: &str) -> Result<bool> {
    let records = starter.storage.records(session).await?;
    let is_same = records.iter().filter_map(message).any(|said| said.text().starts_with(prompt));
    Ok(is_same && final_answer(&records).is_none())
}

fn options(
    starter: &Arc<AgentStarter>,
    task: &AgentTask,
    start: SessionStart,
    models: &SessionModels,
) -> Result<SessionOptions> {
    let AgentTask { kind, title, call, user, .. } = task;
    let mut tools: Option<BTreeSet<String>> =
        kind.tools.as_ref().map(|tools| tools.iter().map(|name| own_name(name).to_owned()).collect());
    if let Some(tools) = tools.as_mut().filter(|tools| tools.contains(AGENT_TOOL)) {
        tools.insert(output_tool::NAME.to_owned());
    }
    let role = AgentRole {
        parent: starter.session.clone(),
        user_session: starter.user_session.clone(),
        call: call.clone(),
        kind: kind.name.clone(),
        depth: starter.depth,
        tools,
        spending: starter.spending.clone(),
    };
    let config = config(starter, kind)?;
    Ok(SessionOptions {
        user: Arc::new(user.clone()),
        start,
        id_prefix: "agent",
        title: title.clone(),
        fixed_files: starter.fixed_files.clone(),
        more_tools: starter.more_tools.clone(),
        system_prompt: SystemPrompt::SubAgent(kind.prompt.clone()),
        permissions: Some(Arc::clone(&starter.permissions)),
        servers: Some(Arc::clone(&starter.servers)),
        memos: starter.memos.clone(),
        agent: Some(role),
        ..SessionOptions::new(config, starter.storage.clone(), starter.workspace.clone(), models.clone())
    })
}

/// The settings of the session, with those of the kind over them.
fn config(starter: &AgentStarter, kind: &AgentKind) -> Result<Arc<Config>> {
    if kind.settings.is_empty() {
        return Ok(Arc::clone(&starter.config));
    }
    let own = settings(kind).and_then(|layer| starter.config.resolved.with(layer));
    let resolved = own.map_err(|error| Error::Usage(error.to_string()))?;
    Ok(Arc::new(Config { resolved, ..Config::clone(&starter.config) }))
}

/// The model of the kind, or that of the session, with the limit of requests.
async fn models(starter: &AgentStarter, kind: &AgentKind) -> Result<SessionModels> {
    let most = starter.config.resolved.get(keys::AGENTS_REQUESTS).unwrap_or(REQUESTS);
    let most = kind.max_requests.map_or(most, |own| own.min(most));
    let models = starter.models.clone().with_max_requests(most);
    match &kind.model {
        None => Ok(models),
        Some(name) => Ok(models.with_model(name, &starter.config).await?),
    }
}
