//! Opening a session, with everything that works in it.

use std::path::Path;
use std::sync::Arc;

use throughline_agent::{Agent, NextModel, Silent};
use throughline_continuity::{LogError, MessageLog as _, SessionInfo};
use throughline_conversation::{CheckpointRecord, RecordBody, SessionId};
use throughline_documents::StateRule;
use throughline_groups::Change;
use throughline_instructions::Places;
use throughline_permission::{Approver, Permissions, guarded};
use throughline_prompt::{FixedSections, PromptSection};
use throughline_store::SessionLock;
use throughline_tools::{RegistryError, ToolRegistry};

use super::args::{SessionArgs, Tools};
use super::enter::enter;
use super::tools::{registry, sandbox_note, scope};
use super::{Servers, Start, earlier};
use crate::compose::Data;
use crate::config::{Choice, Config};
use crate::connect::Connected;
use crate::instructions::Instructions;
use crate::keeping::{Keeping, keep};
use crate::terminal::note;

/// Characters of a title.
pub(crate) const TITLE: usize = 120;

/// An open session.
pub(crate) struct Opened {
    pub(crate) agent: Agent,
    /// Held while the session is worked on.
    pub(crate) lock: SessionLock,
    /// What the list of sessions says of it.
    pub(crate) info: SessionInfo,
    /// The newest checkpoint, when a task goes on from it.
    pub(crate) checkpoint: Option<CheckpointRecord>,
    /// Its rules and skills.
    pub(crate) instructions: Instructions,
    /// Its tools without those of MCP servers; `None`: servers bring none to it.
    pub(crate) own_tools: Option<ToolRegistry>,
    /// Its MCP servers: they run as long as somebody has them.
    pub(crate) servers: Arc<Servers>,
    /// What the user should know of it.
    pub(crate) notes: Vec<String>,
}

/// Tools, and whoever looks on.
pub(crate) type Watch<'a> = &'a (dyn Fn(&ToolRegistry) -> Result<ToolRegistry, RegistryError> + Sync);

/// What a session is opened with.
pub(crate) struct Opening<'a> {
    pub(crate) args: &'a SessionArgs,
    pub(crate) config: &'a Config,
    pub(crate) choice: &'a Choice,
    pub(crate) data: &'a Data,
    pub(crate) workspace: &'a Path,
    pub(crate) connected: &'a Connected,
    /// Who goes on when the model cannot answer.
    pub(crate) fallbacks: Vec<NextModel>,
    /// Decides about calls.
    pub(crate) permissions: Arc<Permissions>,
    /// Is asked about them.
    pub(crate) approver: Arc<dyn Approver>,
    /// Bring more tools, those that are known.
    pub(crate) servers: Arc<Servers>,
    /// Looks on at what the tools do.
    pub(crate) watch: Watch<'a>,
    pub(crate) start: Start,
    /// The word that a new session's id begins with.
    pub(crate) word: &'a str,
    /// Title of a new session.
    pub(crate) title: &'a str,
    /// Whether it works on a task: then its title is told in checkpoints, and it goes on from the newest of them.
    pub(crate) is_task: bool,
    /// Requests that a turn may take.
    pub(crate) max_requests: Option<u64>,
}

/// Opens the session and takes its lock.
pub(crate) async fn open(opening: Opening<'_>) -> anyhow::Result<Opened> {
    let (info, lock) = enter(&opening).await?;
    let Opening { config, choice, data, workspace, connected, .. } = opening;
    let session = info.id.clone();
    let checkpoint = if opening.is_task { newest_checkpoint(data, &session).await? } else { None };

    let NextModel { model, counter, mut settings, summarizer } =
        connected.next(choice, opening.args.max_tokens);
    settings.max_requests = opening.max_requests;
    let groups = settings.compaction.chain.shown_groups();
    let sections = [
        PromptSection::base("identity", include_str!("files/system.md").trim_end()),
        PromptSection::project("workspace", place(workspace)),
    ];
    let window = settings.window.unwrap_or(connected.row.info.window);
    let instructions = Instructions::of(workspace, window, config.instructions());
    let scope = scope(config);
    let mut tools = registry(opening.args.tools, config, workspace, scope.clone())?;
    let with_skills = opening.args.tools != Tools::None;
    let mut notes = opening.permissions.take_problems();
    notes.extend(sandbox_note(config).filter(|_| opening.args.tools == Tools::All));
    if with_skills {
        instructions.register(&mut tools)?;
    }
    let own_tools = (opening.args.tools == Tools::All).then(|| tools.clone());
    if own_tools.is_some() {
        notes.extend(opening.servers.add(&mut tools));
    }
    let builder = Agent::builder(model, counter, settings)
        .workspace(workspace)
        .tools(guarded(&(opening.watch)(&tools)?, &opening.permissions, &opening.approver)?)
        .section(Arc::new(FixedSections::new("run", sections)));
    let mut builder = instructions.attach(builder, with_skills);
    if let Some(summarizer) = summarizer {
        builder = builder.summarizer(summarizer);
    }
    for mut next in opening.fallbacks {
        next.settings.max_requests = opening.max_requests;
        builder = builder.fallback(next);
    }
    let how = Keeping {
        workspace,
        // Without a task, what is in view says what the session is about: what was taken out of it must not be told.
        title: if opening.is_task { opening.title } else { "" },
        state: StateRule::WhenChanged,
        checkpoints: choice.checkpoints(),
        handoff: choice.handoff(),
    };
    let mut agent = keep(data.attach(builder), data, &how).open(session).await?;
    instructions.restore(data, &agent).await?;
    earlier::restore(&scope, data, &agent, workspace).await;
    notes.extend(instructions.notes().await?);
    if let Some(groups) = groups.filter(|_| agent.exchange() == 0) {
        // The policy shows so many groups; from here on the session's own setting counts.
        agent.change(Change::Window(Some(groups)), &Silent).await?;
    }
    Ok(Opened { agent, lock, info, checkpoint, instructions, own_tools, servers: opening.servers, notes })
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

/// What stays true for a whole session: a text that changed from day to day would make the cached prefix cold.
fn place(workspace: &Path) -> String {
    let places = Places::of(workspace, None);
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
