//! Search for words in transcripts. A file is read as a session only if its bytes have the words.

use std::path::Path;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Serialize;
use throughline_stored::{FolderScope, Search};
use throughline_watch::{recording_bytes, subagents_of};

use super::places::FoundTranscript;
use super::reader::{PART, Transcripts, blocking};
use crate::answer::Failure;

/// After this time no further file is searched.
const LIMIT: Duration = Duration::from_secs(10);

/// A text of a transcript that has all words of a search.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct TranscriptHit {
    /// The name of the transcript in paths of this API.
    pub(crate) transcript: String,
    pub(crate) title: String,
    pub(crate) turn: u64,
    pub(crate) record: u64,
    /// What the text is: `text`, `call`, `result` or `summary`.
    pub(crate) kind: &'static str,
    /// A part of the text with the first word, on one line.
    pub(crate) excerpt: String,
}

/// What a search has found.
#[derive(Debug, Default)]
pub(crate) struct TranscriptHits {
    /// Those of the transcript that was written last come first.
    pub(crate) hits: Vec<TranscriptHit>,
    /// Transcripts that were not searched, because there were hits enough or the time was up.
    pub(crate) unsearched: usize,
}

impl Transcripts {
    /// The texts of transcripts that have all words of a search, up to its maximum.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub(crate) async fn search(&self, search: Search, scope: FolderScope) -> Result<TranscriptHits, Failure> {
        let all = self.list(scope).await?;
        let own = self.clone();
        blocking(move || Ok(own.search_in(&all, &search))).await
    }

    fn search_in(&self, all: &[FoundTranscript], search: &Search) -> TranscriptHits {
        let end = Instant::now() + LIMIT;
        let mut found = TranscriptHits::default();
        for (place, transcript) in all.iter().enumerate() {
            if found.hits.len() >= search.most || Instant::now() > end {
                found.unsearched = all.len() - place;
                break;
            }
            self.search_file(transcript, &transcript.key, search, &mut found.hits);
            for file in subagents_of(&transcript.file) {
                let key = format!("{}{PART}{}", transcript.key, file.id);
                let subagent = FoundTranscript::new(transcript.agent, file);
                self.search_file(&subagent, &key, search, &mut found.hits);
            }
        }
        found.hits.truncate(search.most);
        found
    }

    /// Adds the hits of a file. One that is no recording has none.
    fn search_file(
        &self,
        found: &FoundTranscript,
        key: &str,
        search: &Search,
        hits: &mut Vec<TranscriptHit>,
    ) {
        if !may_have(&found.file.path, search.words()) {
            return;
        }
        let Ok(read) = self.read(found) else { return };
        for (place, part) in read.parts.iter().enumerate() {
            let key = if place == 0 { key.to_owned() } else { format!("{key}{PART}{place}") };
            for record in &part.log.records {
                hits.extend(search.texts_of(record).into_iter().map(|(kind, excerpt)| TranscriptHit {
                    transcript: key.clone(),
                    title: part.title.clone(),
                    turn: record.exchange.0,
                    record: record.seq.0,
                    kind,
                    excerpt,
                }));
            }
        }
    }
}

/// Returns false if a file cannot have all of the words. JSON has words verbatim, but for letters that it may escape; what begins
/// otherwise is not looked into.
fn may_have(path: &Path, words: &[String]) -> bool {
    let Ok(mut bytes) = recording_bytes(path) else { return false };
    if !matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return true;
    }
    bytes.make_ascii_lowercase();
    let text = String::from_utf8_lossy(&bytes);
    let verbatim = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.' | ':');
    words.iter().all(|word| word.split(|letter| !verbatim(letter)).all(|part| text.contains(part)))
}

#[cfg(test)]
mod tests;
