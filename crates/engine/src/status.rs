//! Where an engine stands, to print and to log.

use std::fmt;

use serde::Serialize;
use throughline_conversation::{SessionId, WindowFigures};
use throughline_text::counted;

use crate::engine::ContextEngine;
use crate::stage::Stage;

/// Where an engine stands. It holds no word of the conversation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineStatus {
    /// The session.
    pub session: SessionId,
    /// The model that answers, as `provider/model`.
    pub model: String,
    /// What the engine waits for.
    pub waits_for: WaitsFor,
    /// Number of the newest turn.
    pub turn: u64,
    /// Requests so far.
    pub requests: u64,
    /// Messages in view.
    pub messages: usize,
    /// Edits of the view so far.
    pub epoch: u64,
    /// How full the window is.
    pub window: WindowFigures,
    /// Records that are not written yet.
    pub unwritten: usize,
}

/// What an engine waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "for", rename_all = "snake_case")]
pub enum WaitsFor {
    /// For its next operation.
    Nothing,
    /// For a summary.
    Summary {
        /// Its number.
        id: Option<u64>,
    },
    /// For the answer to a request.
    Answer {
        /// Its number.
        request: u64,
    },
    /// For results.
    Results {
        /// The ids of the calls.
        calls: Vec<String>,
    },
}

impl ContextEngine {
    /// Where the engine stands.
    #[must_use]
    pub fn status(&self) -> EngineStatus {
        let session = &self.state.session;
        EngineStatus {
            session: session.id().clone(),
            model: self.state.model.origin().to_string(),
            waits_for: self.waits_for(),
            turn: session.turn(),
            requests: session.requests(),
            messages: session.view().entries().len(),
            epoch: session.view().epoch(),
            window: self.budget().window_figures(),
            unwritten: session.unwritten(),
        }
    }

    fn waits_for(&self) -> WaitsFor {
        match &self.stage {
            Stage::Idle => WaitsFor::Nothing,
            Stage::Summarizing(_) => {
                WaitsFor::Summary { id: self.state.model.caller.as_ref().and_then(|caller| caller.open_id()) }
            }
            Stage::Asked(open) => WaitsFor::Answer { request: open.id.0 },
            Stage::Calling(calls) if calls.is_ours() => WaitsFor::Nothing,
            Stage::Calling(calls) => WaitsFor::Results { calls: calls.open_ids() },
        }
    }
}

impl fmt::Display for EngineStatus {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { session, model, turn, requests, messages, epoch, window, unwritten, .. } = self;
        let used = counted(window.used.total(), "token");
        write!(
            out,
            "session {session}, {model}: turn {turn}, {}, {} in view, {used}, {}, {} unwritten; waits for {}",
            counted(*requests, "request"),
            counted(*messages as u64, "message"),
            counted(*epoch, "edit"),
            counted(*unwritten as u64, "record"),
            self.waits_for
        )
    }
}

impl fmt::Display for WaitsFor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => out.write_str("nothing"),
            Self::Summary { id: Some(id) } => write!(out, "summary {id}"),
            Self::Summary { id: None } => out.write_str("the next request"),
            Self::Answer { request } => write!(out, "the answer to request {request}"),
            Self::Results { calls } => write!(out, "the results of {}", calls.join(", ")),
        }
    }
}
