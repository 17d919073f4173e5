//! Words that the field does not use, in comments, strings, names and pages, with the words that it does use.

mod prose;
mod table;

use std::collections::BTreeMap;

use super::Finding;
use super::sources::{Source, Sources};
use crate::source;
use crate::tree::TextFile;
use prose::Word;
use table::TABLE;

/// The list itself, and what it is tested with.
const SKIPPED: &str = "xtask/src/tidy/dialect";

/// Every place with such a word.
pub(super) fn find(sources: &Sources<'_>) -> Vec<Finding> {
    let rust = sources.rust.iter().map(|source| (source.file, rust_words(source)));
    let pages =
        sources.files.iter().filter(|file| is_page(file)).map(|file| (file, prose::of_page(&file.text)));
    let all = rust.chain(pages).filter(|(file, _)| !file.path.starts_with(SKIPPED));
    let phrases = phrases();
    all.flat_map(|(file, words)| in_words(file, &words, &phrases)).collect()
}

fn rust_words(source: &Source<'_>) -> Vec<Word> {
    prose::of_rust(&source.tokens)
}

/// Pages and manifests. What tests read is recorded data, and a prompt is worded for models and changes only with a
/// measurement; both lie below a crate's own folder.
fn is_page(file: &TextFile) -> bool {
    let is_prompt = file.path.starts_with("crates/") && file.path.split('/').count() > 3;
    let is_written = file.path.ends_with(".md") && !is_prompt || file.path.ends_with(".toml");
    is_written && !source::is_test_file(&file.path)
}

/// The phrases of the table as words, by their first word, with the advice.
type Phrases = BTreeMap<&'static str, Vec<(Vec<&'static str>, String)>>;

fn phrases() -> Phrases {
    let mut phrases = Phrases::new();
    for (spellings, better) in TABLE {
        for phrase in *spellings {
            let words: Vec<_> = phrase.split(' ').collect();
            let shown = prose::STARTS.iter().fold(*phrase, |phrase, start| phrase.trim_start_matches(start));
            let shown = shown.trim_start();
            let Some(first) = words.first().copied() else { continue };
            phrases.entry(first).or_default().push((words, format!("`{shown}`: write {better}")));
        }
    }
    phrases
}

/// The places in one file.
fn in_words(file: &TextFile, words: &[Word], phrases: &Phrases) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (at, word) in words.iter().enumerate() {
        for (phrase, says) in phrases.get(word.text.as_str()).into_iter().flatten() {
            let found = words.get(at..at + phrase.len()).unwrap_or_default();
            if found.iter().map(|word| word.text.as_str()).eq(phrase.iter().copied()) {
                let line = found.last().map_or(word.line, |last| last.line);
                findings.push(Finding::at(file, line, says.as_str()));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests;
