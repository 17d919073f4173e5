//! Ranking by words: Okapi BM25 over names, descriptions and the names of arguments.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use serde_json::Value;
use throughline_conversation::ToolDefinition;

use crate::words::words;
use crate::{RankError, ToolRanker};

/// How soon further occurrences of a word stop to count (the usual value of the Okapi BM25 formula).
const K1: f64 = 1.2;

/// How much long descriptions are held against a tool (the usual value of the Okapi BM25 formula).
const B: f64 = 0.75;

/// How often a word in the name counts: a name is short, and chosen to say what the tool does.
const NAME_WEIGHT: u32 = 4;

/// Finds tools by the words of the query. Needs no model and never fails.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bm25Ranker;

/// The words of a tool.
struct Document<'a> {
    name: &'a str,
    counts: BTreeMap<String, u32>,
    length: u32,
}

#[async_trait]
impl ToolRanker for Bm25Ranker {
    async fn rank(
        &self,
        query: &str,
        tools: &[ToolDefinition],
        limit: usize,
    ) -> Result<Vec<String>, RankError> {
        Ok(rank(query, tools, limit))
    }
}

fn rank(query: &str, tools: &[ToolDefinition], limit: usize) -> Vec<String> {
    let terms: BTreeSet<String> = words(query).into_iter().collect();
    let documents: Vec<Document<'_>> = tools.iter().map(Document::of).collect();
    let count = documents.len() as f64;
    let average = documents.iter().map(|document| f64::from(document.length)).sum::<f64>() / count.max(1.0);
    let mut scores = vec![0.0_f64; documents.len()];
    for term in &terms {
        let having = documents.iter().filter(|document| document.counts.contains_key(term)).count() as f64;
        let rarity = (1.0 + (count - having + 0.5) / (having + 0.5)).ln();
        for (document, score) in documents.iter().zip(&mut scores) {
            let Some(times) = document.counts.get(term).map(|times| f64::from(*times)) else { continue };
            let length = 1.0 - B + B * f64::from(document.length) / average;
            *score += rarity * times * (K1 + 1.0) / (times + K1 * length);
        }
    }
    let asked = query.trim();
    let mut found: Vec<(bool, f64, &str)> = documents
        .iter()
        .zip(scores)
        .map(|(document, score)| (document.name.eq_ignore_ascii_case(asked), score, document.name))
        .filter(|(exact, score, _)| *exact || *score > 0.0)
        .collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(b.2)));
    let mut seen = BTreeSet::new();
    found.retain(|(_, _, name)| seen.insert(*name));
    found.into_iter().take(limit).map(|(_, _, name)| name.to_owned()).collect()
}

impl<'a> Document<'a> {
    fn of(tool: &'a ToolDefinition) -> Self {
        let mut document = Self { name: &tool.name, counts: BTreeMap::new(), length: 0 };
        document.add(&tool.name, NAME_WEIGHT);
        document.add(&tool.description, 1);
        document.add_properties(&tool.input_schema);
        document
    }

    fn add(&mut self, text: &str, weight: u32) {
        for word in words(text) {
            let count = self.counts.entry(word).or_default();
            *count = count.saturating_add(weight);
            self.length = self.length.saturating_add(weight);
        }
    }

    /// Names of the arguments, also of nested ones. The depth is that of the JSON value, which parsers bound.
    fn add_properties(&mut self, schema: &Value) {
        match schema {
            Value::Object(fields) => {
                for (field, value) in fields {
                    if let ("properties", Value::Object(properties)) = (field.as_str(), value) {
                        for (name, inner) in properties {
                            self.add(name, 1);
                            self.add_properties(inner);
                        }
                    } else {
                        self.add_properties(value);
                    }
                }
            }
            Value::Array(values) => {
                for value in values {
                    self.add_properties(value);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
