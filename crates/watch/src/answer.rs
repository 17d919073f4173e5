//! Answers the hook of a watched agent: stores its transcript, restores its context, and offloads large results.

mod compaction;
mod conversation;
mod found_transcript;
mod other_compaction;
mod tool_result;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use found_transcript::{FoundTranscript, transcript, written};
use other_compaction::is_of_subagent;
use serde_json::Value;
use throughline_agent::Listeners;
use throughline_config::{Config, ConfigSources};
use throughline_continuity::ContextSource;
use throughline_conversation::{ExchangeId, Message, SessionId, is_broken_off_note};
use throughline_replay::{ClaudePlace, RecordedSession, RecordedTurn};
use throughline_store::DataDir;
use throughline_stored::{Attempt as _, Storage};

use crate::agent::ForeignAgent;
use crate::compactions::{Delivery, compactions};
use crate::compactor::{self, CompactorNotes};
use crate::failure::Result;
use crate::gemini_signs::{ContextNeed, gemini_need};
use crate::hooks::{HookPayload, user_answer};
use crate::import::{
    ImportCause, Imported, ImportedSession, ImportedTranscript, StoredEnd, import_messages, messages,
};
use crate::restored_text::restored_text;
use crate::sent_contexts::note_sent_context;
use crate::session_lock::HOOK;
use crate::sessions::{session_folder, unreadable};
use crate::settings::WatchSettings;
use crate::tail::has_text_since_compaction;
use crate::warning::warning;

/// The answer to a hook.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HookAnswer {
    /// What the agent reads on the standard output of the hook. `None`: nothing.
    pub output: Option<Value>,
    /// What the user should know.
    pub notices: Vec<String>,
}

/// Where a hook finds the settings and the sessions.
#[derive(Debug, Clone, Default)]
pub struct HookPlace {
    /// The data folder. `None`: the user's own.
    pub data_dir: Option<PathBuf>,
    /// Who hears of the requests to the model that summarizes.
    pub listeners: Option<Arc<dyn Listeners>>,
}

impl HookPlace {
    /// The settings of the current folder.
    ///
    /// # Errors
    /// They cannot be used.
    pub fn settings(&self) -> Result<WatchSettings> {
        let sources = ConfigSources { data_dir: self.data_dir.clone(), ..ConfigSources::default() };
        Ok(WatchSettings::of(&Config::load(sources)?, self.listeners.clone()))
    }
}

/// Answers a hook. The storage is opened only where the event needs it: agents wait for the hooks of their tools.
///
/// # Errors
/// The input is not that of the agent, its transcript cannot be read, or the storage failed. A result that cannot be offloaded
/// is no error: it stays whole, and the reason is noted.
pub async fn answer_hook(agent: ForeignAgent, input: &[u8], place: &HookPlace) -> Result<HookAnswer> {
    let payload =
        HookPayload::parse(input).attempt(|| format!("the input of the hook is not that of {agent}"))?;
    if let Some(used) = payload.tool_use() {
        return Ok(tool_result::answer_in(agent, &payload, used, place).await);
    }
    if let Some((id, message)) = payload.sent_context() {
        let storage = Storage::open(place.data_dir.clone()).await?;
        note_sent_context(&storage, &session_id(agent, id)?, message).await?;
        return Ok(HookAnswer::default());
    }
    if payload.loads_module() {
        note_module(&payload, DataDir::place(place.data_dir.clone()).as_deref())?;
        return Ok(HookAnswer::default());
    }
    if payload.asked_compaction().is_some() {
        return answer(agent, &payload, &Storage::open(place.data_dir.clone()).await?, &place.settings()?)
            .await;
    }
    if follows_own(agent, &payload, DataDir::place(place.data_dir.clone()).as_deref())? {
        return Ok(HookAnswer::default());
    }
    written(&payload).await;
    let Some(transcript) = transcript(agent, &payload)? else { return Ok(HookAnswer::default()) };
    let storage = Storage::open(place.data_dir.clone()).await?;
    // A transcript is stored whatever the settings say.
    let Some(mirrored) = mirrored(agent, transcript, &storage, HOOK).await? else {
        return Ok(HookAnswer::default());
    };
    mirrored.answer(&payload, &storage, &place.settings()?).await
}

