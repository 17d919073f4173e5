//! A sub-agent in the background.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use throughline_agent::{EndedWork, Event};
use throughline_conversation::{ModelUse, SessionId};
use throughline_stored::AGENT_TOOL;
use throughline_text::{counted, headline};
use throughline_tools::{CancelFlag, ToolOutput};
use tokio::sync::Notify;

use super::events::AgentEvents;
use crate::user::User;

/// A sub-agent in the background, as a person sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackgroundAgentInfo {
    /// Its number, from 1.
    pub number: u64,
    /// Its kind.
    pub kind: String,
    /// Its task in a few words.
    pub title: String,
    /// Its session; `None` until it is open.
    pub session: Option<SessionId>,
    /// How long it has worked.
    pub age: Duration,
    /// How it ended; `None` while it works.
    pub ending: Option<&'static str>,
    /// What it did last.
    pub newest: String,
}

/// A sub-agent in the background.
#[derive(Debug)]
pub(super) struct BackgroundAgent {
    kind: String,
    title: String,
    /// The call that started it.
    pub(super) call: String,
    pub(super) cancel: CancelFlag,
    events: Option<Arc<AgentEvents>>,
    begun: Instant,
    state: Mutex<AgentState>,
    ended: Notify,
}

#[derive(Debug, Default)]
struct AgentState {
    /// Its session, of one that ended with an earlier process.
    session: Option<SessionId>,
    /// `None` while it works.
    report: Option<AgentReport>,
    /// What it used, until the session has recorded it.
    used: Vec<ModelUse>,
    /// How long it worked, once it has ended.
    lasted: Option<Duration>,
    /// Who ended it before it was done.
    stopped: Option<AgentEnd>,
    /// The session is being closed: the next one finds what was left.
    is_closed: bool,
    /// The model knows the end.
    is_end_known: bool,
}

/// What is left of a sub-agent that has ended.
#[derive(Debug, Clone)]
pub(super) struct AgentReport {
    pub(super) text: String,
    pub(super) end: AgentEnd,
}

/// How a sub-agent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AgentEnd {
    /// It did its task.
    Done,
    /// It did not do its task.
    Failed,
    StoppedByUser,
    StoppedByModel,
    /// An earlier process of the session ended before it did.
    Lost,
    /// The same, in the session that this one is a copy of.
    NotOwn,
}

impl AgentEnd {
    /// For the user and the model, behind its name.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Done => "has ended",
            Self::Failed => "has failed",
            Self::StoppedByUser => "was stopped by the user",
            Self::StoppedByModel => "was stopped",
            Self::Lost => "was interrupted when the session ended",
            Self::NotOwn => "belongs to the session that this one is a copy of",
        }
    }
}

impl BackgroundAgent {
    pub(super) fn new(kind: &str, title: &str, call: &str, events: Option<Arc<AgentEvents>>) -> Self {
        Self {
            kind: kind.to_owned(),
            title: title.to_owned(),
            call: call.to_owned(),
            cancel: CancelFlag::new(),
            events,
            begun: Instant::now(),
            state: Mutex::default(),
            ended: Notify::new(),
        }
    }

    /// One that ended with an earlier process of the session.
    pub(super) fn lost(mut self, session: SessionId, report: AgentReport, used: Vec<ModelUse>) -> Self {
        let (session, report) = (Some(session), Some(report));
        self.state = Mutex::new(AgentState { session, report, used, ..AgentState::default() });
        self
    }

    /// Its session; `None` until it is open.
    fn session(&self) -> Option<SessionId> {
        let own = self.state().session.clone();
        own.or_else(|| self.events.as_ref()?.agent().map(|agent| agent.id.clone()))
    }

    /// Takes the output of the finished work, and says so to the user.
    pub(super) fn end(&self, number: u64, output: ToolOutput, user: &dyn User) {
        let mut state = self.state();
        let end = if output.is_error { state.stopped.unwrap_or(AgentEnd::Failed) } else { AgentEnd::Done };
        let text = output.to_text();
        let why = match end {
            AgentEnd::Failed => {
                format!(": {}", headline(text.strip_prefix(UNFINISHED).unwrap_or(&text), MAX_REASON))
            }
            _ => ".".to_owned(),
        };
        state.report = Some(AgentReport { text, end });
        state.used = output.used.into_vec();
        state.lasted = Some(self.begun.elapsed());
        let is_closed = state.is_closed;
        drop(state);
        self.ended.notify_waiters();
        if !is_closed && self.session().is_some() {
            let info = self.info(number);
            let (requests, ..) = self.progress();
            let text = format!(
                "Sub-agent {number} ({}: {}) {} after {} s and {}{why}",
                info.kind,
                info.title,
                end.text(),
                info.age.as_secs(),
                counted(requests, "request")
            );
            user.event(Event::Notice(text), None);
        }
    }

