//! What a sub-agent does, for its user and for the output of its call, and what it used.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use throughline_agent::{Event, EventSink};
use throughline_conversation::{ModelUse, Origin, Record, RecordBody, ToolCall, Usage};
use throughline_ledger::subject;
use throughline_text::headline;
use throughline_tools::OutputSink;

use super::sub_agent::SubAgent;
use super::user::AgentUser;
use crate::user::User as _;

/// Characters of a line about a call.
const MAX_LINE: usize = 100;

/// Calls that are named of a sub-agent that did not end its task.
const LAST_CALLS: usize = 10;

/// Receives the events of one sub-agent.
#[derive(Debug)]
pub(super) struct AgentEvents {
    user: AgentUser,
    output: Option<Arc<dyn OutputSink>>,
    call: String,
    used: Mutex<Used>,
}

#[derive(Debug, Default)]
struct Used {
    model: Option<Origin>,
    by_model: BTreeMap<String, ModelUse>,
    requests: u64,
    calls: u64,
    /// The newest line.
    newest: String,
    /// The text of the newest answer that has one, complete or not.
    said: String,
    /// A request was sent, and its answer has no text yet.
    is_asked: bool,
    /// The last calls.
    last_calls: VecDeque<String>,
}

/// What a sub-agent did before it ended.
#[derive(Debug)]
pub(super) struct AgentDeeds {
    /// The text of its newest answer that has one, complete or not.
    pub(super) said: String,
    /// A line about each of its last calls.
    pub(super) last_calls: Vec<String>,
}

/// What a sub-agent used.
#[derive(Debug, Default)]
pub(super) struct AgentUse {
    pub(super) models: Vec<ModelUse>,
    pub(super) requests: u64,
    pub(super) calls: u64,
}

impl AgentEvents {
    /// Forwards events to the user, and shows lines as the output of this call while it runs.
    pub(super) fn new(user: AgentUser, output: Option<Arc<dyn OutputSink>>, call: &str) -> Self {
        Self { user, output, call: call.to_owned(), used: Mutex::default() }
    }

    /// What the user should know of how its session was opened.
    pub(super) fn notice(&self, text: &str) {
        self.line(text);
        self.user.event(Event::Notice(text.to_owned()), None);
    }

    /// Shows a line.
    pub(super) fn line(&self, text: &str) {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).newest = headline(text, MAX_LINE);
        if let Some(output) = &self.output {
            output.output(&self.call, format!("{}\n", headline(text, MAX_LINE)).as_bytes());
        }
    }

    fn remember_call(&self, line: String) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if used.last_calls.len() == LAST_CALLS {
            used.last_calls.pop_front();
        }
        used.last_calls.push_back(line);
    }

    /// What was used so far.
    pub(super) fn used(&self) -> AgentUse {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        AgentUse {
            models: used.by_model.values().cloned().collect(),
            requests: used.requests,
            calls: used.calls,
        }
    }

    /// The sub-agent; `None` until its session is open.
    pub(super) fn agent(&self) -> Option<&SubAgent> {
        self.user.agent()
    }

    /// Requests and calls so far, and what it does now.
    pub(super) fn progress(&self) -> (u64, u64, String) {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        (used.requests, used.calls, used.newest.clone())
    }

    /// What it did so far.
    pub(super) fn deeds(&self) -> AgentDeeds {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        AgentDeeds { said: used.said.clone(), last_calls: used.last_calls.iter().cloned().collect() }
    }

    fn count(&self, event: &Event) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::TurnStarted { model, .. } => used.model = Some(model.clone()),
            Event::Switched { to, .. } => {
                used.model = to.split_once('/').map(|(provider, name)| Origin::new(provider, name));
            }
            Event::Answered { usage, .. } => used.add_answer(usage.as_ref()),
            Event::Spent(spent) => used.add(spent),
            Event::Sent { .. } | Event::Retrying { .. } | Event::Withdrawn { .. } => used.is_asked = true,
            Event::Text(text) => {
                if std::mem::take(&mut used.is_asked) {
                    used.said.clear();
                }
                used.said.push_str(text);
            }
            Event::ToolStarted { .. } => used.calls += 1,
            _ => {}
        }
    }
}

/// What the requests of a log used.
pub(super) fn used_by(records: &[Record]) -> AgentUse {
    let mut used = Used::default();
    for record in records {
        match &record.body {
            RecordBody::Model(reads) => used.model = Some(Origin::clone(&reads.origin)),
            RecordBody::Receipt(receipt) => {
                let provider = used.model.take().map(|model| model.provider).unwrap_or_default();
                used.model = Some(Origin::new(&provider, &receipt.model));
                used.add_answer(receipt.reported.as_ref());
            }
            RecordBody::Spent(spent) => used.add(spent),
            _ => {}
        }
    }
    AgentUse { models: used.by_model.into_values().collect(), requests: used.requests, calls: used.calls }
}

impl Used {
    fn add_answer(&mut self, usage: Option<&Usage>) {
        self.requests += 1;
        let Some(model) = self.model.clone() else { return };
        self.add(&ModelUse::of_request(model, usage.copied()));
    }

    fn add(&mut self, spent: &ModelUse) {
        let sum = self
            .by_model
            .entry(spent.origin.to_string())
            .or_insert_with(|| ModelUse::of(spent.origin.clone()));
        sum.requests = sum.requests.saturating_add(spent.requests);
        sum.unreported = sum.unreported.saturating_add(spent.unreported);
        sum.usage = sum.usage.plus(spent.usage);
    }
}

impl EventSink for AgentEvents {
    fn emit(&self, event: Event) {
        self.count(&event);
        match &event {
            Event::ToolStarted { call_id, name, input } => {
                let call = ToolCall { id: call_id.clone(), name: name.clone(), input: input.clone() };
                let line = format!("{name} {}", subject(&call));
                self.line(line.trim_end());
                self.remember_call(headline(line.trim_end(), MAX_LINE));
            }
            Event::ToolFinished { name, is_error: true, output, .. } => {
                self.line(&format!("{name} failed: {output}"));
            }
            Event::Compacted(receipt) => {
                self.line(&format!(
                    "compacted: {} to {} tokens",
                    receipt.before_tokens, receipt.after_tokens
                ));
            }
            Event::Notice(text) => self.line(text),
            _ => {}
        }
        self.user.event(event, None);
    }
}
