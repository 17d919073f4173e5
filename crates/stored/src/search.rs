//! Search for words in the titles, messages, documents and summaries of all sessions.

use std::borrow::Cow;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;
use throughline_conversation::{Action, ContentBlock, ExchangeId, Record, RecordBody, Seq, SessionId};
use throughline_text::first_chars;

use crate::error::{Error, Result};
use crate::folder_scope::FolderScope;
use crate::storage::Storage;

/// Characters before the first word of an excerpt, and of the whole excerpt.
const EXCERPT: (usize, usize) = (60, 240);

/// A text that has all words of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SearchHit {
    /// The session.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub session: SessionId,
    /// Its title.
    pub title: String,
    /// The turn; `None`: the title has the words.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u64>"))]
    pub turn: Option<ExchangeId>,
    /// The record of the text; `None`: the title has the words.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u64>"))]
    pub record: Option<Seq>,
    /// What the text is: `title`, `text`, `call`, `result`, `document` or `summary`.
    pub kind: &'static str,
    /// A part of the text with the first word, on one line.
    pub excerpt: String,
}

/// What is searched for, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    words: Vec<String>,
    /// Parts of longer words do not count.
    whole: bool,
    /// Only in this session; `None`: in all.
    pub session: Option<SessionId>,
    /// Maximum number of hits.
    pub most: usize,
    /// Only sessions of these folders.
    pub scope: FolderScope,
}

impl Search {
    /// A search for texts that have every one of these words, whatever the case of their letters.
    ///
    /// # Errors
    /// There is no word.
    pub fn new(words: &str, session: Option<SessionId>, most: usize) -> Result<Self> {
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        if words.is_empty() {
            return Err(Error::usage("name the words to search for"));
        }
        Ok(Self { words, whole: false, session, most, scope: FolderScope::default() })
    }

    /// The same in the sessions of these folders alone.
    #[must_use]
    pub fn within(self, scope: FolderScope) -> Self {
        Self { scope, ..self }
    }

    /// The same for whole words: a text with `grounding` has no `round`.
    #[must_use]
    pub fn for_whole_words(self, whole: bool) -> Self {
        Self { whole, ..self }
    }

    /// The words, in lower case.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// What the texts of a record are that have all words, and a part of each.
    #[must_use]
    pub fn texts_of(&self, record: &Record) -> Vec<(&'static str, String)> {
        let hit = |(kind, text): (_, Cow<'_, str>)| Some((kind, self.excerpt(&text)?));
        texts(record).into_iter().filter_map(hit).collect()
    }

    /// The part of a text with the first word, if the text has all of them.
    fn excerpt(&self, text: &str) -> Option<String> {
        let lower = text.to_lowercase();
        let place = |word: &String| match self.whole {
            true => whole_word(&lower, word),
            false => lower.find(word.as_str()),
        };
        if !self.words.iter().all(|word| place(word).is_some()) {
            return None;
        }
        let at = place(self.words.first()?)?;
        let before = lower.get(..at).map_or(0, |start| start.chars().count());
        Some(excerpt(text, before))
    }
}

/// The part of a text around the character at this place, on one line. It begins and ends between words, with an ellipsis where more
/// text is.
fn excerpt(text: &str, place: usize) -> String {
    let (lead, most) = EXCERPT;
    let byte = |characters: usize| text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    let (first, found) = (byte(place.saturating_sub(lead)), byte(place));
    let (before, rest) = (text.get(first..found).unwrap_or_default(), text.get(found..).unwrap_or_default());
    // A word without an end in reach is cut: it may be as long as the text.
    let (cut, start) = match before.split_once(char::is_whitespace) {
        Some((_, whole)) if first > 0 => ("… ", whole),
        _ => (if first > 0 { "…" } else { "" }, before),
    };
    let shown = first_chars(rest, most - start.chars().count());
    let (end, more) = match shown.rsplit_once(char::is_whitespace) {
        _ if shown.len() == rest.len() => (shown, ""),
        Some((whole, _)) => (whole, " …"),
        None => (shown, "…"),
    };
    let line = format!("{start}{end}").split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{cut}{line}{more}")
}

/// The first place of a word that is no part of a longer one.
fn whole_word(text: &str, word: &str) -> Option<usize> {
    let is_part =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let (before, after) = (text.get(..*at), text.get(at + word.len()..));
        !is_part(before.and_then(|text| text.chars().next_back()))
            && !is_part(after.and_then(|text| text.chars().next()))
    })
}

impl Storage {
    /// The texts that have all words of a search, the newest session first. Deleted turns have no text.
    ///
    /// # Errors
    /// The list of sessions or a log cannot be read.
    pub async fn search(&self, search: &Search) -> Result<Vec<SearchHit>> {
        let mut hits = Vec::new();
        for session in self.names_in(&search.scope).await? {
            let info = session.info;
            if search.session.as_ref().is_some_and(|only| *only != info.id) {
                continue;
            }
            let hit = |at: Option<(ExchangeId, Seq)>, kind, excerpt| SearchHit {
                session: info.id.clone(),
                title: info.title.clone(),
                turn: at.map(|(turn, _)| turn),
                record: at.map(|(_, record)| record),
                kind,
                excerpt,
            };
            hits.extend(search.excerpt(&info.title).map(|excerpt| hit(None, "title", excerpt)));
            let room = search.most.saturating_sub(hits.len());
            let mut found = Vec::new();
            let mut take = |record: &Record| {
                let at = Some((record.exchange, record.seq));
                found.extend(search.texts_of(record).into_iter().map(|(kind, part)| hit(at, kind, part)));
                found.len() < room
            };
            self.each_candidate(&info.id, &search.words, &mut take).await?;
            hits.extend(found);
            if hits.len() >= search.most {
                break;
            }
        }
        hits.truncate(search.most);
        Ok(hits)
    }

    /// The records of a session that may have these words, oldest first, until `take` wants no more. The database of the
    /// store finds them; a log of the caller's own is read whole, and so is one that the database cannot search.
    async fn each_candidate(
        &self,
        session: &SessionId,
        words: &[String],
        take: &mut impl FnMut(&Record) -> bool,
    ) -> Result<()> {
        let mut after = Seq(0);
        while !self.has_ports() {
            let found = self.store.records_that_may_have(session, words, after).await;
            let Ok(page) = found else { break };
            let Some(last) = page.last() else { return Ok(()) };
            after = last.seq;
            if !page.iter().all(&mut *take) {
                return Ok(());
            }
        }
        let mut wants = true;
        self.each_record(session, |record| wants = wants && (record.seq <= after || take(record))).await
    }
}

/// The texts of a record, and what each is.
fn texts(record: &Record) -> Vec<(&'static str, Cow<'_, str>)> {
    match &record.body {
        RecordBody::Message(message) => message.message.content.iter().filter_map(block_text).collect(),
        RecordBody::Document(document) => vec![("document", document.text.as_str().into())],
        RecordBody::Edit(edit) => {
            let summaries = edit.actions.iter().filter_map(|action| match action {
                Action::Cover { summary: Some(text), .. } => Some(("summary", text.as_str().into())),
                _ => None,
            });
            summaries.collect()
        }
        _ => Vec::new(),
    }
}

fn block_text(block: &ContentBlock) -> Option<(&'static str, Cow<'_, str>)> {
    match block {
        ContentBlock::Text { text } => Some(("text", text.as_str().into())),
        ContentBlock::ToolCall(call) => Some(("call", format!("{} {}", call.name, call.input).into())),
        ContentBlock::ToolResult(result) => Some(("result", result.content.as_str().into())),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
