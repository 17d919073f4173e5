//! What a row of the table says, and what many rows have in common.

/// What a crate may use of one kind.
#[derive(Debug, Clone, Copy)]
pub(super) enum Allowed {
    /// No limit but the reserved crates.
    Any,
    /// Exactly the crates of these lists.
    Only(&'static [&'static [&'static str]]),
}

impl Allowed {
    /// Returns true if the name is in one of the lists.
    pub(super) fn contains(self, name: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Only(lists) => lists.iter().any(|list| list.contains(&name)),
        }
    }
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// The crate's folder, which is its package name without the prefix.
    pub(super) name: &'static str,
    /// Crates of this workspace, by folder.
    pub(super) workspace: Allowed,
    /// Crates from elsewhere.
    pub(super) outside: Allowed,
    /// The reason for the row; a violation prints it.
    pub(super) because: &'static str,
}

/// Values, errors and ports need no more than this, and stay quick to build and to test.
pub(super) const INSIDE: &[&str] = &[
    "serde",
    "serde_json",
    "thiserror",
    "async-trait",
    "futures-core",
    "futures-util",
    "tracing",
    "mockall",
];

/// Messages, requests, and plain functions on text.
pub(super) const WORDS: &[&str] = &["conversation", "completion", "text"];

/// What the rows of the inner crates may all use: the messages, and plain functions on text.
pub(super) const VALUES: &[&str] = &["conversation", "text"];

/// The crates that ship an in-memory store.
const FAKES: &[&str] = &["conversation", "text", "failpoint"];

/// Settings, models, open sessions and stored ones: what every program is made of.
pub(super) const SESSIONS: &[&str] = &["config", "connect", "session", "stored"];

/// The crates that each decide one thing.
pub(super) const SUBSYSTEMS: &[&str] = &[
    "prompt",
    "budget",
    "compaction",
    "resultstore",
    "deferral",
    "continuity",
    "documents",
    "groups",
    "history",
    "memory",
    "tools",
];

/// A subsystem: it speaks in words of `conversation` and knows no other crate.
pub(super) const fn subsystem(name: &'static str) -> Rule {
    Rule {
        name,
        workspace: Allowed::Only(&[VALUES]),
        outside: Allowed::Only(&[INSIDE]),
        because: "a subsystem decides one thing over the words: no sibling, no runtime, no technology",
    }
}

/// A subsystem that also tells what was done.
pub(super) const fn teller(name: &'static str) -> Rule {
    Rule { workspace: Allowed::Only(&[VALUES, &["ledger"]]), ..subsystem(name) }
}

/// A subsystem whose in-memory store fails on demand.
pub(super) const fn faking(name: &'static str) -> Rule {
    Rule { workspace: Allowed::Only(&[FAKES]), ..subsystem(name) }
}
