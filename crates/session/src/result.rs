//! The result of a run as one object.

use std::time::Duration;

use serde_json::{Value, json};
use throughline_completion::ModelInfo;
use throughline_connect::dollars_figure;
use throughline_conversation::{SessionId, Usage};

use crate::ending::RunEnding;
use crate::tally::RunTally;

/// How a run ended, and what it used.
#[derive(Debug, Clone)]
pub struct RunResult {
    /// How it ended.
    pub ending: RunEnding,
    /// `None`: it was removed, because no model was asked.
    pub session: Option<SessionId>,
    /// The model that answered last.
    pub model: ModelInfo,
    /// What it used.
    pub tally: RunTally,
    /// The progress of a task.
    pub task: Option<Value>,
}

/// A run that ended before its first turn.
#[derive(Debug, Clone)]
pub struct UnstartedRun<'a> {
    /// Why, in one word for programs.
    pub kind: &'a str,
    /// Why, for people.
    pub error: &'a str,
    /// The session that was worked on.
    pub session: Option<&'a SessionId>,
}

impl UnstartedRun<'_> {
    /// The only object of the stream, with the fields of [`RunResult::object`]. `took`: how long the run took.
    #[must_use]
    pub fn object(&self, took: Duration) -> Value {
        json!({
            "type": "result",
            "outcome": self.kind,
            "is_error": true,
            "text": "",
            "error": self.error,
            "note": null,
            "stop": null,
            "session": self.session,
            "provider": null,
            "model": null,
            "requests": 0,
            "side_requests": 0,
            "compactions": 0,
            "usage": Usage::default(),
            "unreported": 0,
            "cost_usd": null,
            "cost_usd_at_least": null,
            "duration_ms": millis(took),
        })
    }
}

fn millis(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}

impl RunResult {
    /// The last object of the stream. `took`: how long the run took.
    #[must_use]
    pub fn object(&self, took: Duration) -> Value {
        let Self { ending, model, .. } = self;
        let cost = self.tally.meter.cost();
        let mut object = json!({
            "type": "result",
            "outcome": ending.kind,
            "is_error": ending.error.is_some(),
            "text": ending.text,
            "error": ending.error,
            "note": ending.note,
            "stop": ending.stop,
            "session": self.session,
            "provider": model.provider,
            "model": model.name,
            "requests": cost.requests,
            "side_requests": cost.side_requests,
            "compactions": self.tally.compactions,
            "usage": cost.usage,
            "unreported": cost.unreported,
            "cost_usd": cost.dollars().exact().map(dollars_figure),
            "cost_usd_at_least": cost.dollars().at_least().map(dollars_figure),
            "duration_ms": millis(took),
        });
        if let (Some(task), Some(fields)) = (&self.task, object.as_object_mut()) {
            fields.insert("task".to_owned(), task.clone());
        }
        object
    }
}
