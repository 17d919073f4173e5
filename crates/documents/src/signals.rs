//! Signals: what the text of a response says about the session's documents.

mod marks;

use marks::{Kind, Mark};
use throughline_text::sanitized;

use crate::state::State;

/// Precedes a new scratchpad.
pub(crate) const SCRATCHPAD: &str = "SCRATCHPAD:";

/// Begins the placeholder that the rules of the scratchpad show to the model.
const PLACEHOLDER: &str = "[Your understanding of the task and codebase]";

/// The documents that one response writes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signals {
    /// The whole new scratchpad, trimmed. `None`: it stays.
    pub scratchpad: Option<String>,
    /// The new STATE. `None`: it stays.
    pub state: Option<State>,
    /// Signals that were not taken, in the order of the text. The texts are for the model.
    pub malformed: Vec<Malformed>,
}

/// Why a signal was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Malformed {
    /// Nothing stands behind the signal.
    #[error("SCRATCHPAD: was not taken, as nothing follows it; write the whole document behind it")]
    EmptyScratchpad,
    /// The text is the example out of the rules.
    #[error("SCRATCHPAD: was not taken, because it is the example; write your own notes behind it")]
    ExampleScratchpad,
    /// The signal is dressed up, as bold text or as a heading.
    #[error("SCRATCHPAD: was not taken; it must begin a line, without any other mark in front of it")]
    Decorated,
    /// The block has none of its fields.
    #[error(
        "### STATE was not taken; it needs at least one of the lines Goal:, Context:, Resolved:, \
         Technical Anchors: with text behind it"
    )]
    StateWithoutFields,
    /// The signal stands inside of a code fence that is never closed.
    #[error("a signal was not taken, because it is in a code fence that is never closed; close the fence")]
    UnclosedFence,
    /// The response was cut off in the middle of the document.
    #[error("a document was not taken, as the response ended before it did; write it again, shorter")]
    CutOff,
}

/// Reads the signals of one response of the model.
///
/// A signal counts at the very start of a line and outside of code fences; in quoted lines (`>`) it never does. Of
/// several good ones the last counts. A scratchpad ends at the next known signal (`SIGNAL:`, `SCRATCHPAD:`,
/// `CHECKLIST:`, `MEMORY:`, `### STATE`) or to the end of the text; headings are part of it. STATE ends at a heading of
/// level 1 to 3 and at a line of dashes too. A malformed signal is reported, and the document is unchanged.
#[must_use]
pub fn signals(text: &str) -> Signals {
    read(text, true)
}

/// The same for a response that was cut off, by its limit or by the user: a document that reaches to its end is not
/// whole, and a part must not replace the whole.
#[must_use]
pub(crate) fn signals_of_cut(text: &str) -> Signals {
    read(text, false)
}

fn read(text: &str, whole: bool) -> Signals {
    let found = marks::of(text);
    let mut signals = Signals::default();
    let mut decorated = false;
    for (index, mark) in found.marks.iter().enumerate() {
        let later = found.marks.get(index + 1..).unwrap_or_default();
        let end = match mark.kind {
            Kind::Scratchpad => end_of(later, |kind| !matches!(kind, Kind::Break | Kind::Decorated)),
            Kind::State => end_of(later, |_| true),
            Kind::Decorated => {
                decorated = true;
                continue;
            }
            Kind::Other | Kind::Break => continue,
        };
        let body = text.get(mark.body..end.unwrap_or(text.len())).unwrap_or_default().trim();
        if end.is_none() && !whole {
            signals.malformed.push(Malformed::CutOff);
        } else if mark.kind == Kind::Scratchpad {
            signals.take_scratchpad(body);
        } else {
            signals.take_state(body);
        }
    }
    if decorated && signals.scratchpad.is_none() {
        signals.malformed.push(Malformed::Decorated);
    }
    if found.unclosed {
        signals.malformed.push(Malformed::UnclosedFence);
    }
    signals
}

fn end_of(later: &[Mark], ends: impl Fn(Kind) -> bool) -> Option<usize> {
    later.iter().find(|mark| ends(mark.kind)).map(|mark| mark.start)
}

impl Signals {
    fn take_scratchpad(&mut self, body: &str) {
        if sanitized(body).trim().is_empty() {
            self.malformed.push(Malformed::EmptyScratchpad);
        } else if body.contains(PLACEHOLDER) {
            self.malformed.push(Malformed::ExampleScratchpad);
        } else {
            self.scratchpad = Some(body.to_owned());
        }
    }

    fn take_state(&mut self, body: &str) {
        match State::parse(body) {
            Some(state) => self.state = Some(state),
            None => self.malformed.push(Malformed::StateWithoutFields),
        }
    }
}

#[cfg(test)]
mod tests;
