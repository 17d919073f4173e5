//! How far a task is: all that has to be kept between iterations, and across a restart.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use throughline_conversation::Millis;

use crate::checklist::{Item, ItemStatus};
use crate::file::TaskFile;
use crate::gate::GateEnd;
use crate::reason::Reason;

/// How far a task is. As JSON it has a few hundred bytes and grows with the checklist alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// The task's title.
    pub title: String,
    /// Number of the newest iteration; 0 before the first.
    pub iteration: u64,
    /// The model has answered in the newest iteration. One without an answer is asked again and is not used up.
    #[serde(default = "answered")]
    pub answered: bool,
    /// What the message of the newest iteration says about the turn before, until it is answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub feedback: Vec<String>,
    /// The hat that is worn.
    pub hat: String,
    /// The hat whose prompt the model has answered to last; empty before the first.
    #[serde(default, alias = "hat_told")]
    pub hat_shown: String,
    /// The checklist.
    pub items: Vec<Item>,
    /// How the gates ended when they ran last; empty before that.
    #[serde(default)]
    pub gates: Vec<GateSeen>,
    /// When the task was begun.
    pub started: Millis,
    /// Time of work in milliseconds, up to `seen`.
    pub spent_ms: u64,
    /// When the time was taken last. The time between a stop and the next start is not work.
    pub seen: Millis,
    /// What went wrong, several times in a row.
    #[serde(default)]
    pub failures: Failures,
    /// The model says that the task is done, and the gates have not contradicted.
    #[serde(default)]
    pub claims_done: bool,
    /// The context was compacted since the model last answered to the task: the next message repeats it.
    #[serde(default)]
    pub goal_hidden: bool,
    /// Why it ended, when it has.
    #[serde(default)]
    pub finished: Option<Reason>,
}

/// How a gate ended when it ran last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateSeen {
    /// Name of the gate.
    pub name: String,
    /// How it ended.
    pub end: GateEnd,
}

/// What went wrong, several times in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Failures {
    /// Iterations with a signal that could not be read.
    pub malformed: u32,
    /// Iterations in which nothing happened.
    pub idle: u32,
    /// Runs of the gates that did not pass.
    pub gates: u32,
}

/// Progress that was stored by an earlier version has counted each iteration that was asked.
fn answered() -> bool {
    true
}

impl Progress {
    /// A task that is about to begin.
    #[must_use]
    pub fn new(file: &TaskFile, now: Millis) -> Self {
        Self {
            title: file.title.clone(),
            iteration: 0,
            answered: true,
            feedback: Vec::new(),
            hat: file.hats.first().map(|hat| hat.name.clone()).unwrap_or_default(),
            hat_shown: String::new(),
            items: file.items.clone(),
            gates: Vec::new(),
            started: now,
            spent_ms: 0,
            seen: now,
            failures: Failures::default(),
            claims_done: false,
            goal_hidden: false,
            finished: None,
        }
    }

    /// Number of iterations in which the model has answered.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iteration.saturating_sub(u64::from(!self.answered))
    }

    /// Takes what the newest iteration has: an answer, in part at least. `compacted`: the context was compacted since it began.
    pub fn note_answer(&mut self, compacted: bool) {
        self.answered = true;
        self.feedback.clear();
        self.hat_shown.clone_from(&self.hat);
        self.goal_hidden = compacted;
    }

    /// Texts of the items that are completed.
    pub fn completed(&self) -> impl Iterator<Item = &str> {
        let done = self.items.iter().filter(|item| item.status == ItemStatus::Completed);
        done.map(|item| item.text.as_str())
    }

    /// Texts of all other items, those that are blocked included.
    pub fn remaining(&self) -> impl Iterator<Item = &str> {
        let left = self.items.iter().filter(|item| item.status != ItemStatus::Completed);
        left.map(|item| item.text.as_str())
    }

    /// Time of work that is left.
    #[must_use]
    pub fn time_left(&self, file: &TaskFile) -> Duration {
        file.max_time.saturating_sub(Duration::from_millis(self.spent_ms))
    }

    /// Takes the time.
    pub(crate) fn tick(&mut self, now: Millis) {
        let passed = u64::try_from(now.0.saturating_sub(self.seen.0)).unwrap_or(0);
        self.spent_ms = self.spent_ms.saturating_add(passed);
        self.seen = now;
    }

    /// Begins to work again, maybe on a file that has been changed since. An item that the file still has keeps its
    /// status, unless the file has ticked it.
    pub(crate) fn reopen(&mut self, file: &TaskFile, now: Millis) {
        self.seen = now;
        self.finished = None;
        // Somebody has looked at it since.
        self.failures = Failures::default();
        self.title.clone_from(&file.title);
        let before = std::mem::take(&mut self.items);
        let status_of = |item: &Item| {
            let known = before.iter().find(|known| known.text == item.text);
            known
                .filter(|_| item.status == ItemStatus::Pending)
                .map_or(&item.status, |known| &known.status)
                .clone()
        };
        let items = file.items.iter();
        self.items = items.map(|item| Item { text: item.text.clone(), status: status_of(item) }).collect();
        for item in &mut self.items {
            // What was in the way then may be gone.
            if matches!(item.status, ItemStatus::Blocked(_)) {
                item.status = ItemStatus::Pending;
            }
        }
        if file.hat(&self.hat).is_none() {
            self.hat = file.hats.first().map(|hat| hat.name.clone()).unwrap_or_default();
        }
    }
}
