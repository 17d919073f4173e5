//! Notices: what a caller learns besides the outcome of its operations.

use std::sync::{Arc, Mutex, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throughline_engine::{Event, EventSink, SessionId};

/// Something that the caller of a context should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Notice {
    /// What it is about.
    pub kind: NoticeKind,
    /// A sentence for people.
    pub text: String,
}

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// Something that the engine changed.
    Notice,
    /// A part failed, and a fallback took over.
    Degraded,
    /// The view was compacted.
    Compacted,
    /// A compaction was due and changed nothing.
    NotCompacted,
}

/// Receives the notices of all contexts as they come. It is called in the middle of an operation and should return quickly.
pub trait NoticeSink: Send + Sync {
    /// Receives a notice of this session.
    fn notice(&self, session: &SessionId, notice: &Notice);
}

impl<F: Fn(&SessionId, &Notice) + Send + Sync> NoticeSink for F {
    fn notice(&self, session: &SessionId, notice: &Notice) {
        self(session, notice);
    }
}

/// The notices of one context until its next request returns them.
pub(crate) struct Notices {
    pub(crate) session: SessionId,
    pub(crate) sink: Option<Arc<dyn NoticeSink>>,
    waiting: Mutex<Vec<Notice>>,
}

impl Notices {
    pub(crate) fn new(session: SessionId, sink: Option<Arc<dyn NoticeSink>>) -> Self {
        Self { session, sink, waiting: Mutex::default() }
    }

    pub(crate) fn add(&self, notice: Notice) {
        if let Some(sink) = &self.sink {
            sink.notice(&self.session, &notice);
        }
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push(notice);
    }

    pub(crate) fn take(&self) -> Vec<Notice> {
        std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl EventSink for Notices {
    fn emit(&self, event: Event) {
        let (kind, text) = match event {
            Event::Notice(text) => (NoticeKind::Notice, text),
            Event::Degraded(one) => {
                (NoticeKind::Degraded, format!("{} failed: {}; {}", one.subsystem, one.cause, one.fallback))
            }
            Event::Compacted(done) => {
                let (before, after) = (done.before_tokens, done.after_tokens);
                (NoticeKind::Compacted, format!("the view was compacted from {before} to {after} tokens"))
            }
            Event::NotCompacted { why } => (NoticeKind::NotCompacted, why),
            _ => return,
        };
        self.add(Notice { kind, text });
    }
}
