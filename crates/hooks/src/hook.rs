//! One command and when it runs.

use std::time::Duration;

use crate::event::HookEvent;
use crate::matcher::Matcher;

/// Who wrote a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookOrigin {
    /// The user, for all projects.
    User,
    /// A project that the user trusts.
    Project,
}

/// A command that runs at an event.
#[derive(Debug, Clone)]
pub struct Hook {
    /// When it runs.
    pub event: HookEvent,
    /// The command line.
    pub command: String,
    /// It is ended after this time.
    pub timeout: Duration,
    /// The file that it is from.
    pub place: String,
    /// Who wrote it.
    pub origin: HookOrigin,
    pub(crate) matcher: Matcher,
}

impl Hook {
    /// The time of a hook that names none.
    pub const TIMEOUT: Duration = Duration::from_secs(60);

    /// What it matches, as written; empty: everything.
    #[must_use]
    pub fn matcher(&self) -> &str {
        self.matcher.text()
    }
}
