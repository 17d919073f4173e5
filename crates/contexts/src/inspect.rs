//! Operations that change nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throughline_continuity::{LogError, MessageLog, Part, read_all};
use throughline_conversation::{Receipt, RecordBody, Seq, SessionId};
use throughline_engine::{PinFigures, WaitsFor};

use crate::context::OpenContext;
use crate::error::{CallError, ErrorCode};
use crate::operation::operation;
use crate::words::{Call, Object, WindowUse, object};

/// Records that are read for each receipt at first; a step of a turn has about half as many.
const RECORDS_OF_RECEIPT: u64 = 8;

/// Where the context stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetState {}

/// What a context waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Waits {
    /// For its next operation.
    Nothing,
    /// For a summary, or to be asked for the request again.
    Summary,
    /// For the answer to a request.
    Answer,
    /// For results.
    Results,
}

/// Where a context stands. Besides the calls it holds no word of the conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextState {
    /// The model, as `provider/model`.
    pub model: String,
    /// What it waits for.
    pub waits_for: Waits,
    /// The request or the summary that it waits for.
    pub id: Option<u64>,
    /// The calls whose results it waits for.
    pub calls: Vec<Call>,
    /// Number of the newest turn.
    pub turn: u64,
    /// Requests so far.
    pub requests: u64,
    /// Messages in view.
    pub messages: u64,
    /// How full the window is.
    pub window: WindowUse,
    /// Records that are not written yet.
    pub unwritten: u64,
}

impl OpenContext {
    pub(crate) fn state(&self) -> ContextState {
        let status = self.engine.status();
        let (waits_for, id) = match status.waits_for {
            WaitsFor::Nothing => (Waits::Nothing, None),
            WaitsFor::Summary { id } => (Waits::Summary, id),
            WaitsFor::Answer { request } => (Waits::Answer, Some(request)),
            WaitsFor::Results { .. } => (Waits::Results, None),
        };
        ContextState {
            model: status.model,
            waits_for,
            id,
            calls: self.engine.open_calls().cloned().map(Call::from).collect(),
            turn: status.turn,
            requests: status.requests,
            messages: status.messages as u64,
            window: status.window.into(),
            unwritten: status.unwritten as u64,
        }
    }
}

operation!(GetState, "state", ContextState, |self, context| { Ok(context.state()) });

/// What fills the window, and what a compaction would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GetReport {
    /// Maximum number of components in `holders`.
    pub most: u32,
}

impl Default for GetReport {
    fn default() -> Self {
        Self { most: 10 }
    }
}

/// What fills the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WindowReport {
    /// Figures by component.
    pub window: WindowUse,
    /// Pressure by the thresholds.
    pub pressure: String,
    /// Tokens at which the view is compacted.
    pub compact_at: Option<u64>,
    /// Messages in view.
    pub messages: u64,
    /// The largest components, largest first.
    pub holders: Vec<Holder>,
    /// The pins, in the order of their numbers.
    pub pins: Vec<ReportedPin>,
    /// Tokens of the messages after a compaction now; none if it would change nothing.
    pub after_compaction: Option<u64>,
    /// Why a compaction would change nothing.
    pub why: Option<String>,
}

/// A component of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Holder {
    /// What it is.
    pub what: String,
    /// The record that it comes from.
    pub record: Option<u64>,
    /// Its tokens.
    pub tokens: u64,
}

/// A text that stays word for word while its turn is not hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReportedPin {
    /// Its number, for `unpin`.
    pub pin: u32,
    /// The turn that it is from.
    pub turn: u64,
    /// The records of its messages.
    pub records: Vec<u64>,
    /// Its tokens.
    pub tokens: u64,
    /// Its texts.
    pub texts: Vec<String>,
}

impl From<PinFigures> for ReportedPin {
    fn from(PinFigures { number, exchange, messages, tokens, texts, .. }: PinFigures) -> Self {
        let records = messages.into_iter().map(|seq| seq.0).collect();
        Self { pin: number, turn: exchange.0, records, tokens, texts }
    }
}

operation!(GetReport, "report", WindowReport, |self, context| {
    let report = context.engine.report(self.most as usize).await;
    let holder = |one: throughline_engine::ComponentTokens| Holder {
        what: one.what,
        record: one.seq.map(|seq| seq.0),
        tokens: one.tokens,
    };
    Ok(WindowReport {
        window: report.window.into(),
        pressure: report.pressure,
        compact_at: report.compact_at,
        messages: report.messages,
        holders: report.holders.into_iter().map(holder).collect(),
        pins: context.engine.pins().pins.into_iter().map(ReportedPin::from).collect(),
        after_compaction: report.next.map(|next| next.result.after_tokens),
        why: report.why,
    })
});

/// What another agent or session needs to continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetHandoff {}

/// A handoff.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HandoffText {
    /// A prompt that continues the work.
    pub continuation_prompt: String,
    /// The user's requests, word for word, the newest first.
    pub requests: Vec<String>,
    /// The end of the answer to the newest request.
    pub last_answer: Option<String>,
    /// Everything, as a checkpoint stores it.
    pub handoff: Object,
}

operation!(GetHandoff, "handoff", HandoffText, |self, context| {
    let handoff = context.engine.handoff().await;
    let whole = serde_json::to_value(&handoff).unwrap_or_default();
    Ok(HandoffText {
        continuation_prompt: handoff.continuation_prompt,
        requests: handoff.requests,
        last_answer: handoff.last_answer,
        handoff: object(whole),
    })
});

/// The receipts of the newest requests: what was decided, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GetReceipts {
    /// How many.
    pub most: u32,
}

impl Default for GetReceipts {
    fn default() -> Self {
        Self { most: 5 }
    }
}

/// Receipts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReceiptList {
    /// The receipts as the log has them, oldest first.
    pub receipts: Vec<Object>,
}

operation!(GetReceipts, "receipts", ReceiptList, |self, context| {
    let newest = newest_receipts(context.log.as_ref(), context.engine.session(), self.most as usize).await;
    let newest = newest.map_err(|error| CallError::of(ErrorCode::Storage, &error))?;
    let receipt = |receipt: Receipt| serde_json::to_value(receipt).ok().map(object);
    Ok(ReceiptList { receipts: newest.into_iter().filter_map(receipt).collect() })
});

/// The newest receipts of a log, oldest first. Only its end is read: as much as they take.
async fn newest_receipts(
    log: &dyn MessageLog,
    session: &SessionId,
    most: usize,
) -> Result<Vec<Receipt>, LogError> {
    let last = log.last(session).await?;
    let mut length = RECORDS_OF_RECEIPT.saturating_mul(most as u64);
    loop {
        let from = Seq(last.0.saturating_sub(length));
        let records = read_all(log, session, from, Part::All).await?.records;
        let receipts = records.into_iter().filter_map(|record| match record.body {
            RecordBody::Receipt(receipt) => Some(*receipt),
            _ => None,
        });
        let mut receipts: Vec<Receipt> = receipts.collect();
        if receipts.len() >= most || from == Seq(0) {
            receipts.drain(..receipts.len().saturating_sub(most));
            return Ok(receipts);
        }
        length = length.saturating_mul(4);
    }
}
