//! Questions about calls, one at a time. A key that was meant for the input never answers one.

mod answers;
mod draw;
mod typed;

use std::collections::VecDeque;
use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use throughline_permission::{Approval, ApprovalRequest};
use tokio::sync::oneshot;

use super::shield::{Moment, Shield};
use crate::calls::{changes_in, path};
use crate::clean::one_row;
use crate::layout::width;
use crate::line::{DIM, Line};
use crate::port::EditExcerpt;
use answers::{Answer, RULE_ROWS, path_line};
use typed::{TypedAnswer, TypedOutcome};

/// A waiting question.
#[derive(Debug)]
pub(crate) struct Question {
    request: ApprovalRequest,
    excerpt: Option<Box<EditExcerpt>>,
    reply: oneshot::Sender<Approval>,
    /// When it first appeared on the screen.
    seen: Option<Instant>,
    /// All of it was printed, so that the question needs little of it.
    printed: bool,
}

impl Question {
    pub(crate) fn new(
        request: ApprovalRequest,
        excerpt: Option<Box<EditExcerpt>>,
        reply: oneshot::Sender<Approval>,
    ) -> Self {
        Self { request, excerpt, reply, seen: None, printed: false }
    }
}

/// The effect of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyOutcome {
    /// None: the key is for the input.
    NotMine,
    /// The question handled it.
    Taken,
    /// Show the whole change.
    ShowAll,
    /// Deny the call and interrupt the turn.
    Stop,
}

/// The waiting questions, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Approvals {
    waiting: VecDeque<Question>,
    /// Set while the user types feedback or another rule.
    typed: Option<TypedAnswer>,
    /// The rule that the user last wrote, with its call: if it is not used, the same call is asked about again.
    draft: Option<(String, String)>,
    /// The chosen answer, which the arrow keys change and Enter gives.
    chosen: usize,
    shield: Shield,
    /// The answers since they were taken last, by call.
    given: Vec<(String, GivenAnswer)>,
}

/// What was answered to a question about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GivenAnswer {
    /// It may run.
    Once,
    /// It may run, and others like it.
    Always,
    /// It may not run.
    Denied,
}

impl Approvals {
    /// Adds a question. `typed`: when the last key was pressed.
    pub(super) fn ask(&mut self, question: Question, typed: Option<Instant>, now: Instant) {
        if self.waiting.is_empty() {
            self.shield.raise(typed, now);
        }
        self.waiting.push_back(question);
    }

    /// The first question is on the terminal.
    pub(super) fn mark_seen(&mut self, now: Instant) {
        if let Some(question) = self.waiting.front_mut() {
            question.seen.get_or_insert(now);
        }
    }

    /// When the first question first appeared on the screen.
    fn seen(&self) -> Option<Instant> {
        self.waiting.front().and_then(|question| question.seen)
    }

    /// Returns true while keys are for the input.
    fn is_shielded(&self, moment: Moment) -> bool {
        self.typed.is_none() && self.shield.holds(self.seen(), moment)
    }

    /// Returns true while keys are for the text in the input.
    pub(super) fn leaves_keys_to_draft(&self, moment: Moment) -> bool {
        self.typed.is_none() && self.shield.holds_draft(moment)
    }

