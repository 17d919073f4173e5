//! The documents that the model keeps.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throughline_conversation::DocumentName;

use crate::context::OpenContext;
use crate::operation::operation;

/// STATE and the scratchpad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetDocuments {}

/// Replaces STATE or the scratchpad, or both.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetDocuments {
    /// STATE from now on.
    #[serde(default)]
    pub state: Option<String>,
    /// The scratchpad from now on.
    #[serde(default)]
    pub scratchpad: Option<String>,
}

/// STATE and the scratchpad.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentTexts {
    /// STATE; empty if it was never written.
    pub state: String,
    /// The scratchpad; empty if it was never written.
    pub scratchpad: String,
}

operation!(GetDocuments, "documents", DocumentTexts, |self, context| { Ok(texts(context)) });

operation!(SetDocuments, "set_documents", DocumentTexts, |self, context| {
    for (name, text) in [(DocumentName::State, self.state), (DocumentName::Scratchpad, self.scratchpad)] {
        if let Some(text) = text {
            context.engine.set_document(name, &text).await;
        }
    }
    Ok(texts(context))
});

fn texts(context: &OpenContext) -> DocumentTexts {
    let documents = context.engine.view().documents();
    let text = |name| documents.text(name).to_owned();
    DocumentTexts { state: text(DocumentName::State), scratchpad: text(DocumentName::Scratchpad) }
}
