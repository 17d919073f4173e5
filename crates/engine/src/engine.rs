//! The engine: what a model sees of one session.

mod adjust;
mod inspect;

use std::fmt;
use std::sync::Arc;

use throughline_budget::ContextBudget;
use throughline_completion::ModelInfo;
use throughline_continuity::Unreadable;
use throughline_conversation::{Seq, TokenCounter};

use crate::builder::EngineBuilder;
use crate::event::EventSink;
use crate::rebuild_attempts::RebuildAttempts;
use crate::settings::Settings;
use crate::stage::Stage;
use crate::state::EngineState;
use crate::sync::KnownMessages;

/// What the model of one session sees next.
///
/// It holds the log, the view and the window, compacts, offloads, defers and plans cache breakpoints. It calls no model, runs
/// no tool and waits for nothing but its storage. The owner of a loop asks it for a request, sends that with a client of its
/// own, and hands back the answer and the results of the calls.
///
/// Everything that changes the session takes `&mut self`. What this process has not written yet survives a failed write, and
/// is lost only with the process.
pub struct ContextEngine {
    pub(crate) state: EngineState,
    pub(crate) stage: Stage,
    pub(crate) rebuilds: RebuildAttempts,
    /// What the session has of a list that a framework hands over.
    pub(crate) known: KnownMessages,
    /// A turn of that list was reported as begun, and not yet as ended.
    pub(crate) in_listed_turn: bool,
    /// Why the view was rebuilt from the log instead of a snapshot.
    pub(crate) rebuilt: Option<String>,
    /// Records that were lost at the start.
    pub(crate) unreadable: Vec<Unreadable>,
    pub(crate) events: Arc<dyn EventSink>,
    /// Place of the newest record and number of the newest request when the session was opened.
    pub(crate) opened: (Seq, u64),
}

impl fmt::Debug for ContextEngine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ContextEngine")
            .field("state", &self.state)
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}

impl ContextEngine {
    /// Starts to build the engine of a session for a model of these facts. `counter` counts its tokens.
    #[must_use]
    pub fn builder(info: ModelInfo, counter: Arc<dyn TokenCounter>, settings: Settings) -> EngineBuilder {
        EngineBuilder::new(info, counter, settings)
    }

    /// The facts of the model that answers now.
    #[must_use]
    pub fn model(&self) -> &ModelInfo {
        &self.state.model.info
    }

    /// The policies and limits in force.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.state.model.settings
    }

    /// How full the window is now.
    #[must_use]
    pub fn budget(&self) -> ContextBudget {
        self.state.size().budget
    }
}
