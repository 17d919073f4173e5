//! What the pins of a session take of its window.

use serde::Serialize;
use throughline_conversation::{ContentBlock, Entry, ExchangeId, Pin, PinnedText, Seq, Span};

use crate::engine::ContextEngine;
use crate::session_change::ChangeError;

/// The pins of a session and their room.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PinReport {
    /// The pins, in the order of their numbers.
    pub pins: Vec<PinFigures>,
    /// Tokens of all that are in the view.
    pub tokens: u64,
    /// Tokens that they may have together.
    pub limit: u64,
}

/// A pin and what it takes of each request. Tokens are calibrated like those of the window.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PinFigures {
    /// Its number.
    pub number: u32,
    /// Its exchange.
    pub exchange: ExchangeId,
    /// Records of its messages.
    pub messages: Vec<Seq>,
    /// Its tokens in each request.
    pub tokens: u64,
    /// How the model sees it.
    pub shown: PinShown,
    /// Its texts.
    pub texts: Vec<String>,
}

/// How the model sees a pin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PinShown {
    /// In the messages themselves: it takes nothing beyond them.
    InPlace,
    /// At least a part of it in a note, because its message is covered or shortened.
    InNote,
    /// Not at all, because its exchange is hidden.
    Hidden,
}

impl ContextEngine {
    /// The pins of the session.
    #[must_use]
    pub fn pins(&self) -> PinReport {
        let groups = self.state.session.view().groups();
        let tokens = |pin: &Pin| self.state.window.meter().from_raw(pin.tokens(self.state.session.counter()));
        let figures = |pin: &Pin| {
            let in_place = || pin.texts.iter().all(|pinned| self.shows_in_place(pinned));
            let shown = match groups.status(pin.exchange).is_hidden() {
                true => PinShown::Hidden,
                false if in_place() => PinShown::InPlace,
                false => PinShown::InNote,
            };
            PinFigures {
                number: pin.number,
                exchange: pin.exchange,
                messages: pin.texts.iter().map(|pinned| pinned.message).collect(),
                tokens: tokens(pin),
                shown,
                texts: pin.texts.iter().map(|pinned| pinned.text.clone()).collect(),
            }
        };
        let pins: Vec<PinFigures> = groups.pins().iter().map(figures).collect();
        let live = pins.iter().filter(|pin| pin.shown != PinShown::Hidden);
        let tokens = live.map(|pin| pin.tokens).fold(0, u64::saturating_add);
        PinReport { tokens, limit: self.state.window.meter().from_raw(self.pin_limit()), pins }
    }

    /// Tokens that all pins together may have, by the session's counter.
    #[must_use]
    pub fn pin_limit(&self) -> u64 {
        let effective = self.state.window.meter().to_raw(self.state.window.limits().effective_window);
        (effective as f64 * self.state.model.settings.pin_share) as u64
    }

    /// An error about pins in the tokens of the window's figures.
    #[must_use]
    pub fn shown_error(&self, error: ChangeError) -> ChangeError {
        let shown = |tokens| self.state.window.meter().from_raw(tokens);
        match error {
            ChangeError::PinsTooLarge { tokens, most } => {
                ChangeError::PinsTooLarge { tokens: shown(tokens), most: shown(most) }
            }
            other => other,
        }
    }

    fn shows_in_place(&self, pinned: &PinnedText) -> bool {
        let own = |entry: &&Entry| entry.span == Span::one(pinned.message) && !entry.is_pinned_note();
        let has = |block: &ContentBlock| {
            PinnedText::of_block(pinned.message, block).is_some_and(|own| own.text.contains(&pinned.text))
        };
        let entry = self.state.session.view().native().iter().find(own);
        entry.is_some_and(|entry| entry.message.content.iter().any(has))
    }
}
