//! The names and lines that each answer of a session uses from earlier results.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use throughline_conversation::{Message, ToolCall};

use super::names::names;
use super::text::{strings, texts};
use crate::session::RecordedSession;

/// Shorter lines, as `}` or `return x;`, are found anywhere by chance.
const SHORTEST_LINE: usize = 16;

/// Lines of one call that are looked for; a patch of a whole file is one event, not a thousand.
const MOST_LINES: usize = 12;

/// Keys under which edits quote the text that they replace.
const QUOTES: [&str; 6] = ["old_string", "oldString", "old_str", "old_text", "oldText", "search"];

/// The names and lines of an answer that came from an earlier result.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Need {
    pub(super) names: BTreeSet<String>,
    pub(super) lines: Vec<String>,
}

/// What each answer needs, by turn and step. Answers that need nothing are left out.
pub(super) fn needs(session: &RecordedSession) -> BTreeMap<(usize, usize), Need> {
    let mut first = FirstSeen::default();
    let mut all = BTreeMap::new();
    for (place, turn) in session.turns.iter().enumerate() {
        first.said(&turn.user);
        for (number, step) in turn.steps.iter().enumerate() {
            let mut need = Need::default();
            for call in step.assistant.tool_calls() {
                strings(&call.input, &mut |_, text| {
                    let used = names(text).filter(|name| first.results.contains(*name));
                    need.names.extend(used.map(str::to_owned));
                });
                need.lines.extend(quoted(call).into_iter().filter(|line| first.is_from_result(line)));
            }
            if need != Need::default() {
                all.insert((place, number), need);
            }
            first.said(&step.assistant);
            for result in &step.results {
                first.answered(&result.content);
            }
        }
    }
    all
}

/// Where names and lines occurred first.
#[derive(Default)]
struct FirstSeen<'a> {
    said: HashSet<&'a str>,
    results: HashSet<&'a str>,
    /// Texts in order; whether each is a result.
    texts: Vec<(&'a str, bool)>,
}

impl<'a> FirstSeen<'a> {
    fn said(&mut self, message: &'a Message) {
        for text in texts(message) {
            self.said.extend(names(text).filter(|name| !self.results.contains(name)));
            self.texts.push((text, false));
        }
    }

    fn answered(&mut self, text: &'a str) {
        self.results.extend(names(text).filter(|name| !self.said.contains(name)));
        self.texts.push((text, true));
    }

    fn is_from_result(&self, line: &str) -> bool {
        self.texts.iter().find(|(text, _)| text.contains(line)).is_some_and(|(_, result)| *result)
    }
}

/// The lines that an edit quotes from the file, without their margins, each once.
fn quoted(call: &ToolCall) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut take = |line: &str| {
        let line = line.trim();
        if line.len() >= SHORTEST_LINE && lines.len() < MOST_LINES && !lines.iter().any(|other| other == line)
        {
            lines.push(line.to_owned());
        }
    };
    strings(&call.input, &mut |key, text| {
        if key.is_some_and(|key| QUOTES.contains(&key)) {
            text.lines().for_each(&mut take);
        } else if text.contains("*** Begin Patch") {
            // Context and removed lines of a patch; what it adds is new.
            text.lines().filter_map(|line| line.strip_prefix([' ', '-'])).for_each(&mut take);
        }
    });
    lines
}
