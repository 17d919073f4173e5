//! Signals: what the text of a response says about the session's documents.

mod marks;
mod shown;

use std::ops::Range;

use marks::{Form, Found, Kind, Mark};
use throughline_text::sanitized;

use crate::state::State;

pub use shown::{ShownText, without_documents};

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
    /// The signal is in a code fence.
    #[error(
        "SCRATCHPAD: was not taken, because it is in a code fence; if you meant it, write it outside of the fence"
    )]
    FencedScratchpad,
    /// Sections of the scratchpad stand behind its end.
    #[error(
        "the scratchpad was taken only up to the next signal, and sections of it stand behind that; write the whole document \
         in one piece, with ### STATE and other signals behind it"
    )]
    DividedScratchpad,
    /// The block has none of its fields.
    #[error(
        "### STATE was not taken; it needs at least one of the lines Goal:, Context:, Resolved:, \
         Technical Anchors: with text behind it"
    )]
    StateWithoutFields,
    /// The heading of the block is another one, or bold text.
    #[error("STATE was not taken; its heading must be the line ### STATE, without any other mark")]
    DecoratedState,
    /// The block is in a code fence.
    #[error(
        "### STATE was not taken, because it is in a code fence; if you meant it, write it outside of the fence"
    )]
    FencedState,
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
/// several good ones the last counts. A scratchpad reaches to the next signal (`SIGNAL:`, `SCRATCHPAD:`, `### STATE`) or to
/// the end of the text; everything else is part of it. STATE ends at a heading of level 1 to 3, at a line of
/// dashes and at a paragraph that is no field of it and no list, too: what the model writes behind it is for its user.
/// A malformed signal is reported, and the document is unchanged.
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

impl Found {
    /// The marks of documents as the rules ask for them, and from where to where their blocks reach.
    fn blocks(&self, end: usize) -> impl Iterator<Item = (&Mark, Range<usize>)> {
        self.marks.iter().enumerate().filter_map(move |(index, mark)| {
            let later = self.later(index);
            let ends: fn(&Mark) -> bool = match mark.kind {
                Kind::Scratchpad => Mark::ends_scratchpad,
                Kind::State => Mark::ends_state,
                Kind::Other | Kind::Section | Kind::Break => return None,
            };
            let end = later.iter().find(|mark| ends(mark)).map_or(end, |mark| mark.start);
            (mark.form == Form::Plain).then_some((mark, mark.start..end))
        })
    }

    fn later(&self, index: usize) -> &[Mark] {
        self.marks.get(index + 1..).unwrap_or_default()
    }

    /// Returns true if sections of the scratchpad that ends here stand behind its end.
    fn is_divided(&self, end: usize) -> bool {
        let behind = self.marks.iter().filter(|mark| mark.start >= end && mark.form == Form::Plain);
        behind.take_while(|mark| mark.kind != Kind::Scratchpad).any(|mark| mark.kind == Kind::Section)
    }
}

fn read(text: &str, whole: bool) -> Signals {
    let found = marks::of(text);
    let mut signals = Signals::default();
    let mut scratchpads = Vec::new();
    for (mark, block) in found.blocks(text.len()) {
        let body = text.get(mark.body..block.end).unwrap_or_default().trim();
        if block.end == text.len() && !whole {
            signals.malformed.push(Malformed::CutOff);
        } else if mark.kind == Kind::Scratchpad {
            signals.take_scratchpad(body);
            if found.is_divided(block.end) {
                signals.malformed.push(Malformed::DividedScratchpad);
            }
        } else {
            signals.take_state(body);
        }
        if mark.kind == Kind::Scratchpad {
            scratchpads.push(block);
        }
    }
    let is_part = |mark: &Mark| scratchpads.iter().any(|block| block.contains(&mark.start));
    for (index, mark) in found.marks.iter().enumerate() {
        let reason = match (mark.kind, mark.form) {
            (Kind::Scratchpad, Form::Decorated) if signals.scratchpad.is_none() => Malformed::Decorated,
            (Kind::Scratchpad, Form::Fenced) if signals.scratchpad.is_none() && !is_part(mark) => {
                Malformed::FencedScratchpad
            }
            (Kind::State, form) if form != Form::Plain && signals.state.is_none() => {
                if form == Form::Fenced && is_part(mark) {
                    continue;
                }
                let end = found.later(index).first().map_or(text.len(), |mark| mark.start);
                let body = text.get(mark.body..end).unwrap_or_default();
                match (State::parse(body), mark.form) {
                    (None, _) => continue,
                    (Some(_), Form::Fenced) => Malformed::FencedState,
                    (Some(_), _) => Malformed::DecoratedState,
                }
            }
            _ => continue,
        };
        if !signals.malformed.contains(&reason) {
            signals.malformed.push(reason);
        }
    }
    if found.unclosed {
        signals.malformed.push(Malformed::UnclosedFence);
    }
    signals
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
