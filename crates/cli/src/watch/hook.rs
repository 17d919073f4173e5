//! What a hook of a watched agent does: it stores the transcript and restores the context.

use std::io::Read as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use throughline::{DeletedTranscript, Storage};
use throughline_commands::foreign::{import, opencode};
use throughline_continuity::ContextSource;
use throughline_conversation::SessionId;
use throughline_replay::{RecordedSession, RecordingError, read_session};
use throughline_terminal::line;
use throughline_watch::{
    ContextNeed, ForeignAgent, HookPayload, ends_with_text, gemini_need, head, user_answer,
};

use super::contexts::restored_text;
use super::limit::warning;
use super::offload;
use super::settings::WatchSettings;
use crate::data_args::DataArgs;

/// Most bytes of a hook's input. A last message of the model is in it.
const PAYLOAD: u64 = 64 * 1024 * 1024;

/// How long an answer that was given may take until the transcript has it.
const WRITTEN: Duration = Duration::from_secs(1);

/// Time between two looks at the transcript.
const LOOK: Duration = Duration::from_millis(25);

/// Stores the transcript of the agent, and restores the context that it has lost.
pub(super) async fn hook(agent: ForeignAgent, data: &DataArgs) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(PAYLOAD)
        .read_to_end(&mut bytes)
        .context("cannot read the input of the hook")?;
    let payload = HookPayload::parse(&bytes)
        .with_context(|| format!("the input of the hook is not that of {agent}"))?;
    if let Some(used) = payload.tool_use() {
        offload::answer(agent, &payload, used, data).await;
        return Ok(());
    }
    if let Some((id, answer)) = payload.sent_context() {
        let session = SessionId::new(format!("{agent}-{id}"))?;
        Storage::open(data.data_dir.clone()).await?.note_sent_context(&session, answer).await?;
        return Ok(());
    }
    written(&payload).await;
    let Some((recorded, folder)) = transcript(agent, &payload)? else { return Ok(()) };
    let storage = Storage::open(data.data_dir.clone()).await?;
    let Some(imported) = import(&storage, agent, &recorded, folder, DeletedTranscript::LeaveOut).await?
    else {
        return Ok(());
    };
    let settings = WatchSettings::load(data)?;
    let wanted = match need(agent, &payload)? {
        Some(ContextNeed::Compacted) => settings.after_compaction.then_some(ContextSource::Compaction),
        Some(ContextNeed::Resumed) => settings.on_resume.then_some(ContextSource::Resume),
        None => None,
    };
    if let Some(source) = wanted {
        let restored = restored_text(storage, imported.session, source, agent, &settings).await?;
        restored.note_problem();
        line(&payload.context_answer(&restored.text).to_string());
    } else if payload.ends_a_turn()
        && agent.has_files()
        && let Some(text) = warning(agent, &recorded, settings.warn_pct)
    {
        line(&user_answer(&text).to_string());
    }
    Ok(())
}

/// Why the agent needs its context now.
fn need(agent: ForeignAgent, payload: &HookPayload) -> anyhow::Result<Option<ContextNeed>> {
    match &payload.transcript_path {
        Some(file) if agent == ForeignAgent::Gemini && payload.begins_a_turn() => {
            gemini_need(file).with_context(|| format!("cannot read {}", file.display()))
        }
        _ => Ok(payload.context_need()),
    }
}

/// Waits until the transcript has the last answer: agents call their hooks while they write it.
async fn written(payload: &HookPayload) {
    let (Some(file), Some(said)) = (&payload.transcript_path, &payload.last_assistant_message) else {
        return;
    };
    let end = Instant::now() + WRITTEN;
    // One that cannot be read has its error when it is.
    while Instant::now() < end && ends_with_text(file, said).is_ok_and(|found| !found) {
        tokio::time::sleep(LOOK).await;
    }
}

/// The session that a payload is about, and its folder. `None`: it has just begun, or the agent stores none.
pub(super) fn transcript(
    agent: ForeignAgent,
    payload: &HookPayload,
) -> anyhow::Result<Option<(RecordedSession, Option<PathBuf>)>> {
    if !agent.has_files() {
        return payload.session.as_ref().map_or(Ok(None), opencode::given);
    }
    let Some(file) = &payload.transcript_path else { return Ok(None) };
    ensure!(file.extension().is_some_and(|end| end == "jsonl"), "{} is not a transcript", file.display());
    if !file.exists() {
        return Ok(None);
    }
    match read_session(file) {
        Ok(recorded) => Ok(Some((recorded, head(file)?.folder))),
        Err(RecordingError::Empty { .. } | RecordingError::NoConversation { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
