//! What was seen on the screens of watched programs: compactions, wordings that no pattern knows, and what was done.

use serde::{Deserialize, Serialize};
use throughline_commands::age;
use throughline_config::JsonFile;
use throughline_conversation::Millis;
use throughline_stored::{Storage, now};
use throughline_terminal::{complain, line, table};
use throughline_text::headline;
use throughline_watch::ForeignAgent;

use crate::data_args::DataArgs;

/// Maximum number of events that are stored; the oldest go first.
const STORED: usize = 200;

/// Maximum bytes of a text in the list.
const SHOWN: usize = 100;

/// What has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum EventKind {
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
    const fn shown(self) -> &'static str {
        match self {
            Self::Compaction => "compaction",
            Self::UnknownWording => "unknown wording",
            Self::Stored => "stored",
            Self::ContextTyped => "context typed",
            Self::Failed => "failed",
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct WatchEvent {
    at: Millis,
    agent: Option<String>,
    event: EventKind,
    text: String,
}

/// The file of events in the data folder.
pub(super) struct WatchEvents {
    file: JsonFile,
    /// Why events could not be stored.
    problem: Option<String>,
}

impl WatchEvents {
    pub(super) async fn open(data: &DataArgs) -> anyhow::Result<Self> {
        Ok(Self::of(&Storage::open(data.data_dir.clone()).await?))
    }

    fn of(storage: &Storage) -> Self {
        Self { file: JsonFile::new(storage.folder.root().join("watch-events.json")), problem: None }
    }

    /// Adds an event. While the program runs the terminal is its own, so a failure waits for [`WatchEvents::complain`].
    pub(super) fn add(&mut self, agent: Option<ForeignAgent>, event: EventKind, text: &str) {
        let agent = agent.map(|agent| agent.name().to_owned());
        let event = WatchEvent { at: now(), agent, event, text: text.to_owned() };
        let changed = self.file.change(|events: &mut Vec<WatchEvent>| {
            events.push(event);
            events.drain(..events.len().saturating_sub(STORED));
        });
        if let Err(error) = changed {
            self.problem.get_or_insert(throughline_text::error_chain(&error));
        }
    }

    /// Says why events could not be stored.
    pub(super) fn complain(&self) {
        if let Some(problem) = &self.problem {
            complain(problem);
        }
    }
}

/// Prints the events, the newest last.
pub(super) async fn print(data: &DataArgs) -> anyhow::Result<()> {
    let storage = Storage::open_to_read(data.data_dir.clone()).await?;
    let events: Vec<WatchEvent> = WatchEvents::of(&storage).file.read()?;
    let mut cells = vec![["AGE", "AGENT", "EVENT", "TEXT"].map(str::to_owned).to_vec()];
    cells.extend(events.into_iter().map(|one| {
        let agent = one.agent.unwrap_or_else(|| "-".to_owned());
        vec![
            age(now(), one.at),
            headline(&agent, SHOWN),
            one.event.shown().to_owned(),
            headline(&one.text, SHOWN),
        ]
    }));
    table(&cells).iter().for_each(|text| line(text));
    Ok(())
}
