//! What a caller sees while a turn runs.

use serde_json::Value;
use throughline_conversation::{
    CompactionReceipt, Degradation, ExchangeId, ModelUse, OffloadReceipt, Seq, Usage, WindowFigures,
};

/// Something that happened in a turn.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The user's message is in the log.
    Accepted {
        /// Its exchange.
        exchange: ExchangeId,
    },
    /// How full the window is before a request.
    Window {
        /// The figures.
        figures: WindowFigures,
        /// Pressure by the thresholds.
        pressure: &'static str,
    },
    /// The view was compacted.
    Compacted(CompactionReceipt),
    /// A compaction was due and changed nothing.
    NotCompacted {
        /// Why.
        why: String,
    },
    /// The list of tools that the model sees has changed.
    ToolsChanged {
        /// Why.
        why: String,
        /// Tools that are sent.
        active: usize,
        /// Tools that are held back.
        deferred: usize,
    },
    /// A note rides at the tail of the next request.
    Note(String),
    /// A line for a log of what the engine does.
    Log(String),
    /// A request is on its way.
    Sent {
        /// Its number within the session.
        request: u64,
        /// Messages in it.
        messages: usize,
        /// Cache use as predicted.
        predicted: Usage,
    },
    /// A try failed and another follows.
    Retrying {
        /// The error.
        cause: String,
        /// Wait before the next try in milliseconds.
        wait_ms: u64,
    },
    /// Another model goes on from here.
    Switched {
        /// The model before, as `provider/model`.
        from: String,
        /// The model from now on.
        to: String,
        /// Why.
        why: String,
    },
    /// What was shown of this answer does not count, and it is asked for again: it was made of less than was sent, or it
    /// broke off.
    Withdrawn {
        /// Why.
        why: String,
    },
    /// More of the answer's text.
    Text(String),
    /// More of the answer's thinking.
    Thinking(String),
    /// A model was asked for something that is no message of the session: a summary, STATE anew, an answer that was
    /// stopped or broke off.
    Spent(ModelUse),
    /// The answer is complete.
    Answered {
        /// Use as the provider reported it.
        usage: Option<Usage>,
        /// Why the model stopped.
        stop: String,
    },
    /// A tool starts.
    ToolStarted {
        /// Id of the call.
        call_id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        input: Value,
    },
    /// A tool has answered.
    ToolFinished {
        /// Id of the call.
        call_id: String,
        /// The tool.
        name: String,
        /// Size of the answer in bytes.
        bytes: u64,
        /// Whether it failed.
        is_error: bool,
        /// Set when the answer was stored out of the window.
        offloaded: Option<OffloadReceipt>,
    },
    /// Everything up to this record is durable.
    Acknowledged {
        /// The record.
        seq: Seq,
    },
    /// A snapshot was saved.
    SnapshotSaved {
        /// The record up to which it covers the log.
        covers: Seq,
    },
    /// A subsystem failed and something simpler took its place.
    Degraded(Degradation),
}

/// Takes events. It is called in the middle of the work, so it should be quick.
pub trait EventSink: Send + Sync {
    /// Takes the next event.
    fn emit(&self, event: Event);
}

impl<F: Fn(Event) + Send + Sync> EventSink for F {
    fn emit(&self, event: Event) {
        self(event);
    }
}

/// A sink for those who do not look.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl EventSink for Silent {
    fn emit(&self, _event: Event) {}
}
