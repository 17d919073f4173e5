//! Progress of the session, for its checkpoints.

use serde_json::Value;
use throughline_conversation::{CheckpointRecord, Millis, Record, RecordBody, Usage};
use throughline_documents::ChecklistItem;

/// The phase of a long task, for its checkpoints. The program that runs the task sets it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Phase {
    /// The hat that the model wears; empty outside of a task.
    pub hat: String,
    /// The steps of the task. Empty: those of the scratchpad's plan.
    pub checklist: Vec<ChecklistItem>,
    /// Progress of the task, in a form of its runner.
    pub task: Option<Value>,
}

/// What the next checkpoint will record.
#[derive(Debug, Clone, Default)]
pub(crate) struct Progress {
    pub(crate) phase: Phase,
    pub(crate) input_tokens: u64,
    pub(crate) output_tokens: u64,
    /// Request number of the newest checkpoint.
    pub(crate) last: u64,
    /// The newest checkpoint.
    pub(crate) latest: Option<Box<CheckpointRecord>>,
    /// The view was compacted since then.
    pub(crate) compacted: bool,
    /// How the last turn failed, if it did.
    pub(crate) failure: Option<Failure>,
}

/// How a turn failed.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) error: String,
    pub(crate) at: Millis,
    pub(crate) hint: Option<String>,
}

/// The steps of the task of a checkpoint, those that are done first. Outside of a task they are those of the scratchpad, which
/// may have changed since.
fn checklist_of(found: &CheckpointRecord) -> Vec<ChecklistItem> {
    let handoff = found.handoff.as_ref().filter(|_| found.task.is_some());
    let steps = |name: &str, status: &'static str| {
        let items = handoff.and_then(|handoff| handoff.get(name)?.as_array());
        let items = items.into_iter().flatten().filter_map(Value::as_str);
        items.map(move |item| ChecklistItem::new(item, status)).collect::<Vec<_>>()
    };
    [steps("completed_items", "completed"), steps("remaining_items", "pending")].concat()
}

impl Progress {
    /// Continues from a checkpoint.
    pub(crate) fn of(found: Option<&CheckpointRecord>) -> Self {
        let Some(found) = found else { return Self::default() };
        let failure = found.last_error.clone().map(|error| Failure {
            error,
            at: found.failed_at.unwrap_or_default(),
            hint: found.recovery_hint.clone(),
        });
        Self {
            phase: Phase { hat: found.hat.clone(), checklist: checklist_of(found), task: found.task.clone() },
            input_tokens: found.input_tokens,
            output_tokens: found.output_tokens,
            last: found.iteration,
            latest: Some(Box::new(found.clone())),
            compacted: false,
            failure,
        }
    }

    /// Adds what was used after the newest checkpoint, from the records that follow it.
    pub(crate) fn catch_up(&mut self, records: &[Record]) {
        let is_checkpoint = |record: &Record| matches!(record.body, RecordBody::Checkpoint(_));
        let after = records.iter().rposition(is_checkpoint).map_or(0, |last| last + 1);
        for record in records.get(after..).unwrap_or_default() {
            match &record.body {
                RecordBody::Receipt(receipt) => self.add(receipt.reported.as_ref()),
                RecordBody::Spent(used) => self.add(Some(&used.usage)),
                _ => {}
            }
        }
    }

    /// Notes the newest checkpoint, and the number of the request before it.
    pub(crate) fn note(&mut self, request: u64, record: Box<CheckpointRecord>) {
        self.last = request;
        self.compacted = false;
        self.latest = Some(record);
    }

    pub(crate) fn add(&mut self, usage: Option<&Usage>) {
        let Some(usage) = usage else { return };
        self.input_tokens = self.input_tokens.saturating_add(usage.prompt());
        self.output_tokens = self.output_tokens.saturating_add(usage.output);
    }
}
