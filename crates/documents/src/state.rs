//! STATE: what the model holds to be true of the session, in four fields.

pub(crate) mod fields;
mod rebuild;

use serde::{Deserialize, Serialize};
use throughline_text::sanitized;

pub use rebuild::{REBUILD_PROMPT, RebuildInput, rebuilt, rebuilt_by_rule};

/// The four facts of a session, and the text that they were read from.
///
/// A field that was not written is empty. A field of several lines keeps them, its list items too.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The block verbatim, without its heading.
    pub text: String,
    /// The task, in short.
    pub goal: String,
    /// What is worked on: files, types.
    pub context: String,
    /// What is finished.
    pub resolved: String,
    /// Values that must not be lost: ports, addresses, constants.
    pub technical_anchors: String,
}

impl State {
    /// Reads a block. The heading `### STATE` may precede it. Labels may be bold, list items or small
    /// headings; what follows a label in later lines belongs to it. Invisible characters are left out.
    ///
    /// `None`: no field has a text of its own, so it must not replace an older one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = sanitized(text);
        let text = fields::without_heading(text.trim());
        let [goal, context, resolved, technical_anchors] = fields::read(text);
        let state = Self { text: text.to_owned(), goal, context, resolved, technical_anchors };
        (!state.is_empty()).then_some(state)
    }

    /// A state of these fields, in the plain form.
    #[must_use]
    pub fn of(goal: &str, context: &str, resolved: &str, technical_anchors: &str) -> Self {
        let values = [goal, context, resolved, technical_anchors].map(fields::tidied);
        let text = fields::render(&values);
        let [goal, context, resolved, technical_anchors] = values;
        Self { text, goal, context, resolved, technical_anchors }
    }

    /// Returns true if no field has a text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let fields = [&self.goal, &self.context, &self.resolved, &self.technical_anchors];
        fields.into_iter().all(String::is_empty)
    }
}

#[cfg(test)]
mod tests;