/// Answers a hook from a storage that is open.
///
/// # Errors
/// The transcript cannot be read, or the storage failed.
pub async fn answer(
    agent: ForeignAgent,
    payload: &HookPayload,
    storage: &Storage,
    settings: &WatchSettings,
) -> Result<HookAnswer> {
    if let Some(used) = payload.tool_use() {
        return Ok(tool_result::answer(agent, payload, used, storage, settings).await);
    }
    if let Some((id, message)) = payload.sent_context() {
        let session = session_id(agent, id)?;
        note_sent_context(storage, &session, message).await?;
        return Ok(HookAnswer::default());
    }
    if let Some(asked) = payload.asked_compaction() {
        return compaction::answer(payload, asked, storage, settings).await;
    }
    if payload.loads_module() {
        note_module(payload, Some(storage.folder.root()))?;
        return Ok(HookAnswer::default());
    }
    if follows_own(agent, payload, Some(storage.folder.root()))? {
        return Ok(HookAnswer::default());
    }
    written(payload).await;
    let Some(transcript) = transcript(agent, payload)? else { return Ok(HookAnswer::default()) };
    match mirrored(agent, transcript, storage, HOOK).await? {
        Some(mirrored) => mirrored.answer(payload, storage, settings).await,
        None => Ok(HookAnswer::default()),
    }
}

/// Notes that Claude Code has loaded our module. Without a data folder there is no place for it.
fn note_module(payload: &HookPayload, data: Option<&Path>) -> Result<()> {
    let Some(data) = data else { return Ok(()) };
    let id = payload.session_id.as_deref().unwrap_or_default();
    compactor::note_loaded(data, &session_id(ForeignAgent::Claude, id)?)
}

/// Returns true if a payload follows a compaction that was our own: the agent has its context, and the transcript was stored
/// just before.
fn follows_own(agent: ForeignAgent, payload: &HookPayload, data: Option<&Path>) -> Result<bool> {
    let is_compacted =
        agent == ForeignAgent::Claude && payload.context_need() == Some(ContextNeed::Compacted);
    match (data, payload.session_id.as_deref().filter(|_| is_compacted)) {
        (Some(data), Some(id)) => compactor::take_own(data, &session_id(agent, id)?),
        _ => Ok(false),
    }
}

/// A transcript that is stored.
struct Mirrored {
    agent: ForeignAgent,
    recorded: RecordedSession,
    messages: Vec<Imported>,
    session: SessionId,
    /// Where a later part of the transcript begins.
    place: Option<ClaudePlace>,
    /// Where the session ends.
    end: Option<StoredEnd>,
    /// The exchanges whose content the user has removed.
    removed: BTreeSet<ExchangeId>,
}

/// Stores a transcript, and waits this long for another hook that has its session. `None`: the user has deleted its session.
async fn mirrored(
    agent: ForeignAgent,
    found: FoundTranscript,
    storage: &Storage,
    patience: Duration,
) -> Result<Option<Mirrored>> {
    let FoundTranscript { recorded, place, folder } = found;
    let (folder, messages) = (session_folder(folder)?, messages(agent.into(), &recorded));
    let transcript = ImportedTranscript {
        origin: agent.into(),
        recorded: &recorded,
        messages: &messages,
        workspace: &folder,
        cause: ImportCause::Watched,
        patience,
    };
    let imported = import_messages(storage, transcript).await?;
    Ok(imported.map(|ImportedSession { session, end, removed, .. }| Mirrored {
        agent,
        recorded,
        messages,
        session,
        place,
        end,
        removed,
    }))
}

