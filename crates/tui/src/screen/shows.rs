//! Handles the messages of the session.

use std::time::Instant;

use throughline_tools::{Elicitation, ElicitationAnswer};
use tokio::sync::oneshot;

use super::receipt::receipt;
use super::{Exit, Screen};
use crate::overlay::{Question, ServerQuestion};
use crate::port::{Act, Earlier, Picker, Show, TurnState};
use crate::transcript::{Block, compacted};
use crate::turn::{Outcome, Phase};

impl Screen {
    /// Handles a message of the session. [`Show::Lend`] and [`Show::Copy`] are handled by the driver.
    pub(crate) fn show(&mut self, show: Show, now: Instant) -> Vec<Act> {
        self.overlay.remove_cancelled();
        match show {
            Show::Event(event) => self.event(event, now),
            Show::ToolOutput { call_id, text, waits: _ } => self.transcript.push_output(&call_id, &text),
            Show::ToolResult { call_id, result } => self.transcript.set_result(&call_id, result),
            Show::ChangedFiles(paths) => self.turn.count_files(paths),
            Show::Waiting { call_id } => self.transcript.set_waiting(&call_id),
            Show::Change { call_id, excerpt } => self.transcript.set_change(&call_id, excerpt),
            Show::Compacted(notice) => {
                let lines = compacted(&notice, self.status.window_tokens(), self.columns);
                self.transcript.print(Block::Memory(lines));
            }
            Show::Welcome { title, text } => {
                self.transcript.print(Block::Welcome { title: &title, text: &text });
            }
            Show::Approval { request, excerpt, reply } => {
                self.composer.hide_keys();
                self.overlay.ask(Question::new(request, excerpt, reply), now);
            }
            Show::Elicitation { elicitation, reply } => self.elicit(elicitation, reply, now),
            Show::TakeQueued { reply } => self.give_queued(reply),
            Show::Notice(text) => self.transcript.print(Block::Notice(&text)),
            Show::Problem(text) => {
                self.turn.fail();
                self.transcript.print(Block::Problem(&text));
            }
            Show::Failure { what, advice } => {
                self.turn.fail();
                self.transcript.print(Block::Failure { what: &what, advice: &advice });
            }
            Show::Page { title, text } => {
                self.transcript.print(Block::Page { title: &title, text: &text });
            }
            Show::Status(figures) => self.status.set_figures(figures, now),
            Show::Keys(keys) => self.composer.set_keys(keys),
            Show::Picker(picker) => self.pick(picker, now),
            Show::Preview { picker, row, text } => self.overlay.set_preview(&picker, &row, &text),
            Show::Commands(commands) => return self.composer.set_commands(commands).into_iter().collect(),
            Show::Files { query, paths } => {
                return self.composer.set_files(&query, paths).into_iter().collect();
            }
            Show::Turn(TurnState::Working) => self.turn.run(Phase::Working, now),
            Show::Turn(TurnState::Compacting) => self.turn.run(Phase::Compacting, now),
            Show::Turn(TurnState::Idle) => return self.end_turn(now),
            Show::Restored(earlier) => self.restore(&earlier, now),
            Show::Draft(text) => self.composer.prepend(&text),
            Show::Input(text) => self.composer.set_text(text.trim_end_matches('\n')),
            // Without a driver there is no clipboard.
            Show::Copy(_) => {}
            Show::End => self.exit = Exit::Ended,
            // Without a driver the terminal is free.
            Show::Lend { ready, back: _ } => {
                let _ = ready.send(());
            }
        }
        Vec::new()
    }

    /// Opens a picker. Input that waits is the answer to one that was not asked for.
    fn pick(&mut self, picker: Picker, now: Instant) {
        if picker.unasked && self.composer.has_queued() {
            return;
        }
        self.composer.hide_keys();
        self.composer.close_completion();
        self.overlay.open(picker, now);
    }

    fn elicit(&mut self, elicitation: Elicitation, reply: oneshot::Sender<ElicitationAnswer>, now: Instant) {
        self.composer.hide_keys();
        self.overlay.ask_for_server(ServerQuestion::new(elicitation, reply), now);
    }

    /// Gives the queued messages to the turn that runs.
    fn give_queued(&mut self, reply: oneshot::Sender<Vec<String>>) {
        let texts = self.composer.take_queued_messages();
        match reply.send(texts.clone()) {
            Ok(()) => texts.iter().for_each(|text| self.transcript.print(Block::User(text))),
            Err(texts) => self.composer.put_back(texts),
        }
    }

    fn end_turn(&mut self, now: Instant) -> Vec<Act> {
        self.transcript.end_turn(now);
        let ended = self.turn.end(now);
        if let Some(receipt) = receipt(&ended, self.status.turn_cost(), self.columns) {
            self.transcript.print(Block::Receipt(receipt));
        }
        // Queued inputs assumed another end of this turn, so the user decides about them.
        if ended.outcome != Outcome::Completed {
            self.composer.pause_queue();
            return Vec::new();
        }
        self.composer.next_queued().map(|next| self.send(next)).into_iter().collect()
    }

    fn restore(&mut self, earlier: &[Earlier], now: Instant) {
        for one in earlier {
            if let Earlier::Tool { name, input, is_error: false, .. } = one {
                self.checklist.observe(name, input);
            }
            self.transcript.restore(one, now);
        }
        self.transcript.end_turn(now);
    }
}
