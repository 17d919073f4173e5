//! The texts of a session that every request after a compaction has word for word, and the check that it has them.

use throughline_conversation::{
    Certificate, CertifiedText, Entry, EntryKind, StandingKind, StandingPlace, TokenCounter, View,
};
use throughline_ledger::{CHECKLIST, Ledger, StepNote, section};

use crate::history::strings;
use crate::prose_summary::{request_of_summary, words_of_summary};
use crate::words::unquote;

const NOTE: &str = include_str!("../texts/standing.md");
const MORE: &str = include_str!("../texts/standing_more.md");

/// Tokens that the note about missing texts may have.
const NOTE_TOKENS: u64 = 1_000;

/// The open steps of a session at its last compaction, and the check of a view for all that has to stand.
#[derive(Debug, Clone, Default)]
pub struct StandingTexts {
    tasks: Vec<String>,
}

impl StandingTexts {
    /// Takes the steps that are open by these entries, in place of those before.
    pub fn note(&mut self, entries: &[Entry]) {
        let open = Ledger::of(entries).checklist.into_iter().filter(StepNote::is_open);
        self.tasks = open.map(|step| step.description).collect();
    }

    /// Looks for every standing text in a view and the notes at its end.
    #[must_use]
    pub fn certify(&self, view: &View, notes: &[String]) -> Certificate {
        let place = Places::of(view.entries(), notes);
        let certified = |kind, text: &str| CertifiedText {
            kind,
            text: text.to_owned(),
            place: place.of_text(kind, text),
        };
        let rules = view.said().rules().into_iter().map(|rule| certified(StandingKind::Rule, rule));
        let tasks = self.tasks.iter().map(|task| certified(StandingKind::Task, task));
        let pins = view.groups().pinned_texts().map(|pin| certified(StandingKind::Pin, &pin.text));
        let request = last_request(view).map(|text| certified(StandingKind::Request, text));
        let texts: Vec<CertifiedText> = rules.chain(pins).chain(tasks).chain(request).collect();
        Certificate { required: texts.len() as u64, missing: missing(&texts), texts }
    }

    /// The note for the end of each request with the texts that a view does not show, as far as they fit; `None` if it shows
    /// all.
    #[must_use]
    pub fn note_of_missing(&self, view: &View, counter: &dyn TokenCounter) -> Option<String> {
        let missing = self.certify(view, &[]).missing;
        (!missing.is_empty()).then(|| note_of(&missing, counter))
    }
}

/// The user's last request: the newest message, or what a summary has of it where the log has lost that.
fn last_request(view: &View) -> Option<&str> {
    let summaries = || view.entries().iter().rev().filter(|entry| entry.kind == EntryKind::Summary);
    let quoted = || summaries().flat_map(Entry::own_texts).find_map(request_of_summary);
    view.said().request().or_else(quoted)
}

/// The texts that have no place, each once: the last request may be a rule.
fn missing(texts: &[CertifiedText]) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    for text in texts.iter().filter(|text| text.place.is_none()) {
        if !missing.contains(&text.text) {
            missing.push(text.text.clone());
        }
    }
    missing
}

/// Quotes texts, the last first, and counts those that do not fit.
fn note_of(missing: &[String], counter: &dyn TokenCounter) -> String {
    let mut note = NOTE.trim_end().to_owned();
    let mut left = NOTE_TOKENS;
    let mut more = 0;
    for text in missing.iter().rev() {
        let quoted = format!("\n\n> {}", text.replace('\n', "\n> "));
        let tokens = counter.text(&quoted);
        if tokens <= left {
            left -= tokens;
            note.push_str(&quoted);
        } else {
            more += 1;
        }
    }
    if more > 0 {
        note.push_str("\n\n");
        note.push_str(MORE.trim_end().replace("{{count}}", &more.to_string()).as_str());
    }
    note
}

/// What a request shows of the user's words.
struct Places<'t> {
    entries: &'t [Entry],
    /// What the user says in each message, then the user's words in each summary.
    said: Vec<(StandingPlace, Vec<String>)>,
    /// Quotes at the end.
    notes: Vec<String>,
}

impl<'t> Places<'t> {
    fn of(entries: &'t [Entry], notes: &[String]) -> Self {
        let of = |kind: EntryKind| entries.iter().filter(move |entry| entry.kind == kind);
        let messages = of(EntryKind::User)
            .map(|entry| (StandingPlace::Message(entry.span.last), vec![entry.message.request_text()]));
        let summaries = of(EntryKind::Summary).map(|entry| {
            (StandingPlace::Summary(entry.span), entry.own_texts().flat_map(words_of_summary).collect())
        });
        let notes = notes.iter().flat_map(|note| unquote(note));
        Self { entries, said: messages.chain(summaries).collect(), notes: notes.collect() }
    }

    fn of_text(&self, kind: StandingKind, text: &str) -> Option<StandingPlace> {
        match kind {
            StandingKind::Pin => self.anywhere(text),
            StandingKind::Task => self.anywhere(text).or_else(|| self.in_checklist(text)),
            StandingKind::Rule | StandingKind::Request => self.said(text),
        }
        .or_else(|| self.notes.iter().any(|note| note == text).then_some(StandingPlace::Note))
    }

    /// In the user's own words: another text that has the same words is not what the user said.
    fn said(&self, text: &str) -> Option<StandingPlace> {
        let shows = |(_, words): &&(StandingPlace, Vec<String>)| words.iter().any(|word| word.contains(text));
        self.said.iter().find(shows).map(|(place, _)| *place)
    }

    fn anywhere(&self, text: &str) -> Option<StandingPlace> {
        let shows = |entry: &&Entry| {
            let mut results = entry.message.tool_results();
            entry.message.texts().any(|said| said.contains(text))
                || results.any(|result| result.content.contains(text))
        };
        self.entries.iter().find(shows).map(|entry| match entry.kind {
            EntryKind::Summary => StandingPlace::Summary(entry.span),
            _ => StandingPlace::Message(entry.span.last),
        })
    }

    /// In the newest checklist call that is in view, or in the list of a summary, which writes a step in one line.
    fn in_checklist(&self, text: &str) -> Option<StandingPlace> {
        let called = |entry: &&Entry| {
            entry.message.tool_calls().any(|call| strings(&call.input).any(|said| said == text))
        };
        let listed = |entry: &&Entry| {
            let mut lists = entry.own_texts().filter_map(|summary| section(summary, CHECKLIST));
            lists.any(|list| list.contains(text))
        };
        let call =
            self.entries.iter().rev().find(called).map(|entry| StandingPlace::Message(entry.span.last));
        let summary = self.entries.iter().rev().find(listed).map(|entry| StandingPlace::Summary(entry.span));
        call.or(summary)
    }
}

#[cfg(test)]
mod tests;
