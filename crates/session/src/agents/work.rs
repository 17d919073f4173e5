//! What a session has in the background, as its agent asks for it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use throughline_agent::{BackgroundWork, EndedWork};
use throughline_conversation::Entry;
use throughline_text::first_chars;
use throughline_tools::{JobInfo, Jobs};

use super::background::BackgroundAgents;
use super::lost_jobs::{ended_mark, lost_jobs};

/// Commands and sub-agents in the background.
#[derive(Debug)]
pub(crate) struct SessionWork {
    pub(crate) jobs: Jobs,
    pub(crate) agents: BackgroundAgents,
    /// Sub-agents do not outlive a turn: there is no person who continues the session.
    pub(crate) ends_with_turn: bool,
    /// What has changed since the last run of the session, such as the ends of its commands, and the model does not know.
    unknown: Mutex<Vec<EndedWork>>,
}

impl SessionWork {
    pub(crate) fn new(jobs: Jobs, agents: BackgroundAgents, ends_with_turn: bool) -> Self {
        Self { jobs, agents, ends_with_turn, unknown: Mutex::default() }
    }

    /// Adds the commands that the messages say run in the background. The model learns with its next request that they do not, or not
    /// here. Returns sentences for the user.
    pub(crate) fn add_lost(&self, entries: &[Entry], how: &str) -> Vec<String> {
        let (open, last) = lost_jobs(entries);
        self.jobs.continue_after(last);
        let mut notices = Vec::new();
        for (number, command) in open {
            let text = format!("{}{how}): {command}\nIts output can no longer be read.", ended_mark(number));
            self.add_note(text);
            let command = first_chars(command.trim(), SHOWN);
            notices
                .push(format!("job {number} ({command}) {how}; the model learns it with your next message"));
        }
        notices
    }

    /// Adds a text that the model reads with its next request.
    pub(crate) fn add_note(&self, text: String) {
        self.unknown().push(EndedWork { tool: "shell", text, used: Vec::new() });
    }

    fn unknown(&self) -> MutexGuard<'_, Vec<EndedWork>> {
        self.unknown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Characters of a command that a notice shows.
const SHOWN: usize = 80;

#[async_trait]
impl BackgroundWork for SessionWork {
    async fn take_ended(&self) -> Vec<EndedWork> {
        let unknown = std::mem::take(&mut *self.unknown());
        let jobs = self.jobs.take_unknown_ends();
        unknown.into_iter().chain(jobs.iter().map(ended_job)).chain(self.agents.take_unknown_ends()).collect()
    }

    async fn settle(&self) -> bool {
        self.ends_with_turn && self.agents.settle().await
    }
}

fn ended_job(job: &JobInfo) -> EndedWork {
    let ending = job.ending.as_deref().unwrap_or("unknown");
    let text = format!(
        "{}{ending}): {}\nshell_output shows the rest of its output.",
        ended_mark(job.number),
        job.command
    );
    EndedWork { tool: "shell", text, used: Vec::new() }
}
