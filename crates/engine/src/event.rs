//! What a caller sees while a turn runs.

use serde_json::Value;
use throughline_conversation::{
    AnswerIdentity, CacheMiss, CompactionReceipt, Components, Degradation, EditReason, ExchangeId, ModelUse,
    OffloadReceipt, Origin, PriceTerms, Seq, ServerAddress, SideAnswer, SideRequest, Usage, WebSource,
    WindowFigures,
};

/// Why a turn ended that its user stopped, or whose owner has begun another one.
pub(crate) const CANCELLED: &str = "cancelled";

/// Something that happened in a turn.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A turn begins. [`TurnEnded`](Self::TurnEnded) follows, unless the turn's future is dropped.
    TurnStarted {
        /// The model that is asked first.
        model: Origin,
        /// The user's message; empty if an interrupted turn is continued.
        text: String,
    },
    /// A turn has ended.
    TurnEnded {
        /// Why the model stopped, or `cancelled`; `None` if the turn failed.
        stop: Option<String>,
        /// The kind of the error, by [`TurnError::kind`](crate::TurnError::kind).
        error: Option<&'static str>,
    },
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
    /// A compaction begins. [`CompactionEnded`](Self::CompactionEnded) follows, unless its future is dropped.
    CompactionStarted {
        /// What triggered it.
        reason: EditReason,
        /// Tokens of the request without it, by component.
        used: Components,
        /// The price that the decision was made by, where the policy decides by price.
        price: Option<PriceTerms>,
    },
    /// A compaction has ended. If it changed the view, [`Compacted`](Self::Compacted) came before.
    CompactionEnded {
        /// Tokens of the request now, by component.
        used: Components,
        /// The kind of the error if nothing was changed, by [`CompactError::kind`](crate::CompactError::kind).
        error: Option<&'static str>,
    },
    /// The view was compacted.
    Compacted(CompactionReceipt),
    /// A compaction was due and changed nothing.
    NotCompacted {
        /// Why.
        why: String,
    },
    /// The selection of tools that the model sees has changed.
    ToolsChanged {
        /// Why.
        why: String,
        /// Number of tools that are sent.
        active: usize,
        /// Number of deferred tools.
        deferred: usize,
    },
    /// The next request ends with this note about its window.
    Note(String),
    /// A sentence for the user about something that the engine changed.
    Notice(String),
    /// A line for a log of the engine's decisions.
    Log(String),
    /// A request is sent.
    Sent {
        /// Its number within the session.
        request: u64,
        /// Messages in it.
        messages: usize,
        /// Predicted cache usage.
        predicted: Usage,
        /// Where; `None`: no server, or not known.
        server: Option<ServerAddress>,
    },
    /// An attempt failed and another follows.
    Retrying {
        /// The error.
        cause: String,
        /// Wait before the next attempt in milliseconds.
        wait_ms: u64,
    },
    /// Another model answers from here on.
    Switched {
        /// The model before, as `provider/model`.
        from: String,
        /// The model from now on.
        to: String,
        /// Why.
        why: String,
    },
    /// A server said in an error what a model has: less than was known of it.
    LimitLearned {
        /// The model.
        model: Origin,
        /// The server; `None`: not known.
        server: Option<ServerAddress>,
        /// What it said.
        limit: LearnedLimit,
    },
    /// What was shown of this answer does not count, and the request is sent again: the answer broke off, or the provider
    /// had truncated the request.
    Withdrawn {
        /// Why.
        why: String,
    },
    /// More of the answer's text.
    Text(String),
    /// More of the answer's thinking.
    Thinking(String),
    /// A provider is asked for something that is not a message of the session. [`SideAnswered`](Self::SideAnswered) follows
    /// before the next request of any kind, unless the future of the caller is dropped.
    SideAsked(SideRequest),
    /// That request has ended. [`Spent`](Self::Spent) has what it used, alone or in a sum.
    SideAnswered(SideAnswer),
    /// A model was asked for something that is not a message of the session: a summary, a rebuilt STATE, an answer that was
    /// stopped or broke off.
    Spent(ModelUse),
    /// Pages of the web that the answer cites.
    Cited(Vec<WebSource>),
    /// The answer is complete.
    Answered {
        /// Usage as the provider reported it.
        usage: Option<Usage>,
        /// Why the model stopped.
        stop: String,
        /// What the provider says the answer is.
        identity: AnswerIdentity,
    },
    /// The request that was sent got no answer, after all retries.
    NotAnswered {
        /// The kind of the error, by [`ModelError::kind`](throughline_completion::ModelError::kind); `None`: the caller
        /// stopped it.
        error: Option<&'static str>,
    },
    /// The answered request read less from the prompt cache than the request before left there.
    CacheMissed(CacheMiss),
    /// A tool starts, here or at the provider.
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
        /// True if the tool failed.
        is_error: bool,
        /// The answer as the model sees it; of an offloaded one the preview.
        output: String,
        /// Set if the result was offloaded.
        offloaded: Option<OffloadReceipt>,
    },
    /// All records up to this one are durable.
    Acknowledged {
        /// The record.
        seq: Seq,
    },
    /// A snapshot was saved.
    SnapshotSaved {
        /// The record up to which it covers the log.
        covers: Seq,
    },
    /// A subsystem failed and a fallback took over.
    Degraded(Degradation),
}

/// A limit of a model that its server said, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LearnedLimit {
    /// The context window.
    Window(u64),
    /// The maximum of one answer.
    MaxOutput(u64),
}

/// Receives events. It is called in the middle of a turn and should return quickly.
pub trait EventSink: Send + Sync {
    /// Receives the next event.
    fn emit(&self, event: Event);
}

impl<F: Fn(Event) + Send + Sync> EventSink for F {
    fn emit(&self, event: Event) {
        self(event);
    }
}

/// An [`EventSink`] that discards every event.
#[derive(Debug, Clone, Copy, Default)]
pub struct NullSink;

impl EventSink for NullSink {
    fn emit(&self, _event: Event) {}
}
