//! What a run prints while it works.

use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use throughline::ports::{CancelFlag, Event, EventSink};
use throughline_session::{RunTally, SubAgent, TaskObserver, event_object};
use throughline_terminal::{complain_of_output, note, write};
use throughline_text::{group_thousands, headline, plain};

use super::args::Output;
use super::ending::exit;

/// Prints the events of a run in its output format, and sums them up.
#[derive(Debug)]
pub(super) struct Report {
    output: Output,
    /// Print text as it arrives: the output is a terminal.
    live: bool,
    /// Raised when standard output fails: the result would be lost.
    cancel: CancelFlag,
    state: Mutex<ReportState>,
}

#[derive(Debug, Default)]
struct ReportState {
    tally: RunTally,
    /// The cursor is behind text that was printed as it arrived.
    midline: bool,
    /// Cause of the last retry.
    retried: String,
    failure: Option<OutputFailure>,
}

/// A failed write to standard output.
#[derive(Debug, Clone, Copy)]
struct OutputFailure {
    /// The code to end with.
    code: u8,
    /// True if this failure cancelled the run.
    stopped: bool,
}

impl Report {
    pub(super) fn new(output: Output, cancel: CancelFlag) -> Self {
        let live = output == Output::Text && std::io::stdout().is_terminal();
        Self { output, live, cancel, state: Mutex::default() }
    }

    /// Sums up from here on, with the prices of this empty tally.
    pub(super) fn begin(&self, tally: RunTally) {
        self.state().tally = tally;
    }

    pub(super) fn tally(&self) -> RunTally {
        self.state().tally.clone()
    }

    /// Returns true if the output is JSON.
    pub(super) fn is_for_programs(&self) -> bool {
        self.output != Output::Text
    }

    /// Returns true if the answer is printed as it arrives.
    pub(super) fn is_live(&self) -> bool {
        self.live
    }

    /// The exit code: this one, unless output was lost.
    pub(super) fn code(&self, code: u8) -> u8 {
        match self.state().failure {
            Some(failure) if code == 0 || (failure.stopped && code == exit::INTERRUPTED) => failure.code,
            _ => code,
        }
    }

    /// The flag that cancels the run.
    pub(super) fn cancel(&self) -> CancelFlag {
        self.cancel.clone()
    }

    /// Prints a line.
    pub(super) fn line(&self, text: &str) {
        self.print(&format!("{text}\n"));
    }

    /// Prints an object on one line.
    pub(super) fn object(&self, value: &Value) {
        self.line(&throughline_text::one_line_json(&value.to_string()));
    }

