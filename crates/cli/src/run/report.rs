//! What a run prints while it works.

use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use throughline::CostMeter;
use throughline_agent::{Event, EventSink};
use throughline_text::{cut_end, group_thousands};
use throughline_tools::CancelFlag;

use super::args::Output;
use super::ending::exit;
use super::tally::Tally;
use crate::terminal::{complain_of_output, headline, plain, write};

/// Bytes of a tool's output in the object about its end; `bytes` says how many there are.
const OUTPUT: usize = 16 * 1024;

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
    tally: Tally,
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
    /// `meter` prices the requests of the run.
    pub(super) fn new(output: Output, cancel: CancelFlag, meter: CostMeter) -> Self {
        let live = output == Output::Text && std::io::stdout().is_terminal();
        let tally = Tally { meter, ..Tally::default() };
        let state = ReportState { tally, ..ReportState::default() };
        Self { output, live, cancel, state: Mutex::new(state) }
    }

    pub(super) fn tally(&self) -> Tally {
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

    /// An event of a task between two turns: a line for people, an object for programs.
    pub(super) fn between(&self, text: &str, value: &Value) {
        match self.output {
            Output::Text => self.progress(text),
            Output::Json => {}
            Output::StreamJson => self.object(value),
        }
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
        self.line(&throughline::one_line_json(&value.to_string()));
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

    fn text(&self, event: &Event) {
        match event {
            Event::Text(text) if self.live => self.live_text(text),
            Event::Answered { .. } => self.end_line(),
            other => {
                if let Some(text) = self.repeated(other).or_else(|| progress(other)) {
                    self.progress(&text);
                }
            }
        }
    }
}

impl EventSink for Report {
    fn emit(&self, event: Event) {
        self.state().tally.take(&event);
        match self.output {
            Output::Text => self.text(&event),
            Output::Json => {}
            Output::StreamJson => {
                if let Some(value) = object(&event) {
                    self.object(&value);
                }
            }
        }
    }
}

fn again_in(wait_ms: u64) -> String {
    format!("trying again in {:.1} s", wait_ms as f64 / 1_000.0)
}

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
            "compacted {} → {} tokens",
            group_thousands(receipt.before_tokens),
            group_thousands(receipt.after_tokens)
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

/// An event as an object of the stream.
fn object(event: &Event) -> Option<Value> {
    Some(match event {
        Event::Accepted { exchange } => json!({"type": "accepted", "exchange": exchange}),
        Event::Window { figures, pressure } => {
            json!({"type": "window", "figures": figures, "pressure": pressure})
        }
        Event::Compacted(receipt) => json!({"type": "compacted", "receipt": receipt}),
        Event::NotCompacted { why } => json!({"type": "not_compacted", "why": why}),
        Event::ToolsChanged { why, active, deferred } => {
            json!({"type": "tools_changed", "why": why, "active": active, "deferred": deferred})
        }
        Event::Notice(text) => json!({"type": "notice", "text": text}),
        Event::Log(text) => json!({"type": "log", "text": text}),
        Event::Note(text) => json!({"type": "note", "text": text}),
        Event::Sent { request, messages, predicted } => {
            json!({"type": "request", "request": request, "messages": messages, "predicted": predicted})
        }
        Event::CacheMissed(miss) => json!({"type": "cache_missed", "warm": miss.warm, "read": miss.read,
            "cause": miss.cause(), "diagnosis": miss.diagnosis}),
        Event::Retrying { cause, wait_ms } => json!({"type": "retrying", "cause": cause, "wait_ms": wait_ms}),
        Event::Switched { from, to, why } => {
            json!({"type": "switched", "from": from, "to": to, "why": why})
        }
        Event::Withdrawn { why } => json!({"type": "withdrawn", "why": why}),
        Event::Text(text) => json!({"type": "text", "text": text}),
        Event::Thinking(text) => json!({"type": "thinking", "text": text}),
        Event::Spent(used) => json!({
            "type": "spent",
            "provider": used.origin.provider,
            "model": used.origin.model,
            "requests": used.requests,
            "usage": used.usage,
            "unreported": used.unreported,
        }),
        Event::Answered { usage, stop } => json!({"type": "answered", "usage": usage, "stop": stop}),
        Event::ToolStarted { call_id, name, input } => {
            json!({"type": "tool_started", "call_id": call_id, "name": name, "input": input})
        }
        Event::ToolFinished { call_id, name, bytes, is_error, output, offloaded } => json!({
            "type": "tool_finished",
            "call_id": call_id,
            "name": name,
            "bytes": bytes,
            "is_error": is_error,
            "output": cut_end(output, OUTPUT),
            "offloaded": offloaded,
        }),
        Event::Acknowledged { seq } => json!({"type": "acknowledged", "seq": seq}),
        Event::SnapshotSaved { covers } => json!({"type": "snapshot", "covers": covers}),
        Event::Degraded(note) => json!({"type": "degraded", "note": note}),
        _ => return None,
    })
}
