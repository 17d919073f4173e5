//! Groups: exchanges that a user hides from the view and restores, and how many of them are shown.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::dropped_item::DroppedItem;
use crate::ids::{ExchangeId, Seq};
use crate::pin::{Pin, PinnedText};

/// The status of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupStatus {
    /// It is in the view, or in a summary there.
    #[default]
    Live,
    /// It is undone, with its changes of the session's documents. Searches do not find it.
    Undone,
    /// It is hidden from the view as noise; its changes stay.
    Dropped,
    /// Its content was deleted permanently.
    Removed,
}

impl GroupStatus {
    /// Returns true if the exchange is left out of the view.
    #[must_use]
    pub fn is_hidden(self) -> bool {
        self != Self::Live
    }

    /// Returns true if the exchange's changes of the session's documents are reverted.
    #[must_use]
    pub fn reverts_documents(self) -> bool {
        matches!(self, Self::Undone | Self::Removed)
    }

    /// The status as a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Undone => "undone",
            Self::Dropped => "dropped",
            Self::Removed => "removed",
        }
    }
}

/// A decision that changes how earlier records are shown. The records are unchanged; the view is projected again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mark", rename_all = "snake_case")]
pub enum Mark {
    /// An exchange has another status from here on.
    Group {
        /// The exchange.
        exchange: ExchangeId,
        /// What it is now.
        status: GroupStatus,
    },
    /// A compaction is undone or restored.
    Compaction {
        /// The record that holds its edit.
        edit: Seq,
        /// Whether it is undone.
        undone: bool,
    },
    /// From here on only the newest groups are shown.
    Window {
        /// How many; `None` for all.
        groups: Option<u32>,
    },
    /// Texts are pinned.
    Pin(Pin),
    /// One item of a message is dropped, or shown again.
    Item(DroppedItem),
    /// A pin is removed.
    Unpin {
        /// Its number.
        number: u32,
    },
}

/// Which groups of a session are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Groups {
    /// All exchanges that are not live.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    hidden: BTreeMap<ExchangeId, GroupStatus>,
    /// How many of the newest are shown; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    window: Option<u32>,
    /// The pins, in the order of their numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pins: Vec<Pin>,
}

impl Groups {
    /// Applies marks in order.
    #[must_use]
    pub fn from_marks<'m>(marks: impl IntoIterator<Item = &'m Mark>) -> Self {
        let mut groups = Self::default();
        marks.into_iter().for_each(|mark| groups.set(mark));
        groups
    }

    /// The status of an exchange.
    #[must_use]
    pub fn status(&self, exchange: ExchangeId) -> GroupStatus {
        self.hidden.get(&exchange).copied().unwrap_or_default()
    }

    /// The group that records after the newest exchange belong to: that exchange, or the next one if it is hidden.
    /// Records written into a hidden group would be hidden with it.
    #[must_use]
    pub fn open_group(&self, newest: ExchangeId) -> ExchangeId {
        if self.status(newest).is_hidden() { newest.next() } else { newest }
    }

    /// How many of the newest groups are shown in full; `None` for all, as a mark with 0 says, too.
    #[must_use]
    pub fn window(&self) -> Option<u32> {
        self.window.filter(|most| *most > 0)
    }

    /// All exchanges that are not live, oldest first.
    pub fn hidden(&self) -> impl Iterator<Item = (ExchangeId, GroupStatus)> + '_ {
        self.hidden.iter().map(|(exchange, status)| (*exchange, *status))
    }

    /// The pins, those of hidden exchanges included.
    #[must_use]
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// The pinned texts of exchanges that are not hidden.
    pub fn pinned_texts(&self) -> impl Iterator<Item = &PinnedText> {
        let live = self.pins.iter().filter(|pin| !self.status(pin.exchange).is_hidden());
        live.flat_map(|pin| &pin.texts)
    }

    /// The exchange of a pinned text; 0 if there is no such pin.
    pub(crate) fn exchange_of(&self, pinned: &PinnedText) -> ExchangeId {
        let has = |pin: &&Pin| pin.texts.iter().any(|one| one.message == pinned.message);
        self.pins.iter().find(has).map_or(ExchangeId(0), |pin| pin.exchange)
    }

    /// Returns true if a whole text of a message is pinned.
    pub(crate) fn pins_whole(&self, message: Seq, text: &str) -> bool {
        self.pinned_texts().any(|pinned| pinned.message == message && pinned.text == text)
    }

    /// Returns true if no exchange is hidden, nothing is pinned and there is no window.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// The oldest group that the window shows when `newest` is the newest exchange; `None` without a window, when all
    /// are shown.
    #[must_use]
    pub fn oldest_shown(&self, newest: ExchangeId) -> Option<ExchangeId> {
        let most = self.window()?;
        let live = (1..=newest.0).rev().map(ExchangeId).filter(|group| !self.status(*group).is_hidden());
        Some(live.take(most as usize).last().unwrap_or(newest))
    }

    pub(crate) fn set(&mut self, mark: &Mark) {
        match mark {
            Mark::Group { exchange, status: GroupStatus::Live } => {
                self.hidden.remove(exchange);
            }
            Mark::Group { exchange, status } => {
                self.hidden.insert(*exchange, *status);
            }
            Mark::Window { groups } => self.window = *groups,
            Mark::Compaction { .. } | Mark::Item(_) => {}
            Mark::Pin(pin) => self.pins.push(pin.clone()),
            Mark::Unpin { number } => self.pins.retain(|pin| pin.number != *number),
        }
    }
}
