//! Errors of changes to groups.

use throughline_conversation::{ExchangeId, GroupStatus};

/// Why a group, or a compaction, cannot be changed as asked. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GroupError {
    /// There is no such group.
    #[error("there is no turn {asked}; {}", known(*.newest))]
    Unknown {
        /// The number asked for.
        asked: ExchangeId,
        /// The newest group; 0: no group.
        newest: ExchangeId,
    },
    /// The group is already what it should become, or cannot become it.
    #[error("turn {exchange} is {}; {hint}", .status.name())]
    Is {
        /// The group.
        exchange: ExchangeId,
        /// What it is.
        status: GroupStatus,
        /// What may be done instead.
        hint: &'static str,
    },
    /// A pin cannot be made of it.
    #[error("nothing to pin: {0}")]
    NothingToPin(String),
    /// An item cannot be dropped or restored.
    #[error("nothing changed: {0}")]
    Item(String),
    /// The text is pinned already.
    #[error("pin {0} has this text already")]
    Pinned(u32),
    /// There is no such pin.
    #[error("there is no pin {asked}; {}", if .pins.is_empty() { "nothing is pinned".to_owned() } else { format!("there are: {}", .pins.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")) })]
    NoPin {
        /// The number asked for.
        asked: u32,
        /// The numbers of all pins.
        pins: Vec<u32>,
    },
    /// There is nothing left that could be undone.
    #[error("there is no {0} to undo")]
    NothingToUndo(&'static str),
    /// Nothing was undone, or something was done since.
    #[error("there is no {what} to redo{}", .since.as_deref().unwrap_or_default())]
    NothingToRedo {
        /// A turn or a compaction.
        what: &'static str,
        /// What was done since, as the end of the sentence.
        since: Option<String>,
    },
}

fn known(newest: ExchangeId) -> String {
    if newest.0 == 0 {
        "the session has none yet".to_owned()
    } else {
        format!("the session has turns 1 to {newest}")
    }
}
