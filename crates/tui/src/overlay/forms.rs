//! Questions of the servers of tools, one at a time: a form is filled in field by field, then looked over and sent.

mod draw;
mod field;

use std::collections::VecDeque;
use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde_json::{Map, Value};
use throughline_tools::{Elicitation, ElicitationAnswer, ElicitationRequest};
use tokio::sync::oneshot;

use super::approvals::KeyOutcome;
use super::shield::{Moment, Shield};
use field::{FieldInput, FieldKey};

/// A waiting question of a server.
#[derive(Debug)]
pub(crate) struct ServerQuestion {
    elicitation: Elicitation,
    reply: oneshot::Sender<ElicitationAnswer>,
    /// When it first appeared on the screen.
    seen: Option<Instant>,
    fields: Vec<FieldInput>,
    /// The field that is filled in; behind the last one all are looked over.
    step: usize,
}

impl ServerQuestion {
    pub(crate) fn new(elicitation: Elicitation, reply: oneshot::Sender<ElicitationAnswer>) -> Self {
        let fields = match &elicitation.request {
            ElicitationRequest::Form(form) => form.fields.iter().map(FieldInput::new).collect(),
            ElicitationRequest::Page { .. } => Vec::new(),
        };
        Self { elicitation, reply, seen: None, fields, step: 0 }
    }

    fn field(&mut self) -> Option<&mut FieldInput> {
        self.fields.get_mut(self.step)
    }

    /// The values, once every field has been read.
    fn values(&self) -> Map<String, Value> {
        let value = |field: &FieldInput| Some((field.field.name.clone(), field.value()?.clone()));
        self.fields.iter().filter_map(value).collect()
    }
}

/// The waiting questions, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Forms {
    waiting: VecDeque<ServerQuestion>,
    shield: Shield,
}

impl Forms {
    /// Adds a question. `typed`: when the last key was pressed.
    pub(super) fn ask(&mut self, question: ServerQuestion, typed: Option<Instant>, now: Instant) {
        if self.waiting.is_empty() {
            self.shield.raise(typed, now);
        }
        self.waiting.push_back(question);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The first question is on the terminal.
    pub(super) fn mark_seen(&mut self, now: Instant) {
        if let Some(question) = self.waiting.front_mut() {
            question.seen.get_or_insert(now);
        }
    }

    /// Removes the questions of calls that have ended.
    pub(super) fn remove_cancelled(&mut self) {
        self.waiting.retain(|question| !question.reply.is_closed());
    }

    /// Closes all of them without an answer.
    pub(super) fn close_all(&mut self) {
        while !self.waiting.is_empty() {
            self.answer(ElicitationAnswer::Cancel);
        }
    }

    fn answer(&mut self, answer: ElicitationAnswer) {
        if let Some(question) = self.waiting.pop_front() {
            // The call has ended if the receiver is dropped.
            let _ = question.reply.send(answer);
        }
    }

    fn seen(&self) -> Option<Instant> {
        self.waiting.front().and_then(|question| question.seen)
    }

    fn is_shielded(&self, moment: Moment) -> bool {
        self.shield.holds(self.seen(), moment)
    }

    /// Returns true while keys are for the text in the input.
    pub(super) fn leaves_keys_to_draft(&self, moment: Moment) -> bool {
        !self.is_empty() && self.shield.holds_draft(moment)
    }

    /// Handles a key.
    pub(super) fn key(&mut self, key: KeyEvent, moment: Moment) -> KeyOutcome {
        let entered = self.shield.is_entered_by(key, self.seen(), moment);
        let shielded = self.is_shielded(moment);
        let Some(question) = self.waiting.front_mut() else { return KeyOutcome::NotMine };
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            self.close_all();
            return KeyOutcome::Stop;
        }
        if entered {
            return KeyOutcome::Taken;
        }
        if shielded {
            self.shield.extend(moment.now);
            return KeyOutcome::NotMine;
        }
        // The mode may change while a question waits.
        if key.code == KeyCode::BackTab {
            return KeyOutcome::NotMine;
        }
        if key.code == KeyCode::Esc {
            match question.step.checked_sub(1) {
                Some(before) => question.step = before,
                None => self.answer(ElicitationAnswer::Decline),
            }
            return KeyOutcome::Taken;
        }
        let only = question.fields.len() == 1;
        match question.field() {
            Some(field) => {
                if field.key(key) == FieldKey::Next {
                    question.step += 1;
                    // What is typed into the only field stands on the screen when it is sent.
                    if only {
                        self.send();
                    }
                }
            }
            None => match key.code {
                KeyCode::Enter => self.send(),
                KeyCode::Char('n' | 'N') => self.answer(ElicitationAnswer::Decline),
                _ => {}
            },
        }
        KeyOutcome::Taken
    }

    fn send(&mut self) {
        let values = self.waiting.front().map(ServerQuestion::values).unwrap_or_default();
        self.answer(ElicitationAnswer::Accept(values));
    }

    /// A paste. Returns false if it is for the input.
    pub(super) fn paste(&mut self, text: &str, moment: Moment) -> bool {
        if self.is_shielded(moment) {
            self.shield.extend(moment.now);
            return false;
        }
        let Some(question) = self.waiting.front_mut() else { return false };
        if let Some(field) = question.field() {
            field.paste(text);
        }
        true
    }
}
