//! Groups: exchanges that a person takes out of the view and brings back, and how many of them are shown.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ids::{ExchangeId, Seq};

/// What became of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupStatus {
    /// It is in the view, or in a summary there.
    #[default]
    Live,
    /// It is taken back, with all that it did to the session's documents. No search finds it.
    Undone,
    /// It is hidden from the view as noise; what it did stays.
    Dropped,
    /// Its content was deleted for good.
    Removed,
}

impl GroupStatus {
    /// Whether the exchange is left out of the view.
    #[must_use]
    pub fn is_hidden(self) -> bool {
        self != Self::Live
    }

    /// Whether what the exchange did to the session's documents does not count any more.
    #[must_use]
    pub fn is_taken_back(self) -> bool {
        matches!(self, Self::Undone | Self::Removed)
    }

    /// The status in a word.
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

/// A decision about what is shown that reaches back in the log. Nothing is changed there: the view is made anew.
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
    /// A compaction is taken back, or counts again.
    Compaction {
        /// The record that holds its edit.
        edit: Seq,
        /// Whether it is taken back.
        undone: bool,
    },
    /// From here on only the newest groups are shown.
    Window {
        /// How many. `None`: all.
        groups: Option<u32>,
    },
}

/// Which groups of a session are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Groups {
    /// All exchanges that are not live.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    hidden: BTreeMap<ExchangeId, GroupStatus>,
    /// How many of the newest are shown; `None`: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    window: Option<u32>,
}

impl Groups {
    /// What marks add up to, in order.
    #[must_use]
    pub fn from_marks<'m>(marks: impl IntoIterator<Item = &'m Mark>) -> Self {
        let mut groups = Self::default();
        marks.into_iter().for_each(|mark| groups.set(mark));
        groups
    }

    /// What became of an exchange.
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

    /// How many of the newest groups are shown in full; `None`: all.
    #[must_use]
    pub fn window(&self) -> Option<u32> {
        self.window
    }

    /// All exchanges that are not live, oldest first.
    pub fn hidden(&self) -> impl Iterator<Item = (ExchangeId, GroupStatus)> + '_ {
        self.hidden.iter().map(|(exchange, status)| (*exchange, *status))
    }

    /// Whether nothing was ever hidden and there is no window.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// The oldest group that the window shows when `newest` is the newest exchange; `None`: there is no window, and all
    /// are shown.
    #[must_use]
    pub fn oldest_shown(&self, newest: ExchangeId) -> Option<ExchangeId> {
        let most = self.window?;
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
            Mark::Compaction { .. } => {}
        }
    }
}
