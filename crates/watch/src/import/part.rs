//! Adds what is new of a transcript to its session, without reading what the session has.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use throughline_continuity::{LogError, LogPage, Part, read_all};
use throughline_conversation::{ContentBlock, Record, RecordBody, Seq, SessionId};
use throughline_stored::{Result, Storage};
use throughline_text::fingerprint;

use super::append::{MessageRecords, SessionEnd};
use super::messages::Imported;
use super::stored::{Fit, StoredTranscript, is_mirror};
use crate::agent::TranscriptOrigin;
use crate::session_lock::{COMPACTION, lock_within};

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

    /// The session.
    pub(crate) fn session(&self) -> &SessionId {
        &self.session
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
    let _lock = lock_within(storage, session, COMPACTION).await?;
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
    let stored = StoredTranscript::of(rest);
    let have = stored.messages().len();
    let Some((known, new)) = messages.split_at_checked(have) else { return Ok(None) };
    if stored.fit(session, messages) != Fit::Continued {
        return Ok(None);
    }
    let newest = rest.last().unwrap_or(first);
    let model = SessionEnd::of(rest).model.or_else(|| Some(model.to_owned()));
    let removed = BTreeSet::new();
    let mut made = MessageRecords::behind(known, storage, session, origin, &removed);
    let records = made.behind_end(SessionEnd { seq: newest.seq, model }, new).await?;
    storage.log().append(session, &records).await?;
    Ok(Some(StoredEnd::of(session, records.last().unwrap_or(newest))))
}
