//! One open context.

use std::any::Any;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use throughline_continuity::MessageLog;
use throughline_engine::{CompactionProposal, ContextEngine};
use throughline_text::error_chain;

use crate::error::{CallError, ErrorCode};
use crate::notice::{Notice, NoticeKind, Notices};
use crate::storage::{ContextStorage, SessionGuard};
use crate::wire_form::BodyWriter;

/// Outcomes that are remembered by their keys. A worker repeats its last operations, not old ones.
const MAX_OUTCOMES: usize = 32;

/// An engine and what its operations keep between calls.
pub struct OpenContext {
    pub(crate) engine: ContextEngine,
    pub(crate) writer: BodyWriter,
    pub(crate) log: Arc<dyn MessageLog>,
    pub(crate) notices: Arc<Notices>,
    /// Items of the caller's list, for each message that was read of it.
    pub(crate) items: Vec<Range<usize>>,
    /// The compaction that was previewed last.
    pub(crate) proposal: Option<CompactionProposal>,
    outcomes: VecDeque<Outcome>,
    /// The storage of a session that has no request yet.
    pub(crate) unnamed: Option<Arc<dyn ContextStorage>>,
    guard: Option<Box<dyn SessionGuard>>,
}

struct Outcome {
    key: String,
    operation: &'static str,
    output: Box<dyn Any + Send + Sync>,
}

impl std::fmt::Debug for OpenContext {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("OpenContext").field("engine", &self.engine).finish_non_exhaustive()
    }
}

impl OpenContext {
    pub(crate) fn new(
        engine: ContextEngine,
        writer: BodyWriter,
        log: Arc<dyn MessageLog>,
        notices: Arc<Notices>,
        guard: Option<Box<dyn SessionGuard>>,
    ) -> Self {
        let (items, outcomes) = (Vec::new(), VecDeque::new());
        Self { engine, writer, log, notices, items, proposal: None, outcomes, unnamed: None, guard }
    }

    /// Writes what is pending, and a snapshot, and lets other processes in.
    pub(crate) async fn close(self) {
        self.engine.close().await;
        if let Some(guard) = self.guard {
            guard.release().await;
        }
    }

    /// Tells the storage the first request of a session that begins.
    pub(crate) async fn note_request(&mut self, request: &str) {
        let Some(storage) = self.unnamed.take() else { return };
        if let Err(error) = storage.name(self.engine.session(), request).await {
            let text = format!("the session has no title: {}", error_chain(&error));
            self.notices.add(Notice { kind: NoticeKind::Notice, text });
        }
    }

    /// What the operation with this key has returned, if it was done.
    pub(crate) fn outcome<T: Clone + 'static>(
        &self,
        key: &str,
        operation: &'static str,
    ) -> Result<Option<T>, CallError> {
        let Some(found) = self.outcomes.iter().find(|outcome| outcome.key == key) else { return Ok(None) };
        match found.output.downcast_ref::<T>() {
            Some(output) if found.operation == operation => Ok(Some(output.clone())),
            _ => {
                let message =
                    format!("the key {key:?} was used for {}, not for {operation}", found.operation);
                Err(CallError::new(ErrorCode::KeyReused, message).with("operation", found.operation))
            }
        }
    }

    pub(crate) fn note_outcome(
        &mut self,
        key: String,
        operation: &'static str,
        output: Box<dyn Any + Send + Sync>,
    ) {
        if self.outcomes.len() >= MAX_OUTCOMES {
            self.outcomes.pop_front();
        }
        self.outcomes.push_back(Outcome { key, operation, output });
    }
}
