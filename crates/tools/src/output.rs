//! The output of a tool.

use throughline_conversation::{Image, ModelUse};

use crate::changed_file::{ChangedFile, ChangedFiles};

/// The raw output of a call, before it is stored, truncated or shown to the model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolOutput {
    /// The unchanged output: mostly UTF-8 text, but a command may write any bytes.
    pub bytes: Vec<u8>,
    /// Pictures in the output.
    pub images: Vec<Image>,
    /// The files that the call changed.
    pub changes: ChangedFiles,
    /// What models used for the call, such as those of sub-agents. The session that made the call pays.
    pub used: Box<[ModelUse]>,
    /// The call failed.
    pub is_error: bool,
}

impl ToolOutput {
    /// A successful output.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { bytes: text.into().into_bytes(), ..Self::default() }
    }

    /// The same output of a call that changed this file.
    #[must_use]
    pub fn with_change(mut self, file: ChangedFile) -> Self {
        self.changes.files.push(file);
        self
    }

    /// A failure. The text should tell the model what to do next.
    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(text) }
    }

    /// The output as text; invalid UTF-8 becomes `U+FFFD`.
    #[must_use]
    pub fn to_text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}
