//! STATE and the scratchpad.

use throughline_conversation::{DocumentName, DocumentRecord, EntryKind, RecordBody, Seq, View};
use throughline_documents::{DocumentCaps, Scratchpad, Written, documents_note, updates};

use super::Session;
use crate::turn_context::TurnContext;

/// The documents as the end of a request shows them.
pub(crate) fn documents_tail(view: &View) -> Vec<String> {
    documents_note(view)
}

impl Session {
    /// Applies the document signals of an answer, which may have been cut off. Returns complaints about rejected signals,
    /// for the model.
    pub(crate) fn read_signals(
        &mut self,
        turn: &TurnContext<'_>,
        caps: Option<DocumentCaps>,
        model: &str,
        text: &str,
        cut: bool,
    ) -> Vec<String> {
        let Some(caps) = caps else { return Vec::new() };
        let shown = self.view.documents();
        let updates = updates(&Written { text, cut, model, shown }, shown, caps);
        for record in updates.records {
            self.write_document(turn, record);
        }
        for complaint in &updates.complaints {
            self.record_decision("documents", "a document was not taken", complaint.clone());
        }
        updates.complaints
    }

    /// Complaints about the signals of the newest answer, if nothing was sent since.
    pub(crate) fn open_complaints(&self, caps: Option<DocumentCaps>) -> Vec<String> {
        let (Some(caps), Some(last)) = (caps, self.view.entries().last()) else { return Vec::new() };
        if last.kind != EntryKind::Assistant || last.message.tool_calls().next().is_some() {
            return Vec::new();
        }
        let shown = self.view.documents();
        let (text, model) = (last.message.text(), "");
        updates(&Written { text: &text, cut: false, model, shown }, shown, caps).complaints
    }

    /// Appends a new revision of a document and returns its record number.
    pub(crate) fn write_document(&mut self, turn: &TurnContext<'_>, record: DocumentRecord) -> Seq {
        if let Err(error) = self.append(RecordBody::Document(record)) {
            self.degrade(turn, "documents", "the new revision is in the log and not in this request", &error);
        }
        self.count_documents();
        self.view.last()
    }

    /// Counts the tokens of the documents at the end of each request.
    pub(crate) fn count_documents(&mut self) {
        self.documents_tokens = self.tokens_of(&documents_tail(&self.view));
    }

    /// The current scratchpad and its revision.
    pub(crate) fn scratchpad(&self, caps: DocumentCaps) -> (Scratchpad, Seq) {
        let documents = self.view.documents();
        let text = documents.text(DocumentName::Scratchpad);
        (Scratchpad::restored(text, caps.scratchpad), documents.revision(DocumentName::Scratchpad))
    }
}
