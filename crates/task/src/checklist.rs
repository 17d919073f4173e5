//! The checklist: what is to be done, and how far each item is.

use serde::{Deserialize, Serialize};

/// One item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// What is to be done, in one line.
    pub text: String,
    /// How far it is.
    pub status: ItemStatus,
}

/// How far an item is. Only `completed` items are done; all others are left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemStatus {
    /// Not begun.
    Pending,
    /// It is being worked on.
    InProgress,
    /// It is done.
    Completed,
    /// It is blocked, for this reason.
    Blocked(String),
}

impl ItemStatus {
    /// The name in files and in signals.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Blocked(_) => "blocked",
        }
    }
}

impl Item {
    /// An item that is not begun.
    #[must_use]
    pub fn pending(text: impl Into<String>) -> Self {
        Self { text: text.into(), status: ItemStatus::Pending }
    }

    /// Returns true if it can be worked on.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.status, ItemStatus::Pending | ItemStatus::InProgress)
    }

    /// The item as a line of the list, with the number by which the model names it.
    pub(crate) fn line(&self, number: usize) -> String {
        let Self { text, status } = self;
        match status {
            ItemStatus::Pending => format!("{number}. [ ] {text}"),
            ItemStatus::InProgress => format!("{number}. [ ] {text} (in progress)"),
            ItemStatus::Completed => format!("{number}. [x] {text}"),
            ItemStatus::Blocked(why) => format!("{number}. [ ] {text} (blocked: {why})"),
        }
    }
}
