//! What became of the compactions of a session: a file next to the database, for `watch --status`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use throughline_config::JsonFile;
use throughline_conversation::{Millis, SessionId};
use throughline_stored::{SideFile, now};
use throughline_text::error_chain;

use super::stored_view::{CompactedTo, MadeView};
use crate::asked_compaction::AskedCompaction;
use crate::failure::Result;

/// How long after a compaction the event that follows it may come.
const FOLLOWS: i64 = 60_000;

/// How long a compaction may take.
const TAKES: i64 = 900_000;

/// How long our module waits for an answer.
const WAIT: Duration = Duration::from_secs(2);

/// What is wrong with a compaction whose answer the module did not get.
const UNANSWERED: &str = "no answer in time";

/// What begins a compaction for which its user has not asked.
const AUTOMATIC: &str = "auto";

/// Maximum number of compactions that are noted; the oldest go first.
const NOTED: usize = 1_000;

/// What is noted of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CompactorNotes {
    /// When the module was loaded last. `None`: never.
    pub loaded: Option<Millis>,
    /// The compactions that the module has asked about, oldest first.
    pub compactions: Vec<NotedCompaction>,
    /// What has begun the newest compaction that a hook has heard of, and when.
    #[serde(skip_serializing_if = "Option::is_none")]
    begun: Option<(Millis, String)>,
    /// How far conversations were compacted: that of the session under the empty name, those of subagents under their ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    compacted: BTreeMap<String, CompactedTo>,
}

/// A compaction that the module has asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedCompaction {
    /// When.
    pub at: Millis,
    /// What began it.
    pub trigger: String,
    /// The subagent whose conversation it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Milliseconds until it was answered.
    pub took: u64,
    /// The whole transcript was read for it, and not only what is new since the compaction before.
    #[serde(default)]
    pub whole: bool,
    /// Why Claude Code had to compact by itself. `None`: it has our view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The event that follows a compaction is still to come.
    #[serde(default)]
    is_open: bool,
}

impl CompactorNotes {
    /// Those of a session. Without a file, nothing is noted.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(data: &Path, session: &SessionId) -> Result<Self> {
        Ok(file(data, session).read().map_err(throughline_stored::Error::from)?)
    }

    /// Returns true if Claude Code itself has begun the newest compaction, a moment ago, and not its user.
    pub(crate) fn is_automatic(&self) -> bool {
        self.begun.as_ref().is_some_and(|(at, trigger)| trigger == AUTOMATIC && at.0 >= now().0 - TAKES)
    }

    /// How far the conversation of this subagent, or that of the session itself, was compacted.
    pub(crate) fn compacted(&self, agent: Option<&str>) -> Option<&CompactedTo> {
        self.compacted.get(agent.unwrap_or_default())
    }
}

impl NotedCompaction {
    /// One that has no answer yet.
    pub(crate) fn asked(asked: &AskedCompaction) -> Self {
        Self {
            at: now(),
            trigger: asked.trigger.clone(),
            agent: asked.agent().map(str::to_owned),
            took: 0,
            whole: false,
            problem: Some(UNANSWERED.to_owned()),
            is_open: false,
        }
    }

    /// It was answered, or failed.
    pub(crate) fn answer(&mut self, made: &Result<MadeView>, took: Duration) {
        let is_late = took >= WAIT;
        self.took = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        self.whole = made.as_ref().is_ok_and(|made| made.is_whole);
        self.problem = match made {
            Err(error) => Some(error_chain(error)),
            Ok(_) => is_late.then(|| UNANSWERED.to_owned()),
        };
        self.is_open = made.is_ok() && !is_late;
    }
}

fn file(data: &Path, session: &SessionId) -> JsonFile {
    SideFile::Compactor.of(data, session)
}

fn change(data: &Path, session: &SessionId, by: impl FnOnce(&mut CompactorNotes)) -> Result<()> {
    Ok(file(data, session).change(by).map_err(throughline_stored::Error::from)?)
}

/// Notes a compaction, and how far it has come; the note that it was asked about is replaced. `None`: it failed, or the next one has to
/// read everything.
pub(crate) fn note(
    data: &Path,
    session: &SessionId,
    noted: NotedCompaction,
    to: Option<CompactedTo>,
) -> Result<()> {
    change(data, session, |notes| {
        notes.compacted.extend(to.map(|to| (noted.agent.clone().unwrap_or_default(), to)));
        let is_asked = |one: &NotedCompaction| {
            (one.at, &one.agent, one.took) == (noted.at, &noted.agent, 0) && one.problem.is_some()
        };
        match notes.compactions.iter().rposition(is_asked).and_then(|at| notes.compactions.get_mut(at)) {
            Some(asked) => *asked = noted,
            None => notes.compactions.push(noted),
        }
        notes.compactions.drain(..notes.compactions.len().saturating_sub(NOTED));
    })
}

/// Notes what begins a compaction.
pub(crate) fn note_begun(data: &Path, session: &SessionId, trigger: &str) -> Result<()> {
    change(data, session, |notes| notes.begun = Some((now(), trigger.to_owned())))
}

/// Notes that the module was loaded.
pub(crate) fn note_loaded(data: &Path, session: &SessionId) -> Result<()> {
    change(data, session, |notes| notes.loaded = Some(now()))
}

/// Returns true if the compaction that has just been made is ours, also one of a subagent: the agent has its context already. It
/// counts once.
pub(crate) fn take_own(data: &Path, session: &SessionId) -> Result<bool> {
    let begun = now().0 - FOLLOWS;
    let is_open =
        |notes: &CompactorNotes| notes.compactions.iter().any(|noted| noted.is_open && noted.at.0 >= begun);
    if !is_open(&CompactorNotes::read(data, session)?) {
        return Ok(false);
    }
    change(data, session, |notes| notes.compactions.iter_mut().for_each(|noted| noted.is_open = false))?;
    Ok(true)
}
