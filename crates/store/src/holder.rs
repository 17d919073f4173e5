//! Who holds a session's lock, as the lock file tells it.

use std::fmt;

use throughline_conversation::Millis;

/// The process that has a session open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// Its process id. The kernel holds the lock, so a number that was given to another process does no harm.
    pub pid: u32,
    /// Since when, by the host's clock.
    pub since: Millis,
    /// Name of its program, without arguments: they may hold a prompt.
    pub program: String,
}

impl Holder {
    /// The text of the lock file.
    pub(crate) fn to_text(&self) -> String {
        format!("pid {}\nsince {}\nprogram {}\n", self.pid, self.since.0, self.program)
    }

    /// Reads the text of a lock file; `None` when it is not whole.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let pid = lines.next()?.strip_prefix("pid ")?.parse().ok()?;
        let since = Millis(lines.next()?.strip_prefix("since ")?.parse().ok()?);
        let program = lines.next()?.strip_prefix("program ")?.to_owned();
        Some(Self { pid, since, program })
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, process {}, since {}", self.program, self.pid, self.since.utc())
    }
}