    /// Prints until standard output fails. A command of the model may be running then, so the failure cancels the turn, as
    /// Ctrl-C does, instead of ending the process.
    fn print(&self, text: &str) {
        let mut state = self.state();
        if state.failure.is_some() {
            return;
        }
        if let Err(error) = write(text) {
            let gone = error.kind() == ErrorKind::BrokenPipe;
            let code = if gone { exit::UNREAD } else { exit::FAILED };
            state.failure = Some(OutputFailure { code, stopped: !self.cancel.is_cancelled() });
            self.cancel.cancel();
            if !gone {
                complain_of_output(&error);
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, ReportState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Text of the model as it arrives.
    fn live_text(&self, text: &str) {
        self.state().midline = !text.ends_with('\n');
        self.print(&plain(text));
    }

    fn end_line(&self) {
        let midline = std::mem::take(&mut self.state().midline);
        if midline {
            self.line("");
        }
    }

    fn progress(&self, text: &str) {
        self.end_line();
        // Lost progress is not a reason to stop.
        let _ = writeln!(std::io::stderr(), "{}", plain(&text.replace('\n', " ")));
    }

    /// The line of a retry for the same cause as the one before.
    fn repeated(&self, event: &Event) -> Option<String> {
        let Event::Retrying { cause, wait_ms } = event else { return None };
        let before = std::mem::replace(&mut self.state().retried, cause.clone());
        (before == *cause).then(|| format!("still failing; {}", again_in(*wait_ms)))
    }

    /// An event of a sub-agent, or of the session outside of its turns. The session sums up what sub-agents use.
    pub(super) fn event_of(&self, event: &Event, agent: Option<&SubAgent>) {
        match (self.output, event) {
            (Output::StreamJson, event) => {
                event_object(event, agent).iter().for_each(|value| self.object(value));
            }
            (Output::Text, event) => {
                let name = agent.map(|agent| format!("[{}] ", agent.kind)).unwrap_or_default();
                progress(event).iter().for_each(|text| self.progress(&format!("{name}{text}")));
            }
            (Output::Json, Event::Notice(text)) => self.progress(text),
            (Output::Json, _) => {}
        }
    }

    fn text(&self, event: &Event) {
        match event {
            Event::Text(text) if self.live => self.live_text(text),
            Event::Answered { .. } => self.end_line(),
            Event::Cited(sources) => {
                self.progress("sources:");
                sources
                    .iter()
                    .take(MOST_SOURCES)
                    .for_each(|source| self.progress(&format!("  {}", source.line())));
            }
            other => {
                if let Some(text) = self.repeated(other).or_else(|| progress(other)) {
                    self.progress(&text);
                }
            }
        }
    }
}

impl TaskObserver for Report {
    fn sink(&self) -> &dyn EventSink {
        self
    }

    fn requests(&self) -> u64 {
        self.tally().meter.cost().requests
    }

    fn between(&self, text: &str, object: &Value) {
        match self.output {
            Output::Text => self.progress(text),
            Output::Json => {}
            Output::StreamJson => self.object(object),
        }
    }

    fn notice(&self, text: &str) {
        note(text);
    }
}

impl EventSink for Report {
    fn emit(&self, event: Event) {
        self.state().tally.take(&event);
        match self.output {
            Output::Text => self.text(&event),
            // The document on standard output has no place for it.
            Output::Json => {
                if let Event::Notice(text) = &event {
                    self.progress(text);
                }
            }
            Output::StreamJson => {
                if let Some(value) = event_object(&event, None) {
                    self.object(&value);
                }
            }
        }
    }
}

fn again_in(wait_ms: u64) -> String {
    format!("trying again in {:.1} s", wait_ms as f64 / 1_000.0)
}

/// Maximum number of cited pages that are listed below an answer.
const MOST_SOURCES: usize = 8;

/// An event as a line of progress, if it is worth one.
fn progress(event: &Event) -> Option<String> {
    Some(match event {
        Event::ToolStarted { name, input, .. } => format!("→ {name} {}", headline(&input.to_string(), 100)),
        Event::ToolFinished { name, bytes, is_error, offloaded, .. } => {
            let failed = if *is_error { ", failed" } else { "" };
            let stored =
                offloaded.as_ref().map_or(String::new(), |receipt| format!(", stored as {}", receipt.stored));
            format!("← {name}: {} bytes{failed}{stored}", group_thousands(*bytes))
        }
        Event::Log(text) | Event::Notice(text) => text.clone(),
        Event::Compacted(receipt) => format!(
            "compacted {} → {} tokens of the request{}",
            group_thousands(receipt.before_tokens),
            group_thousands(receipt.after_tokens),
            receipt.waited()
        ),
        Event::NotCompacted { why } => format!("not compacted: {why}"),
        Event::Retrying { cause, wait_ms } => {
            format!("{cause}; {}", again_in(*wait_ms))
        }
        Event::Switched { to, why, .. } => format!("continuing with {to}: {why}"),
        Event::Withdrawn { why } => format!("the answer so far is discarded: {why}"),
        Event::Degraded(note) => format!("{} failed: {} ({})", note.subsystem, note.fallback, note.cause),
        _ => return None,
    })
}
