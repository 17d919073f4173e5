//! What the user asked for, word for word, and whether the last of it was answered.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use throughline_conversation::{Entry, EntryKind, Message, task_request};
use throughline_text::{cut_end, cut_start};

/// Maximum bytes of all requests together; the newest ones are within it.
const REQUESTS: usize = 6_000;
/// Maximum bytes of the end of an answer.
const ANSWER: usize = 2_000;
/// The end of a request that was cut.
const CUT: &str = " [cut here]";

/// The newest requests of the user, and the end of the answer to the last one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestNotes {
    /// The requests word for word, the newest one last. A very long one is cut, and says so.
    requests: VecDeque<String>,
    /// The end of the answer to the newest one; `None`: it is open.
    answer: Option<String>,
}

impl RequestNotes {
    /// Takes the messages that follow. What a summary among them quotes is the caller's to add.
    pub fn take(&mut self, entries: &[Entry]) {
        for entry in entries {
            match entry.kind {
                EntryKind::User => self.request(&texts(&entry.message)),
                EntryKind::Assistant => self.answered(&entry.message),
                EntryKind::Results => self.reopen(),
                EntryKind::Summary | EntryKind::Notice => {}
            }
        }
    }

    /// Notes a message of the model: one without calls answers the request.
    pub fn answered(&mut self, message: &Message) {
        let text = texts(message);
        let answers = message.tool_calls().next().is_none() && !text.is_empty();
        self.answer = answers.then(|| cut_start(&text, ANSWER).to_owned());
    }

    /// Notes that the work on the last request continues, or that its answer broke off.
    pub fn reopen(&mut self) {
        self.answer = None;
    }

    /// Notes a message of the user. The prompts of a task's later iterations ask for nothing new.
    pub fn request(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        self.answer = None;
        if let Some(asked) = task_request(text) {
            self.push(asked);
        }
    }

    /// Notes what the user has said within a tool while the model worked on the newest request: an answer, or why a call was refused.
    pub fn said(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        match self.requests.pop_back() {
            Some(request) => self.push(&format!("{request}\n{text}")),
            None => self.push(text),
        }
    }

    fn push(&mut self, text: &str) {
        let shown = cut_end(text, REQUESTS);
        let cut = if shown.len() < text.len() { CUT } else { "" };
        self.requests.push_back(format!("{shown}{cut}"));
        let mut bytes: usize = self.requests.iter().map(String::len).sum();
        while bytes > REQUESTS && self.requests.len() > 1 {
            bytes -= self.requests.pop_front().map_or(0, |oldest| oldest.len());
        }
    }

    /// The requests, the newest one first.
    pub fn newest_first(&self) -> impl Iterator<Item = &str> {
        self.requests.iter().rev().map(String::as_str)
    }

    /// The end of the answer to the newest request; `None`: it is open, or there is no request.
    #[must_use]
    pub fn answer(&self) -> Option<&str> {
        self.answer.as_deref().filter(|_| !self.requests.is_empty())
    }
}

fn texts(message: &Message) -> String {
    let texts: Vec<&str> = message.texts().map(str::trim).filter(|text| !text.is_empty()).collect();
    texts.join("\n\n")
}

#[cfg(test)]
mod tests;