    pub(super) fn works(&self) -> bool {
        self.state().report.is_none()
    }

    /// Waits until it has ended.
    pub(super) async fn wait(&self) {
        // `notified()` registers the waiter, so an end between the two lines still wakes it.
        let ended = self.ended.notified();
        if self.works() {
            ended.await;
        }
    }

    /// Ends it before it is done. `how` says who does.
    pub(super) async fn stop(&self, how: AgentEnd) {
        self.state().stopped = Some(how);
        self.cancel.cancel();
        self.wait().await;
    }

    /// Ends it with the session, which says nothing more of it.
    pub(super) fn close(&self) {
        self.state().is_closed = true;
        self.cancel.cancel();
    }

    pub(super) fn info(&self, number: u64) -> BackgroundAgentInfo {
        let ((_, _, newest), session) = (self.progress(), self.session());
        let state = self.state();
        BackgroundAgentInfo {
            number,
            kind: self.kind.clone(),
            title: self.title.clone(),
            session,
            age: state.lasted.unwrap_or_else(|| self.begun.elapsed()),
            ending: state.report.as_ref().map(|report| report.end.text()),
            newest,
        }
    }

    /// What the call returns that started it.
    pub(super) fn begun_text(&self, number: u64) -> String {
        let session = self.session();
        let name = format!("Sub-agent {number} ({}: {})", self.kind, self.title);
        match session {
            Some(session) => format!("{name} works {}\n{HOW_TO_WAIT}", begun_mark(&session)),
            None => format!("{name} begins."),
        }
    }

    /// What the model reads of it, and what the session pays for that. An end counts as known from here on.
    pub(super) fn read(&self, number: u64) -> ToolOutput {
        let ((requests, calls, newest), session) = (self.progress(), self.session());
        let mut state = self.state();
        let Some(AgentReport { text: report, end }) = state.report.clone() else {
            let doing = if newest.is_empty() { String::new() } else { format!("; now: {newest}") };
            let seconds = self.begun.elapsed().as_secs();
            return ToolOutput::text(format!(
                "Sub-agent {number} ({}: {}) works since {seconds} s: {}, {}{doing}",
                self.kind,
                self.title,
                counted(requests, "request"),
                counted(calls, "call")
            ));
        };
        state.is_end_known = true;
        let used = std::mem::take(&mut state.used).into();
        let text = format!("{}\n{report}", self.ended_line(number, end.text(), session.as_ref()));
        ToolOutput { used, is_error: end != AgentEnd::Done, ..ToolOutput::text(text) }
    }

    /// The end, once, if the model does not know it.
    pub(super) fn take_unknown_end(&self, number: u64) -> Option<EndedWork> {
        if !self.has_unknown_end() {
            return None;
        }
        let output = self.read(number);
        Some(EndedWork { tool: AGENT_TOOL, text: output.to_text(), used: output.used.into_vec() })
    }

    pub(super) fn has_unknown_end(&self) -> bool {
        let state = self.state();
        state.report.is_some() && !state.is_end_known && !state.is_closed
    }

    /// Takes the output of one whose session was not opened.
    pub(super) fn take_output(&self) -> Option<ToolOutput> {
        Some(ToolOutput::error(self.state().report.take()?.text))
    }

    fn ended_line(&self, number: u64, how: &str, session: Option<&SessionId>) -> String {
        let session = session.map_or(" ".to_owned(), |session| format!(", {}", ended_mark(session)));
        format!("Sub-agent {number} ({}: {}){session}{how}.", self.kind, self.title)
    }

    fn progress(&self) -> (u64, u64, String) {
        self.events.as_ref().map(|events| events.progress()).unwrap_or_default()
    }

    fn state(&self) -> MutexGuard<'_, AgentState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How the report of one begins that did not end its task, before the reason.
pub(super) const UNFINISHED: &str = "The sub-agent did not end its task: ";

/// Maximum characters of the reason in a notice.
const MAX_REASON: usize = 200;

/// What the model does about a sub-agent in the background.
pub(super) const HOW_TO_WAIT: &str =
    "Its end is reported to you. agent_output reads its state, and waits for it with wait_seconds.";

/// What the log has of a sub-agent that began in the background.
pub(super) fn begun_mark(session: &SessionId) -> String {
    format!("in the background as session {session}.")
}

/// What the log has of a sub-agent whose end the model knows. The line of figures behind a report has it, too.
pub(super) fn ended_mark(session: &SessionId) -> String {
    format!("session {session}: ")
}
