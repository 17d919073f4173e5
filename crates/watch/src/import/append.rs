//! Appends messages of a transcript to its session. Large results are stored outside of them.

use throughline_conversation::{ContentBlock, MessageRecord, Record, RecordBody, Seq, SessionId};
use throughline_ledger::StepKind;
use throughline_policies::Policy;
use throughline_resultstore::{ResultKind, ResultStore};
use throughline_stored::{Result, Storage};

use super::messages::{Imported, model_record};
use super::part::StoredEnd;
use crate::agent::TranscriptOrigin;
use crate::assumed_window::{OUTPUT, WINDOW};

/// Where a session ends.
pub(super) struct SessionEnd<'s> {
    pub(super) session: &'s SessionId,
    pub(super) seq: Seq,
    /// The model that its newest record of one names.
    pub(super) model: Option<String>,
}

impl<'s> SessionEnd<'s> {
    /// That of these records.
    pub(super) fn of(session: &'s SessionId, records: &[Record]) -> Self {
        let model = records.iter().rev().find_map(|record| match &record.body {
            RecordBody::Model(model) => Some(model.origin.model.clone()),
            _ => None,
        });
        Self { session, seq: records.last().map_or(Seq(0), |record| record.seq), model }
    }
}

/// Appends messages behind the end of a session. Returns where the session ends then, if there are any.
pub(super) async fn append(
    storage: &Storage,
    end: SessionEnd<'_>,
    origin: TranscriptOrigin,
    messages: &[Imported],
) -> Result<Option<StoredEnd>> {
    let SessionEnd { session, seq, model } = end;
    let policy = Policy::default().settings(WINDOW, OUTPUT).offload;
    let results = ResultStore::new(storage.results(), session.clone(), policy, []);
    let mut new = NewRecords { origin, seq, model, records: Vec::with_capacity(messages.len() + 1) };
    // The first model is that of the session from its first message.
    if new.model.is_none()
        && let Some((first, model)) = messages.first().zip(first_model(messages))
    {
        new.switch_to(model, first);
    }
    let mut calls = Vec::new();
    for imported in messages {
        let mut message = imported.message.clone();
        calls.extend(message.tool_calls().cloned());
        for block in &mut message.content {
            let ContentBlock::ToolResult(result) = block else { continue };
            let call = calls.iter().rfind(|call| call.id == result.call_id);
            let kind = match call.map(|call| StepKind::of_call(call, None)) {
                Some(StepKind::Read) => ResultKind::File,
                _ => ResultKind::Other,
            };
            let tool = call.map_or("", |call| call.name.as_str());
            let bytes = std::mem::take(&mut result.content).into_bytes();
            result.content = results.ingest_as(kind, tool, &result.call_id, &bytes, imported.at).await?.text;
        }
        if let Some(model) = &imported.model {
            new.switch_to(model, imported);
        }
        let (source, usage) = (imported.source.clone(), imported.usage);
        new.push(imported, RecordBody::Message(MessageRecord { message, source, usage }));
    }
    storage.log().append(session, &new.records).await?;
    Ok(new.records.last().map(|last| StoredEnd::of(session, last)))
}

fn first_model(messages: &[Imported]) -> Option<&str> {
    messages.iter().find_map(|message| message.model.as_deref())
}

/// Records that are not in the log yet.
struct NewRecords {
    origin: TranscriptOrigin,
    /// The newest record.
    seq: Seq,
    /// The model of the session from there on.
    model: Option<String>,
    records: Vec<Record>,
}

impl NewRecords {
    /// Makes a model the session's where a message stands, unless it is that already.
    fn switch_to(&mut self, model: &str, at: &Imported) {
        if self.model.as_deref() != Some(model) {
            self.push(at, RecordBody::Model(model_record(self.origin, model)));
            self.model = Some(model.to_owned());
        }
    }

    /// Adds a record where a message stands.
    fn push(&mut self, at: &Imported, body: RecordBody) {
        self.seq = self.seq.next();
        self.records.push(Record { seq: self.seq, at: at.at, exchange: at.exchange, body });
    }
}
