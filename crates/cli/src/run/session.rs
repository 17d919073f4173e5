//! The session that a run works in: a new one, or one to go on with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::ValueEnum as _;
use throughline_agent::{Agent, NextModel, Silent};
use throughline_continuity::{Change, LogError, MessageLog as _, SessionDirectory, SessionInfo, StateRule};
use throughline_conversation::{CheckpointRecord, RecordBody, SessionId};
use throughline_permission::{Approver, Unattended, guarded};
use throughline_prompt::{FixedSections, PromptSection};
use throughline_store::{SessionLock, lock_session};
use throughline_tools::{ToolRegistry, builtin_tools_hiding};

use super::args::{Provider, RunArgs, Tools};
use crate::compose::{Data, new_session_id, now, workspace};
use crate::config::{Choice, Config};
use crate::connect::Connected;
use crate::instructions::Instructions;
use crate::keeping::{Keeping, keep};
use crate::permissions::{Attended, permissions};
use crate::terminal::{headline, note};

/// Tools that change nothing.
const READING: &[&str] = &["read_file", "grep", "list_files"];

/// An open session.
pub(super) struct Opened {
    pub(super) agent: Agent,
    /// Held while the session is worked on.
    pub(super) lock: SessionLock,
    /// What to add to a command line to find the same data folder.
    pub(super) option: String,
    /// The folder that is worked in.
    pub(super) workspace: PathBuf,
    /// The newest checkpoint, when a task goes on from it.
    pub(super) checkpoint: Option<CheckpointRecord>,
}

pub(super) async fn open(
    args: &RunArgs,
    config: &Config,
    data_dir: Option<PathBuf>,
    connected: &Connected,
    fallbacks: Vec<NextModel>,
    title: Option<&str>,
) -> anyhow::Result<Opened> {
    let choice = &Choice::of(&config.resolved);
    let workspace = workspace(args.workspace.as_deref())?;
    let data = Data::open(data_dir).await?;
    let session = match (&args.resume, args.go_on) {
        (None, false) => new_session_id("run")?,
        _ => named(args, &data).await?,
    };
    let lock = lock_session(data.folder.root(), &session)?;
    let info = SessionInfo {
        id: session.clone(),
        title: headline(title.unwrap_or_default(), 120),
        workspace: workspace.display().to_string(),
        model: connected.row.info.name.clone(),
        created: now(),
    };
    data.create_session(&info).await?;
    let checkpoint = if args.task.is_some() { newest_checkpoint(&data, &session).await? } else { None };

    let NextModel { model, counter, mut settings, summarizer } = connected.next(choice, args.max_tokens);
    settings.max_requests = args.max_turns;
    let groups = settings.compaction.preset.groups();
    let sections = [
        PromptSection::base("identity", include_str!("files/system.md").trim_end()),
        PromptSection::project("workspace", place(&workspace)),
    ];
    let window = settings.window.unwrap_or(connected.row.info.window);
    let instructions = Instructions::of(&workspace, window, config.instructions());
    let mut tools = registry(args.tools)?;
    let with_skills = args.tools != Tools::None;
    if with_skills {
        instructions.register(&mut tools)?;
    }
    let permissions = permissions(config, data.folder.root(), &workspace, Attended::No).await?;
    for problem in permissions.take_problems() {
        note(&problem);
    }
    let nobody: Arc<dyn Approver> = Arc::new(Unattended);
    let tools = guarded(&tools, &Arc::new(permissions), &nobody)?;
    let builder = Agent::builder(model, counter, settings)
        .workspace(&workspace)
        .tools(tools)
        .section(Arc::new(FixedSections::new("run", sections)));
    let mut builder = instructions.attach(builder, with_skills);
    if let Some(summarizer) = summarizer {
        builder = builder.summarizer(summarizer);
    }
    for mut next in fallbacks {
        next.settings.max_requests = args.max_turns;
        builder = builder.fallback(next);
    }
    let how = Keeping {
        workspace: &workspace,
        // Without a task, what is in view says what the session is about: what was taken out of it must not be told.
        title: title.filter(|_| args.task.is_some()).unwrap_or_default(),
        state: StateRule::WhenChanged,
        checkpoints: choice.checkpoints(),
        handoff: choice.handoff(),
    };
    let mut agent = keep(data.attach(builder), &data, &how).open(session).await?;
    instructions.restore(&data, &agent).await?;
    instructions.tell().await?;
    if let Some(groups) = groups.filter(|_| agent.exchange() == 0) {
        // The policy shows so many groups; from here on the session's own setting counts.
        agent.change(Change::Window(Some(groups)), &Silent).await?;
    }
    Ok(Opened { agent, lock, option: data.option, workspace, checkpoint })
}

/// The session that the arguments name: by its id, or as the newest one of the folder.
pub(super) async fn named(args: &RunArgs, data: &Data) -> anyhow::Result<SessionId> {
    match &args.resume {
        Some(name) => data.find(name).await,
        None => newest_of(data, &workspace(args.workspace.as_deref())?).await,
    }
}

async fn newest_checkpoint(data: &Data, session: &SessionId) -> anyhow::Result<Option<CheckpointRecord>> {
    match data.store.message_log().newest(session, "checkpoint").await {
        Ok(record) => Ok(record.and_then(|record| match record.body {
            RecordBody::Checkpoint(checkpoint) => Some(*checkpoint),
            _ => None,
        })),
        Err(LogError::Damaged { seq, why }) => {
            note(&format!(
                "the newest checkpoint (record {seq}) cannot be read, so the task begins anew: {why}"
            ));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// The session of this folder that was worked on last.
async fn newest_of(data: &Data, workspace: &Path) -> anyhow::Result<SessionId> {
    let here = workspace.display().to_string();
    let all = data.store.sessions().list().await?;
    let newest = all.into_iter().find(|session| session.info.workspace == here);
    let newest = newest.with_context(|| format!("there is no session of folder {here} to go on with"))?;
    Ok(newest.info.id)
}

/// What stays true for a whole session: a text that changed from day to day would make the cached prefix cold.
fn place(workspace: &Path) -> String {
    let git = if workspace.join(".git").exists() { "a git repository" } else { "no git repository" };
    format!(
        "The working folder is {} ({git}). Relative paths begin there. The system is {}.",
        workspace.display(),
        std::env::consts::OS
    )
}

/// Variables that hold keys. What a command of the model or of a gate prints goes to the model and into the log, so it
/// need not know them.
pub(super) fn keys() -> Vec<&'static str> {
    Provider::value_variants().iter().filter_map(|provider| provider.key_variable()).collect()
}

fn registry(which: Tools) -> anyhow::Result<ToolRegistry> {
    let mut registry = ToolRegistry::new();
    for tool in builtin_tools_hiding(&keys()) {
        let name = tool.definition().name;
        let wanted = match which {
            Tools::All => true,
            Tools::Read => READING.contains(&name.as_str()),
            Tools::None => false,
        };
        if wanted {
            registry.register(tool)?;
        }
    }
    Ok(registry)
}
