//! What outlives messages: documents, the history as a table, memos and checkpoints.

use std::sync::Arc;

use throughline_continuity::CheckpointPolicy;
use throughline_documents::{DocumentCaps, GitProbe};
use throughline_history::HistoryDatabase;
use throughline_memory::{
    FileIndex, MemoOrigin, MemoryFiles, MemorySearch, NoteRepository, Scope, recall_from, recall_note,
};

use crate::session::Session;
use crate::turn_context::TurnContext;

/// What outlives sessions: memos and memory files.
#[derive(Debug, Clone)]
pub struct MemoryPorts {
    /// Storage of memos.
    pub notes: Arc<dyn NoteRepository>,
    /// Search in memos and files.
    pub search: Arc<dyn MemorySearch>,
    /// The memory files.
    pub files: Arc<dyn MemoryFiles>,
    /// Index of the chunks of the memory files.
    pub index: Arc<dyn FileIndex>,
    /// The part of the memory that this session may see.
    pub scope: Scope,
}

/// When checkpoints are recorded, and what their handoffs contain.
#[derive(Debug, Clone)]
pub struct Checkpoints {
    /// When one is due.
    pub policy: CheckpointPolicy,
    /// What the session is about.
    pub title: String,
    /// Reads the state of the working tree; `None` leaves it out.
    pub git: Option<Arc<dyn GitProbe>>,
    /// Adds a handoff to each checkpoint, and a note about it to a resumed session.
    pub handoff: bool,
}

/// The continuity features that are on.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContinuityPorts {
    pub(crate) documents: Option<DocumentCaps>,
    pub(crate) history: Option<Arc<dyn HistoryDatabase>>,
    pub(crate) memory: Option<MemoryPorts>,
    pub(crate) checkpoints: Option<Checkpoints>,
    /// Names of engine tools that the model is not given.
    pub(crate) left_out: Vec<&'static str>,
}

impl ContinuityPorts {
    /// The memos that a message of the user is about, as a note for its turn.
    pub(crate) async fn recall(
        &self,
        session: &mut Session,
        turn: &TurnContext<'_>,
        message: &str,
    ) -> Option<String> {
        let memory = self.memory.as_ref()?;
        match recall_from(memory.notes.as_ref(), &memory.scope, message).await {
            Ok(memos) if memos.is_empty() => None,
            Ok(memos) => {
                let names: Vec<String> = memos.iter().map(|memo| memo.id.to_string()).collect();
                let what = format!("memos {}", names.join(", "));
                session.record_decision("recall", what, "words of the user's message");
                Some(recall_note(&memos))
            }
            Err(error) => {
                session.degrade(turn, "memory", "no memo is recalled", &error);
                None
            }
        }
    }
}

/// The origin of a memo that the session saves now.
pub(crate) fn memo_origin(session: &Session, scope: &Scope) -> MemoOrigin {
    MemoOrigin {
        workspace: scope.root().map(str::to_owned),
        session: Some(session.id().clone()),
        exchange: Some(session.exchange()),
    }
}
