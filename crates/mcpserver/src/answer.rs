//! What a call is answered with.

use throughline_conversation::Image;

/// The answer to a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) text: String,
    /// A picture that is shown after the text.
    pub(crate) picture: Option<Image>,
}

impl Answer {
    pub(crate) fn of_text(text: String) -> Self {
        Self { text, picture: None }
    }
}
