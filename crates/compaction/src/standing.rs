//! The texts of a session that every request after a compaction has word for word, and the check that it has them.

use throughline_conversation::{
    Certificate, CertifiedText, Entry, EntryKind, PinnedText, Seq, StandingKind, StandingPlace, TokenCounter,
};
use throughline_ledger::{CHECKLIST, Ledger, StepNote, section};

use crate::history::strings;
use crate::prose_summary::{request_of_summary, words_of_summary};
use crate::rules::{rules_of, without_marks};
use crate::words::unquote;

const NOTE: &str = include_str!("../texts/standing.md");
const MORE: &str = include_str!("../texts/standing_more.md");

/// More rules are not remembered; the oldest leave first.
const MAX_RULES: usize = 200;
/// Tokens that the note about missing texts may have.
const NOTE_TOKENS: u64 = 1_000;

/// The rules of the user and the open steps of a session. It grows with each compaction by what came since.
#[derive(Debug, Clone, Default)]
pub struct StandingTexts {
    rules: Vec<String>,
    tasks: Vec<String>,
    request: Option<String>,
    upto: Option<Seq>,
}

impl StandingTexts {
    /// Takes what entries say that are new since the last time.
    pub fn note(&mut self, entries: &[Entry]) {
        let upto = self.upto;
        for entry in entries.iter().filter(|entry| upto.is_none_or(|upto| entry.span.last > upto)) {
            let said = match entry.kind {
                EntryKind::User => {
                    let text = entry.message.request_text();
                    self.request = Some(text.clone());
                    vec![text]
                }
                EntryKind::Summary => {
                    let request = entry.own_texts().find_map(request_of_summary);
                    self.request = request.map(str::to_owned).or(self.request.take());
                    entry.own_texts().flat_map(words_of_summary).collect()
                }
                EntryKind::Assistant | EntryKind::Results | EntryKind::Notice => continue,
            };
            for text in &said {
                rules_of(without_marks(text)).into_iter().for_each(|rule| self.add(rule));
            }
        }
        self.upto = entries.last().map(|entry| entry.span.last).max(self.upto);
        let open = Ledger::of(entries).checklist.into_iter().filter(StepNote::is_open);
        self.tasks = open.map(|step| step.description).collect();
    }

    fn add(&mut self, rule: &str) {
        // What was cut in its middle is no rule of the user any more.
        if rule.contains(" bytes left out …]") {
            return;
        }
        self.rules.retain(|known| known != rule);
        self.rules.push(rule.to_owned());
        if self.rules.len() > MAX_RULES {
            self.rules.remove(0);
        }
    }

    /// Looks for every standing text in a view and the notes at its end.
    #[must_use]
    pub fn certify<'t>(
        &self,
        entries: &[Entry],
        pins: impl Iterator<Item = &'t PinnedText>,
        notes: &[String],
    ) -> Certificate {
        let place = Places::of(entries, notes);
        let certified = |kind, text: &str| CertifiedText {
            kind,
            text: text.to_owned(),
            place: place.of_text(kind, text),
        };
        let rules = self.rules.iter().map(|rule| certified(StandingKind::Rule, rule));
        let tasks = self.tasks.iter().map(|task| certified(StandingKind::Task, task));
        let pins = pins.map(|pin| certified(StandingKind::Pin, &pin.text));
        let request = self.request.iter().map(|text| certified(StandingKind::Request, text));
        let texts: Vec<CertifiedText> = rules.chain(pins).chain(tasks).chain(request).collect();
        let missing = texts.iter().filter(|text| text.place.is_none());
        Certificate {
            required: texts.len() as u64,
            missing: missing.map(|text| text.text.clone()).collect(),
            texts,
        }
    }

    /// The note for the end of each request with the texts that a view does not show, as far as they fit; `None` if it shows
    /// all.
    #[must_use]
    pub fn note_of_missing<'t>(
        &self,
        entries: &[Entry],
        pins: impl Iterator<Item = &'t PinnedText>,
        counter: &dyn TokenCounter,
    ) -> Option<String> {
        let missing = self.certify(entries, pins, &[]).missing;
        if missing.is_empty() {
            return None;
        }
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
        Some(note)
    }
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
