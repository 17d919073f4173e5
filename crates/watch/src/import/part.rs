//! Adds what is new of a transcript to its session, without reading what the session has.

use serde::{Deserialize, Serialize};
use throughline_continuity::{LogError, LogPage, Part, read_all};
use throughline_conversation::{ContentBlock, Record, RecordBody, Seq, SessionId};
use throughline_stored::{Result, Storage};
use throughline_text::fingerprint;

use super::append::{SessionEnd, append};
use super::messages::Imported;
use super::stored::{first_difference, is_mirror, known};
use crate::agent::TranscriptOrigin;
use crate::offload::lock_soon;

/// The newest record of a session that mirrors a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredEnd {
    session: SessionId,
    seq: Seq,
    digest: u64,
}

impl StoredEnd {
    pub(super) fn of(session: &SessionId, record: &Record) -> Self {
        let mut text = record.body.kind().to_owned();
        if let RecordBody::Message(said) = &record.body {
            for block in &said.message.content {
                match block {
                    ContentBlock::Text { text: said } => text.push_str(said),
                    ContentBlock::ToolCall(call) => text.push_str(&call.id),
                    ContentBlock::ToolResult(result) => text.extend([&*result.call_id, &*result.content]),
                    ContentBlock::Thinking(_) | ContentBlock::Image(_) => {}
                }
            }
        }
        Self { session: session.clone(), seq: record.seq, digest: fingerprint(text.as_bytes()) }
    }
}

/// Adds messages to a session that ended so when they began, and whose last answer was of this model, unless it has them already. `None`: the session has changed, and the
/// whole transcript has to be stored.
///
/// # Errors
/// Another process has the session open, or the storage failed.
pub(crate) async fn import_part(
    storage: &Storage,
    end: &StoredEnd,
    origin: TranscriptOrigin,
    model: &str,
    messages: &[Imported],
) -> Result<Option<StoredEnd>> {
    let session = &end.session;
    let _lock = lock_soon(storage, session).await?;
    let before = Seq(end.seq.0.saturating_sub(1));
    let page = match read_all(storage.log().as_ref(), session, before, Part::All).await {
        Err(LogError::NoSession(_)) => return Ok(None),
        page => page?,
    };
    let LogPage { records, unreadable, .. } = page;
    let Some((first, rest)) = records.split_first() else { return Ok(None) };
    if !unreadable.is_empty() || StoredEnd::of(session, first) != *end || !is_mirror(rest) {
        return Ok(None);
    }
    // Hooks of other events have stored some of it already.
    let known = known(rest, None);
    let Some(new) = messages.get(known.len()..) else { return Ok(None) };
    if first_difference(session, messages, &known).is_some() {
        return Ok(None);
    }
    let newest = rest.last().unwrap_or(first);
    let known = SessionEnd::of(session, rest).model;
    let end = SessionEnd { session, seq: newest.seq, model: known.or_else(|| Some(model.to_owned())) };
    let added = append(storage, end, origin, new).await?;
    Ok(Some(added.unwrap_or_else(|| StoredEnd::of(session, newest))))
}
