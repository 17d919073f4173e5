//! What the agent keeps when messages go: documents, memory, the history as a table, checkpoints.

use std::sync::Arc;

use throughline_conversation::{
    DocumentName, DocumentRecord, Documents, GroupStatus, Groups, RecordBody, Seq, Source,
};
use throughline_documents::{DocumentCaps, Scratchpad, Written, documents_note, updates};
use throughline_history::{GroupMarks, HistoryDatabase};
use throughline_memory::{
    FileIndex, MemoOrigin, MemoryFiles, MemorySearch, NoteRepository, Scope, recall_from, recall_note,
};

use crate::checkpointing::Checkpoints;
use crate::engine::{Engine, Wire, tokens_of};

/// What outlives sessions: memos and memory files.
#[derive(Debug, Clone)]
pub struct Memory {
    /// The memos.
    pub notes: Arc<dyn NoteRepository>,
    /// Searches memos and files.
    pub search: Arc<dyn MemorySearch>,
    /// The memory files.
    pub files: Arc<dyn MemoryFiles>,
    /// The index of their pieces.
    pub index: Arc<dyn FileIndex>,
    /// What this session sees of them.
    pub scope: Scope,
}

/// What of all this is in use.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keeping {
    pub(crate) documents: Option<DocumentCaps>,
    pub(crate) history: Option<Arc<dyn HistoryDatabase>>,
    pub(crate) memory: Option<Memory>,
    pub(crate) checkpoints: Option<Checkpoints>,
}

impl Keeping {
    /// What the end of a request shows of the documents.
    pub(crate) fn note(documents: &Documents) -> Vec<String> {
        documents_note(documents)
    }
}

/// Which exchanges a query of the history does not see, or sees as dropped.
pub(crate) fn group_marks(groups: &Groups) -> GroupMarks {
    let mut marks = GroupMarks::default();
    for (exchange, status) in groups.hidden() {
        match status {
            GroupStatus::Dropped => marks.dropped.insert(exchange),
            GroupStatus::Undone | GroupStatus::Removed => marks.undone.insert(exchange),
            GroupStatus::Live => false,
        };
    }
    marks
}

impl Engine {
    /// Takes what a response says about the documents. Nobody else has written to them since it was asked for: the
    /// session has one writer, and that is this turn.
    pub(crate) fn read_signals(&mut self, wire: &Wire<'_>, text: &str, cut: bool) {
        let Some(caps) = self.parts.keeping.documents else { return };
        let now = self.view.documents();
        let updates = updates(&Written { text, cut, model: &self.parts.info.name, shown: now }, now, caps);
        for record in updates.records {
            self.write_document(wire, record);
        }
        for complaint in updates.complaints {
            self.decide("documents", "a document was not taken", complaint.clone());
            self.complaints.push(complaint);
        }
    }

    /// Appends a new revision of a document, and gives its place.
    pub(crate) fn write_document(&mut self, wire: &Wire<'_>, record: DocumentRecord) -> Seq {
        if let Err(error) = self.append(RecordBody::Document(record)) {
            self.degrade(wire, "documents", "the new revision is in the log and not in this request", &error);
        }
        self.count_documents();
        self.view.last()
    }

    /// Counts what the documents take at the end of each request.
    pub(crate) fn count_documents(&mut self) {
        let notes = Keeping::note(self.view.documents());
        self.documents_tokens = tokens_of(self.parts.counter.as_ref(), &notes);
    }

    /// The scratchpad as it is.
    pub(crate) fn scratchpad(&self, caps: DocumentCaps) -> (Scratchpad, Seq) {
        let documents = self.view.documents();
        let text = documents.text(DocumentName::Scratchpad);
        (Scratchpad::restored(text, caps.scratchpad), documents.revision(DocumentName::Scratchpad))
    }

    /// Recalls the memos that a message of the user is about; they are shown to the end of the turn.
    pub(crate) async fn recall(&mut self, wire: &Wire<'_>, prompt: &str) {
        self.recalled = None;
        let Some(memory) = self.parts.keeping.memory.clone() else { return };
        match recall_from(memory.notes.as_ref(), &memory.scope, prompt).await {
            Ok(memos) if memos.is_empty() => {}
            Ok(memos) => {
                let names: Vec<String> = memos.iter().map(|memo| memo.id.to_string()).collect();
                self.decide("recall", format!("memos {}", names.join(", ")), "words of the user's message");
                self.recalled = Some(recall_note(&memos));
            }
            Err(error) => self.degrade(wire, "memory", "no memo is recalled", &error),
        }
    }

    /// Where a memo comes from that is saved now.
    pub(crate) fn memo_origin(&self, scope: &Scope) -> MemoOrigin {
        MemoOrigin {
            workspace: scope.workspace().map(str::to_owned),
            session: Some(self.parts.session.clone()),
            exchange: Some(self.exchange),
        }
    }

    /// The model, as the author of a document.
    pub(crate) fn by_model(&self) -> Source {
        Source::Model(self.parts.info.name.clone())
    }
}
