//! `manage_scratchpad`: the model reads and writes its plan.

use serde_json::Value;
use throughline_conversation::{DocumentName, DocumentRecord};
use throughline_documents::manage;
use throughline_text::error_chain;
use throughline_tools::ToolOutput;

use crate::step_context::StepContext;

pub(super) async fn call(step: &mut StepContext<'_>, input: &Value) -> ToolOutput {
    let caps = step.state.continuity.documents.unwrap_or_default();
    let (current, revision) = step.state.session.scratchpad(caps);
    let managed = match manage(input, &current, revision) {
        Ok(managed) => managed,
        Err(error) => return ToolOutput::error(error_chain(&error)),
    };
    let mut seq = revision;
    if let Some(text) = managed.new_text.clone() {
        let record = DocumentRecord { name: DocumentName::Scratchpad, text, by: step.state.model.source() };
        seq = step.state.session.write_document(&step.turn, record);
    }
    ToolOutput::text(managed.answer_at(seq))
}
