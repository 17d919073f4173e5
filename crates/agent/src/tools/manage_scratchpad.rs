//! `manage_scratchpad`: the model reads and writes its plan.

use serde_json::Value;
use throughline_conversation::{DocumentName, DocumentRecord};
use throughline_documents::manage;
use throughline_text::error_chain;
use throughline_tools::ToolOutput;

use crate::engine::{Engine, Wire};

pub(super) fn call(engine: &mut Engine, wire: &Wire<'_>, input: &Value) -> ToolOutput {
    let caps = engine.parts.keeping.documents.unwrap_or_default();
    let (current, revision) = engine.scratchpad(caps);
    let managed = match manage(input, &current, revision) {
        Ok(managed) => managed,
        Err(error) => return ToolOutput::error(error_chain(&error)),
    };
    let mut seq = revision;
    if let Some(text) = managed.new_text.clone() {
        let record = DocumentRecord { name: DocumentName::Scratchpad, text, by: engine.by_model() };
        seq = engine.write_document(wire, record);
    }
    ToolOutput::text(managed.answer_at(seq))
}
