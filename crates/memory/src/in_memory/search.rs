//! Okapi BM25 over all stored texts, computed for each query.

use std::collections::BTreeMap;

use super::StoredMemory;
use crate::index::MemoryHit;
use crate::query::Query;
use crate::query::{Kinds, TAG_WEIGHT};
use crate::scope::Scope;
use crate::terms::terms;

/// How soon further occurrences of a word stop to count (the usual value of the formula).
const K1: f64 = 1.2;

/// Penalty of long texts (the usual value of the formula).
const B: f64 = 0.75;

struct ScoredText {
    hit: MemoryHit,
    counts: BTreeMap<String, f64>,
    length: f64,
    wanted: bool,
}

pub(super) fn search(state: &StoredMemory, query: &Query, scope: &Scope, limit: usize) -> Vec<MemoryHit> {
    let documents = documents(state, query, scope);
    let count = documents.len() as f64;
    let average = documents.iter().map(|document| document.length).sum::<f64>() / count.max(1.0);
    let mut scores = vec![0.0_f64; documents.len()];
    for term in query.terms() {
        let having = documents.iter().filter(|document| document.counts.contains_key(term)).count() as f64;
        let rarity = (1.0 + (count - having + 0.5) / (having + 0.5)).ln();
        for (document, score) in documents.iter().zip(&mut scores) {
            let Some(times) = document.counts.get(term) else { continue };
            let length = 1.0 - B + B * document.length / average;
            *score += rarity * times * (K1 + 1.0) / (times + K1 * length);
        }
    }
    let mut found: Vec<(f64, ScoredText)> = scores.into_iter().zip(documents).collect();
    found.retain(|(score, document)| *score > 0.0 && document.wanted);
    // Stable: what is equally good keeps the order of names.
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().take(limit).map(|(_, document)| document.hit).collect()
}

fn documents(state: &StoredMemory, query: &Query, scope: &Scope) -> Vec<ScoredText> {
    let memos = state.memos.values().map(|memo| {
        let wanted = query.kinds() != Kinds::Files && scope.holds_memos(memo.workspace.as_deref());
        ScoredText::of(MemoryHit::Memo(memo.clone()), &memo.content, &memo.tags, wanted)
    });
    let chunks = state.files.values().flat_map(|(file, chunks)| {
        let wanted = query.kinds() != Kinds::Memos && scope.holds_files(file.workspace.as_deref());
        let hit = |chunk: &crate::Chunk| MemoryHit::Chunk { name: file.name.clone(), chunk: chunk.clone() };
        chunks.iter().map(move |chunk| ScoredText::of(hit(chunk), &chunk.text, &[], wanted))
    });
    memos.chain(chunks).collect()
}

impl ScoredText {
    fn of(hit: MemoryHit, text: &str, tags: &[String], wanted: bool) -> Self {
        let mut document = Self { hit, counts: BTreeMap::new(), length: 0.0, wanted };
        document.add(text, 1.0);
        for tag in tags {
            document.add(tag, TAG_WEIGHT);
        }
        document
    }

    fn add(&mut self, text: &str, weight: f64) {
        for term in terms(text) {
            *self.counts.entry(term).or_default() += weight;
            self.length += 1.0;
        }
    }
}
