//! What was seen on the screens of watched programs: compactions, wordings that no pattern knows, and what was done.

use serde::{Deserialize, Serialize};
use throughline_config::JsonFile;
use throughline_conversation::Millis;
use throughline_stored::{Result, Storage, now};
use throughline_text::error_chain;

use crate::agent::ForeignAgent;

/// Maximum events that are stored; the oldest go first.
const STORED: usize = 200;

/// What has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// A pattern came into view. The text is the pattern.
    Compaction,
    /// A line that may tell of a compaction in another wording. The text is the line.
    UnknownWording,
    /// The transcript was stored. The text is the session.
    Stored,
    /// A context was typed.
    ContextTyped,
    /// The transcript could not be stored, or a model's summary not be used. The text says why.
    Failed,
}

impl EventKind {
    /// The words for a person.
    #[must_use]
    pub const fn shown(self) -> &'static str {
        match self {
            Self::Compaction => "compaction",
            Self::UnknownWording => "unknown wording",
            Self::Stored => "stored",
            Self::ContextTyped => "context typed",
            Self::Failed => "failed",
        }
    }
}

/// An event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchEvent {
    /// When.
    pub at: Millis,
    /// The agent, where it is known.
    pub agent: Option<String>,
    /// What has happened.
    pub event: EventKind,
    /// More about it; see [`EventKind`].
    pub text: String,
}

/// The file of events in the data folder.
#[derive(Debug)]
pub struct WatchEvents {
    file: JsonFile,
    /// Why events could not be stored.
    problem: Option<String>,
}

impl WatchEvents {
    /// The file in a data folder. It need not exist.
    #[must_use]
    pub fn of(storage: &Storage) -> Self {
        Self { file: JsonFile::new(storage.folder.root().join("watch-events.json")), problem: None }
    }

    /// The events, the newest last.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(&self) -> Result<Vec<WatchEvent>> {
        Ok(self.file.read()?)
    }

    /// Adds an event. A failure is no error of the program that is watched: see [`WatchEvents::problem`].
    pub fn add(&mut self, agent: Option<ForeignAgent>, event: EventKind, text: &str) {
        let agent = agent.map(|agent| agent.name().to_owned());
        let event = WatchEvent { at: now(), agent, event, text: text.to_owned() };
        let changed = self.file.change(|events: &mut Vec<WatchEvent>| {
            events.push(event);
            events.drain(..events.len().saturating_sub(STORED));
        });
        if let Err(error) = changed {
            self.problem.get_or_insert(error_chain(&error));
        }
    }

    /// Why events could not be stored.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }
}
