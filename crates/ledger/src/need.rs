//! What an answer uses that only an earlier tool result has shown, and whether the request before it still showed it.
//!
//! Three kinds. Names: paths and identifiers in the arguments of calls. Lines: those that an edit quotes. Files: those
//! that are read again. Names and lines count only if their first place in the session is a tool result: the model
//! cannot know them from elsewhere. Lines are the strictest measure: an index can hold names, but not the text of files.

mod names;
mod quoted;
mod shown;
mod text;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use throughline_conversation::{Message, Role};

use self::names::names;
use self::quoted::quoted;
pub(crate) use self::quoted::telling_lines;
pub use self::shown::Shown;
pub(crate) use self::text::texts;
use self::text::{has_part, strings, texts_by_origin};
use crate::tool_use::{Use, understand};

/// What one answer uses from earlier results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Need {
    /// Names in the arguments of its calls.
    pub names: BTreeSet<String>,
    /// Lines that its edits quote, without their margins.
    pub lines: Vec<String>,
    /// Files that it reads again: the path, and the call that has shown it last.
    pub files: BTreeMap<String, String>,
}

/// How much of a need was not in the request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Missed {
    /// Names.
    pub names: u64,
    /// Lines.
    pub lines: u64,
    /// Files whose earlier content had left.
    pub files: u64,
}

impl Missed {
    /// Returns true if the model has to fetch something again to give the answer. A file that is read again does not
    /// count: the answer itself fetches it.
    #[must_use]
    pub fn needs_refetch(self) -> bool {
        self.names + self.lines > 0
    }
}

impl Need {
    /// Returns true if nothing is used.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.lines.is_empty() && self.files.is_empty()
    }

    /// How much of the need the request did not show.
    #[must_use]
    pub fn missed(&self, shown: &Shown<'_>) -> Missed {
        let Self { names, lines, files } = self.missing(shown);
        Missed { names: names.len() as u64, lines: lines.len() as u64, files: files.len() as u64 }
    }

    /// The part of the need that the request did not show.
    #[must_use]
    pub fn missing(&self, shown: &Shown<'_>) -> Self {
        let files = self.files.iter().filter(|(_, call)| !shown.has_result(call));
        Self {
            names: self.names.iter().filter(|name| !shown.has_name(name)).cloned().collect(),
            lines: self.lines.iter().filter(|line| !shown.has(line)).cloned().collect(),
            files: files.map(|(path, call)| (path.clone(), call.clone())).collect(),
        }
    }
}

fn fingerprint(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

/// Bytes of a message's texts.
pub(crate) fn bytes(message: &Message) -> usize {
    texts(message).into_iter().map(str::len).sum()
}

/// Every name in the texts of a message, repeated ones included.
pub(crate) fn names_of(message: &Message) -> impl Iterator<Item = &str> {
    texts_by_origin(message).into_iter().flat_map(|(text, _)| names(text))
}

/// Bytes of text that a tracker keeps alive to look for lines: what is older is searched no more.
pub(crate) const MOST_BYTES: usize = 64 << 20;

/// Where names, lines and files occurred first. It grows message by message, and keeps the newest messages alive.
#[derive(Debug, Default)]
pub struct NeedTracker {
    /// Fingerprints of names: a long session has too many to store them.
    said: HashSet<u64>,
    results: HashSet<u64>,
    messages: VecDeque<Arc<Message>>,
    /// Bytes of their texts.
    bytes: usize,
    /// The call that has read a file last, by path.
    reads: HashMap<String, String>,
}

impl NeedTracker {
    /// Takes the next message of the session.
    pub fn note(&mut self, message: &Arc<Message>) {
        for call in message.tool_calls() {
            if let Use::Read(path) = understand(call) {
                self.reads.insert(path, call.id.clone());
            }
        }
        for (text, is_result) in texts_by_origin(message) {
            let (own, other) =
                if is_result { (&mut self.results, &self.said) } else { (&mut self.said, &self.results) };
            own.extend(names(text).map(fingerprint).filter(|name| !other.contains(name)));
        }
        self.bytes += bytes(message);
        self.messages.push_back(Arc::clone(message));
        while self.bytes > MOST_BYTES
            && let Some(oldest) = self.messages.pop_front()
        {
            self.bytes -= bytes(&oldest);
        }
    }

    /// What an answer uses of the messages so far. Of a message from the user's side: nothing.
    #[must_use]
    pub fn need(&self, answer: &Message) -> Need {
        let mut need = Need::default();
        if answer.role == Role::User {
            return need;
        }
        for call in answer.tool_calls() {
            strings(&call.input, &mut |_, text| {
                let used = names(text).filter(|name| self.results.contains(&fingerprint(name)));
                need.names.extend(used.map(str::to_owned));
            });
            need.lines.extend(quoted(call).into_iter().filter(|line| self.is_from_result(line)));
            if let Use::Read(path) = understand(call)
                && let Some(earlier) = self.reads.get(&path)
            {
                need.files.insert(path, earlier.clone());
            }
        }
        need
    }

    /// Returns true if the first text that has the line is the result of a call.
    fn is_from_result(&self, line: &str) -> bool {
        let texts = self.messages.iter().flat_map(|message| texts_by_origin(message));
        texts.into_iter().find(|(text, _)| has_part(text, line)).is_some_and(|(_, is_result)| is_result)
    }
}

#[cfg(test)]
mod tests;
