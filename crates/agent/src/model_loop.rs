//! The engine of a session, with the model that is asked and the tools that are run.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use throughline_completion::LanguageModel;
use throughline_conversation::Origin;
use throughline_engine::{ContextEngine, Operation, SpendingGuard, TurnContext};
use throughline_tools::ToolRegistry;

use crate::ahead::AheadSummary;
use crate::background_work::BackgroundWork;
use crate::next_model::NextModel;
use crate::turn_hooks::TurnHooks;
use crate::user_messages::UserMessages;

/// What a turn works with.
#[derive(Debug)]
pub(crate) struct ModelLoop {
    pub(crate) engine: ContextEngine,
    pub(crate) model: Arc<dyn LanguageModel>,
    pub(crate) registry: Arc<ToolRegistry>,
    /// The folder that tools work in.
    pub(crate) workspace: PathBuf,
    /// Models that take over when the current one cannot answer, in order.
    pub(crate) fallbacks: VecDeque<NextModel>,
    /// Limits what the session may cost.
    pub(crate) spending: Option<Arc<dyn SpendingGuard>>,
    /// No call runs while records cannot be stored.
    pub(crate) calls_need_log: bool,
    /// What the user says while a turn runs.
    pub(crate) user_messages: Option<Arc<dyn UserMessages>>,
    /// What runs in the background.
    pub(crate) background: Option<Arc<dyn BackgroundWork>>,
    /// What is asked at the boundaries of a turn.
    pub(crate) hooks: Option<Arc<dyn TurnHooks>>,
    /// The model whose server has no endpoint that counts: a short answer says how large a request is.
    pub(crate) without_count: Option<Origin>,
    /// The summary that is being written.
    pub(crate) ahead: AheadSummary,
}

impl ModelLoop {
    /// Operations of the engine that report to this turn.
    pub(crate) fn operation<'a>(&'a mut self, turn: &TurnContext<'a>) -> Operation<'a> {
        self.engine.operation(turn.sink, turn.cancel)
    }
}