    /// Removes the questions of cancelled calls.
    pub(super) fn remove_cancelled(&mut self) {
        let first = self.waiting.front().map(|question| question.request.call.id.clone());
        self.waiting.retain(|question| !question.reply.is_closed());
        if self.waiting.front().map(|question| question.request.call.id.clone()) != first {
            self.typed = None;
            self.chosen = 0;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The call that is asked about.
    pub(super) fn call_id(&self) -> Option<&str> {
        self.waiting.front().map(|question| question.request.call.id.as_str())
    }

    /// The tool that is asked about.
    pub(super) fn tool(&self) -> Option<&str> {
        self.waiting.front().map(|question| question.request.call.name.as_str())
    }

    /// Takes the answers since the last time, by call.
    pub(super) fn take_given(&mut self) -> Vec<(String, GivenAnswer)> {
        std::mem::take(&mut self.given)
    }

    /// Denies all of them.
    pub(super) fn deny_all(&mut self) {
        while !self.waiting.is_empty() {
            self.answer(Approval::Deny { feedback: None });
        }
    }

    /// All of what the first call would change or run, and the rule where the question cannot show all of it.
    pub(super) fn full_lines(&self, columns: usize) -> Vec<Line> {
        let Some(question) = self.waiting.front() else { return Vec::new() };
        let ApprovalRequest { call, rule, .. } = &question.request;
        let mut lines: Vec<Line> = path(&call.input).map(path_line).into_iter().collect();
        lines.extend(changes_in(question.excerpt.as_deref(), &call.name, &call.input));
        let rule = rule.as_deref().map(one_row).filter(|rule| width(rule) > RULE_ROWS * columns);
        lines.extend(rule.map(|rule| Line::styled(format!("always: {rule}"), DIM)));
        lines.into_iter().map(Line::whole).collect()
    }

    fn answer(&mut self, approval: Approval) {
        self.typed = None;
        self.chosen = 0;
        if let Some(question) = self.waiting.pop_front() {
            let given = match &approval {
                Approval::Once => GivenAnswer::Once,
                Approval::Always | Approval::AlwaysBy(_) => GivenAnswer::Always,
                Approval::Deny { .. } => GivenAnswer::Denied,
            };
            self.given.push((question.request.call.id.clone(), given));
            self.draft = match &approval {
                Approval::AlwaysBy(text) => Some((question.request.call.id, text.clone())),
                _ => None,
            };
            // The call was cancelled if the receiver is dropped.
            let _ = question.reply.send(approval);
        }
    }

    /// Handles a key.
    pub(super) fn key(&mut self, key: KeyEvent, moment: Moment) -> KeyOutcome {
        if self.waiting.is_empty() {
            return KeyOutcome::NotMine;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if key.code == KeyCode::Char('c') && control {
            self.deny_all();
            return KeyOutcome::Stop;
        }
        if let Some(typed) = &mut self.typed {
            match typed.key(key) {
                TypedOutcome::Stay => {}
                TypedOutcome::Back => self.typed = None,
                TypedOutcome::Answer(approval) => self.answer(approval),
            }
            return KeyOutcome::Taken;
        }
        if key.code == KeyCode::Esc {
            return self.take(Answer::Stop);
        }
        if self.shield.is_entered_by(key, self.seen(), moment) {
            return KeyOutcome::Taken;
        }
        if self.is_shielded(moment) {
            self.shield.extend(moment.now);
            return KeyOutcome::NotMine;
        }
        // The mode may change while a question waits.
        if key.code == KeyCode::BackTab {
            return KeyOutcome::NotMine;
        }
        if key.code == KeyCode::Char('v') || key.code == KeyCode::Char('V') {
            if control {
                return KeyOutcome::Taken;
            }
            if let Some(question) = self.waiting.front_mut() {
                question.printed = true;
            }
            return KeyOutcome::ShowAll;
        }
        let answers = self.answers();
        match key.code {
            KeyCode::Down | KeyCode::Right => self.choose(&answers, 1),
            KeyCode::Up | KeyCode::Left => self.choose(&answers, answers.len() - 1),
            KeyCode::Enter => {
                if let Some(answer) = answers.get(self.chosen) {
                    return self.take(*answer);
                }
            }
            KeyCode::Char(letter) if !control => {
                if let Some(answer) = answers.iter().find(|answer| answer.has_key(letter)) {
                    return self.take(*answer);
                }
            }
            _ => {}
        }
        KeyOutcome::Taken
    }

    /// The answers to the first question.
    fn answers(&self) -> Vec<Answer> {
        let always = self.waiting.front().is_some_and(|question| question.request.rule.is_some());
        Answer::ALL.into_iter().filter(|answer| always || !answer.needs_rule()).collect()
    }

    /// Moves the chosen answer by `step`, around the end.
    fn choose(&mut self, answers: &[Answer], step: usize) {
        self.chosen = (self.chosen + step) % answers.len();
    }

    fn take(&mut self, answer: Answer) -> KeyOutcome {
        match answer {
            Answer::Once => self.answer(Approval::Once),
            Answer::Always => self.answer(Approval::Always),
            Answer::Deny => self.answer(Approval::Deny { feedback: None }),
            Answer::DenyWithReason => self.typed = Some(TypedAnswer::reason()),
            Answer::EditRule => self.edit_rule(),
            Answer::Stop => {
                self.deny_all();
                return KeyOutcome::Stop;
            }
        }
        KeyOutcome::Taken
    }

    /// Lets the user write another rule, starting with the suggested one or with the one that was refused.
    fn edit_rule(&mut self) {
        let Some(ApprovalRequest { call, rule: Some(rule), .. }) =
            self.waiting.front().map(|question| &question.request)
        else {
            return;
        };
        let draft = self.draft.as_ref().filter(|(id, _)| *id == call.id).map(|(_, text)| text);
        self.typed = Some(TypedAnswer::rule(draft.unwrap_or(rule)));
    }

    /// A paste. Returns false if it is for the input.
    pub(super) fn paste(&mut self, text: &str, now: Instant) -> bool {
        if let Some(typed) = &mut self.typed {
            typed.paste(text);
            return true;
        }
        self.shield.extend(now);
        false
    }
}
