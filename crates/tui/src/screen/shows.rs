//! Handles the messages of the session.

use std::time::{Duration, Instant};

use super::{Kind, Screen};
use crate::calls::{FinishedCall, elapsed};
use crate::clean::stripped;
use crate::markdown::render;
use crate::overlay::OpenPicker;
use crate::port::{Act, Earlier, Show, TurnState};
use crate::status::short_number;

/// Shorter turns leave no line about their time.
const LONG_TURN: Duration = Duration::from_secs(10);

impl Screen {
    /// Handles a message of the session. [`Show::Lend`] is handled by the driver.
    pub(crate) fn show(&mut self, show: Show, now: Instant) -> Vec<Act> {
        self.approvals.tidy();
        match show {
            Show::Event(event) => self.event(event, now),
            Show::ToolOutput { call_id, text, waits: _ } => {
                if let Some(call) = self.calls.iter_mut().find(|call| call.call_id == call_id) {
                    call.more(&text);
                }
            }
            Show::ToolResult { call_id, text } => {
                if let Some(call) = self.calls.iter_mut().find(|call| call.call_id == call_id) {
                    call.result = text;
                }
            }
            Show::Approval { request, excerpt, reply } => {
                self.keys_shown = false;
                self.approvals.ask(request, excerpt, reply, self.typed_at, now);
            }
            Show::Notice(text) => self.print_notice(&text),
            Show::Problem(text) => {
                self.failed = self.busy;
                self.print_problem(&text);
            }
            Show::Page { title, text } => self.print_page(&title, &text),
            Show::Status(status) => self.status = status,
            Show::Picker(picker) => {
                self.keys_shown = false;
                self.completion = None;
                self.choice = Some(OpenPicker::new(picker));
            }
            Show::Preview { picker, row, text } => {
                if let Some(choice) = &mut self.choice {
                    choice.preview_came(&picker, &row, &text);
                }
            }
            Show::Commands(commands) => self.commands = commands,
            Show::Files(files) => {
                self.files = files;
                self.complete();
            }
            Show::History(entries) => self.history.earlier(entries),
            Show::Turn(state) => return self.turn(state, now),
            Show::Restored(earlier) => self.restore(earlier),
            Show::Draft(text) => self.put_back(&[text]),
            Show::Input(text) => {
                self.input.set(text.trim_end_matches('\n'));
                self.completion = None;
            }
            // Without a driver there is no clipboard.
            Show::Copy(_) => {}
            Show::End => self.ended = true,
            // Without a driver the terminal is free.
            Show::Lend { ready, back: _ } => {
                let _ = ready.send(());
            }
        }
        Vec::new()
    }

    fn turn(&mut self, state: TurnState, now: Instant) -> Vec<Act> {
        if state != TurnState::Idle {
            if self.turn == TurnState::Idle {
                self.since = Some(now);
                self.output = 0;
            }
            self.turn = state;
            self.busy = true;
            self.worked = true;
            return Vec::new();
        }
        self.retried.clear();
        self.end_thinking(now);
        self.finish_stream();
        // Calls without a result were cancelled.
        for call in std::mem::take(&mut self.calls) {
            let took = call.took(now);
            let (name, input, took) = (call.name.as_str(), &call.input, took.as_str());
            let stopped = FinishedCall { name, input, is_error: true, took, result: "stopped", stored: None };
            let lines = stopped.lines(self.columns);
            self.print(Kind::Call, lines);
        }
        let took = self.since.take().map(|since| now.saturating_duration_since(since));
        if let Some(took) = took.filter(|took| *took >= LONG_TURN) {
            let tokens = match self.output {
                0 => String::new(),
                output => format!(" · {} tokens written", short_number(output)),
            };
            self.print_notice(&format!("worked for {}{tokens}", elapsed(took)));
        }
        self.turn = TurnState::Idle;
        self.busy = false;
        // Queued inputs assumed another end of this turn, so the user decides about them.
        let (interrupted, failed) = (std::mem::take(&mut self.interrupted), std::mem::take(&mut self.failed));
        if interrupted || failed {
            self.pause_queue();
            return Vec::new();
        }
        match self.queue.pop_front() {
            Some(next) => self.send(next),
            None => Vec::new(),
        }
    }

    fn restore(&mut self, earlier: Vec<Earlier>) {
        for one in earlier {
            match one {
                Earlier::User(text) => self.print_user(&text),
                Earlier::Assistant(text) => {
                    let lines = render(&stripped(&text), self.columns);
                    self.print(Kind::Answer, lines);
                }
                Earlier::Tool { name, input, is_error, result } => {
                    if !is_error {
                        self.note_plan(&name, &input);
                    }
                    let (name, input, result) = (name.as_str(), &input, result.as_str());
                    let call = FinishedCall { name, input, is_error, took: "", result, stored: None };
                    let lines = call.lines(self.columns);
                    self.print(Kind::Call, lines);
                }
                Earlier::Notice(text) => self.print_notice(&text),
            }
        }
    }
}
