//! Makes the records of a transcript's messages. Large results are stored outside of them.

use std::collections::BTreeSet;

use throughline_conversation::{
    ContentBlock, ExchangeId, GroupStatus, Mark, MessageRecord, Millis, Record, RecordBody, Seq, SessionId,
    ToolCall,
};
use throughline_ledger::StepKind;
use throughline_policies::Policy;
use throughline_resultstore::{ResultKind, ResultStore};
use throughline_stored::{Result, Storage, now};

use super::messages::{Imported, model_record};
use super::stored::removed_message;
use crate::agent::TranscriptOrigin;
use crate::assumed_window::{OUTPUT, WINDOW};

/// Where a session ends.
pub(super) struct SessionEnd {
    pub(super) seq: Seq,
    /// The model that its newest record of one names.
    pub(super) model: Option<String>,
}

impl SessionEnd {
    /// That of these records.
    pub(super) fn of(records: &[Record]) -> Self {
        let model = records.iter().rev().find_map(|record| match &record.body {
            RecordBody::Model(model) => Some(model.origin.model.clone()),
            _ => None,
        });
        Self { seq: records.last().map_or(Seq(0), |record| record.seq), model }
    }
}

/// Makes records of messages, one after the other.
pub(super) struct MessageRecords<'r> {
    origin: TranscriptOrigin,
    results: ResultStore,
    /// The calls so far.
    calls: Vec<ToolCall>,
    /// The exchanges whose content the user has removed.
    removed: &'r BTreeSet<ExchangeId>,
}

impl<'r> MessageRecords<'r> {
    /// Those behind messages that the session has.
    pub(super) fn behind(
        before: &[Imported],
        storage: &Storage,
        session: &SessionId,
        origin: TranscriptOrigin,
        removed: &'r BTreeSet<ExchangeId>,
    ) -> Self {
        let policy = Policy::default().settings(WINDOW, OUTPUT).offload;
        let results = ResultStore::new(storage.results(), session.clone(), policy, []);
        let calls = before.iter().flat_map(|imported| imported.message.tool_calls()).cloned().collect();
        Self { origin, results, calls, removed }
    }

    /// Records in the places of the messages `known` of a log, and of the requests for them.
    pub(super) async fn in_place_of(
        &mut self,
        log: &[Record],
        known: &[&Record],
        messages: &[Imported],
    ) -> Result<Vec<Record>> {
        let mut records = Vec::with_capacity(known.len());
        for (known, imported) in known.iter().zip(messages) {
            let (at, exchange) = (imported.at, imported.exchange);
            if let Some((place, request)) = request_before(log, known.seq).zip(imported.request.clone()) {
                let body = RecordBody::ForeignRequest(Box::new(request));
                records.push(Record { seq: place, at, exchange, body });
            }
            let body = self.body(imported).await?;
            records.push(Record { seq: known.seq, at, exchange, body });
        }
        Ok(records)
    }

    /// Records behind the end of a session, and before each message the model that is new with it.
    pub(super) async fn behind_end(&mut self, end: SessionEnd, messages: &[Imported]) -> Result<Vec<Record>> {
        let SessionEnd { seq, model } = end;
        let records = Vec::with_capacity(messages.len() + 1);
        let mut new = NewRecords { origin: self.origin, seq, model, records };
        // The first model is that of the session from its first message.
        if new.model.is_none()
            && let Some((first, answer)) = messages.first().zip(first_answer(messages))
        {
            new.switch_to(answer, first);
        }
        for imported in messages {
            let body = self.body(imported).await?;
            new.switch_to(imported, imported);
            if let Some(request) = imported.request.clone() {
                let body = RecordBody::ForeignRequest(Box::new(request));
                new.push(imported.at, imported.exchange, body);
            }
            new.push(imported.at, imported.exchange, body);
        }
        Ok(new.records)
    }

    /// What is stored of a message.
    async fn body(&mut self, imported: &Imported) -> Result<RecordBody> {
        let mut message = imported.message.clone();
        self.calls.extend(message.tool_calls().cloned());
        if self.removed.contains(&imported.exchange) {
            return Ok(removed_message());
        }
        for block in &mut message.content {
            let ContentBlock::ToolResult(result) = block else { continue };
            let call = self.calls.iter().rfind(|call| call.id == result.call_id);
            let kind = match call.map(|call| StepKind::of_call(call, None)) {
                Some(StepKind::Read) => ResultKind::File,
                _ => ResultKind::Other,
            };
            let tool = call.map_or("", |call| call.name.as_str());
            let bytes = std::mem::take(&mut result.content).into_bytes();
            let stored = self.results.ingest_as(kind, tool, &result.call_id, &bytes, imported.at);
            result.content = stored.await?.text;
        }
        let (source, usage) = (imported.source.clone(), imported.usage);
        Ok(RecordBody::Message(MessageRecord { message, source, usage }))
    }
}

/// Records that mark exchanges as the user has chosen in an earlier branch.
pub(super) fn mark_records(end: Seq, hidden: &[(ExchangeId, GroupStatus)]) -> Vec<Record> {
    let mark = |(exchange, status): &(ExchangeId, GroupStatus), seq: u64| Record {
        seq: Seq(end.0 + seq),
        at: now(),
        exchange: *exchange,
        body: RecordBody::Mark(Mark::Group { exchange: *exchange, status: *status }),
    };
    hidden.iter().zip(1..).map(|(hidden, seq)| mark(hidden, seq)).collect()
}

/// The record with the request for the message at a place. `None`: it has none.
fn request_before(log: &[Record], message: Seq) -> Option<Seq> {
    let place = log.partition_point(|record| record.seq < message);
    let before = log.get(place.checked_sub(1)?)?;
    matches!(before.body, RecordBody::ForeignRequest(_)).then_some(before.seq)
}

fn first_answer(messages: &[Imported]) -> Option<&Imported> {
    messages.iter().find(|message| message.model.is_some())
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
    /// Makes the model of an answer the session's where a message stands, unless it is that already.
    fn switch_to(&mut self, answer: &Imported, at: &Imported) {
        let Some(model) = answer.model.as_ref().filter(|model| self.model.as_ref() != Some(model)) else {
            return;
        };
        let record = model_record(self.origin, answer.provider.as_deref(), model);
        self.push(at.at, at.exchange, RecordBody::Model(record));
        self.model = Some(model.clone());
    }

    fn push(&mut self, at: Millis, exchange: ExchangeId, body: RecordBody) {
        self.seq = self.seq.next();
        self.records.push(Record { seq: self.seq, at, exchange, body });
    }
}