impl Mirrored {
    /// The context that the agent has lost, or a warning before it loses one.
    async fn answer(
        &self,
        payload: &HookPayload,
        storage: &Storage,
        settings: &WatchSettings,
    ) -> Result<HookAnswer> {
        let Self { agent, recorded, session, .. } = self;
        if let Some(trigger) = payload.begun_compaction().filter(|_| *agent == ForeignAgent::Claude) {
            compactor::note_begun(storage.folder.root(), session, trigger)?;
        }
        let wanted = match need(*agent, payload)? {
            Some(ContextNeed::Compacted) if self.is_compaction_of_subagent(payload, storage)? => None,
            Some(ContextNeed::Compacted) => settings.after_compaction.then_some(ContextSource::Compaction),
            Some(ContextNeed::Resumed) => {
                let is_wanted = settings.on_resume && self.lacks_context(payload)?;
                is_wanted.then_some(ContextSource::Resume)
            }
            None => None,
        };
        if let Some(source) = wanted {
            let restored = restored_text(storage, session, source, *agent, settings).await?;
            let notices = restored.problem.into_iter().collect();
            // The agent may have the same text already.
            if source == ContextSource::Resume
                && let Some(file) = &payload.transcript_path
                && has_text_since_compaction(file, &restored.text).attempt(|| unreadable(file))?
            {
                return Ok(HookAnswer { output: None, notices });
            }
            return Ok(HookAnswer { output: Some(payload.context_answer(&restored.text)), notices });
        }
        if !(payload.ends_a_turn() && agent.has_files()) {
            return Ok(HookAnswer::default());
        }
        let output = warning(*agent, recorded, settings.warn_pct).map(|text| user_answer(&text));
        Ok(HookAnswer { output, notices: Vec::new() })
    }
}

impl Mirrored {
    /// Returns true if a compaction is that of a subagent, as far as can be known: it has another task, and no use for this context.
    fn is_compaction_of_subagent(&self, payload: &HookPayload, storage: &Storage) -> Result<bool> {
        let Some(file) = payload.transcript_path.as_ref().filter(|_| self.agent == ForeignAgent::Claude)
        else {
            return Ok(false);
        };
        let notes = CompactorNotes::read(storage.folder.root(), &self.session)?;
        Ok(notes.is_automatic() && is_of_subagent(&self.recorded, file))
    }

    /// Returns true if something is missing in a session that begins again: it ends inside a turn, or its context did not follow
    /// the last compaction. Everything else is in the transcript, which the agent sends itself.
    fn lacks_context(&self, payload: &HookPayload) -> Result<bool> {
        let recorded = &self.recorded;
        let is_cut_off = recorded.turns.last().is_some_and(RecordedTurn::is_cut_off);
        let Some(file) = &payload.transcript_path else {
            // OpenCode has the new request already, and no message of its session has a context.
            let is_broken_off = |open: &Message| open.texts().any(is_broken_off_note);
            let is_open = recorded.open_request.as_ref().is_some_and(is_broken_off);
            return Ok(is_cut_off || is_open || recorded.recorded_compactions > 0);
        };
        if is_cut_off || recorded.open_request.is_some() {
            return Ok(true);
        }
        let last = compactions(self.agent, file).attempt(|| unreadable(file))?.pop();
        Ok(last.is_some_and(|one| matches!(one.delivery, Delivery::Missing | Delivery::Pending)))
    }
}

/// The session as which one of an agent is stored.
pub(crate) fn session_id(agent: ForeignAgent, id: &str) -> Result<SessionId> {
    Ok(agent.session_id(id).attempt(|| "the id of the session cannot be used".to_owned())?)
}

/// Why the agent needs its context now.
fn need(agent: ForeignAgent, payload: &HookPayload) -> Result<Option<ContextNeed>> {
    match &payload.transcript_path {
        Some(file) if agent == ForeignAgent::Gemini && payload.begins_a_turn() => {
            Ok(gemini_need(file).attempt(|| unreadable(file))?)
        }
        _ => Ok(payload.context_need()),
    }
}
