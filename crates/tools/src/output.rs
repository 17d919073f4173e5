//! What a tool answers.

use throughline_conversation::Image;

/// The answer of a tool, before anything is stored, cut or shown to the model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolOutput {
    /// The answer as it came: mostly UTF-8 text, but a command may write any bytes.
    pub bytes: Vec<u8>,
    /// Pictures of the answer.
    pub images: Vec<Image>,
    /// Whether the tool failed.
    pub is_error: bool,
}

impl ToolOutput {
    /// A text answer.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { bytes: text.into().into_bytes(), images: Vec::new(), is_error: false }
    }

    /// A failure, told as text. The text should say what the model can do about it.
    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(text) }
    }

    /// The answer as text; bytes that are no UTF-8 are shown as `U+FFFD`.
    #[must_use]
    pub fn to_text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}
