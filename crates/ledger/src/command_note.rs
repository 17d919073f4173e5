//! A command that was run, and how it ended the last time.

use serde::{Deserialize, Serialize};

/// A command that was run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandNote {
    /// The command line, as one bounded line.
    pub command: String,
    /// Its last exit code, if a result has it.
    pub exit: Option<i64>,
    /// Whether the tool reported an error the last time.
    pub failed: bool,
}

const MARK: &str = " → ";

impl CommandNote {
    /// Returns true if its last run failed.
    #[must_use]
    pub fn is_failing(&self) -> bool {
        self.failed || self.exit.is_some_and(|code| code != 0)
    }

    pub(crate) fn line(&self) -> String {
        match (self.exit, self.failed) {
            (Some(code), _) => format!("{}{MARK}exit {code}", self.command),
            (None, true) => format!("{}{MARK}failed", self.command),
            (None, false) => self.command.clone(),
        }
    }

    /// Reads such a line.
    pub(crate) fn parse(line: &str) -> Self {
        let ended = line.rsplit_once(MARK).and_then(|(command, end)| {
            let command = command.to_owned();
            match end.strip_prefix("exit ") {
                Some(code) => Some(Self { command, exit: Some(code.parse().ok()?), failed: false }),
                None => (end == "failed").then_some(Self { command, exit: None, failed: true }),
            }
        });
        ended.unwrap_or_else(|| Self { command: line.to_owned(), exit: None, failed: false })
    }
}

#[cfg(test)]
mod tests;
