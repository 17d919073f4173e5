//! Ranking by words: Okapi BM25 over names, descriptions and the names of arguments, each with its own weight (the
//! variant with fields, BM25F).

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use serde_json::Value;
use throughline_conversation::ToolDefinition;

use crate::ranker::{RankError, ToolRanker};
use crate::related::related;
use crate::words::words;

/// How soon further occurrences of a word stop to count (the usual value of the Okapi BM25 formula).
const K1: f64 = 1.2;

/// The fields of a tool: its name, its description, the names of its arguments.
const FIELDS: [Field; 3] =
    [Field { weight: 3.0, b: 0.5 }, Field { weight: 1.0, b: 0.75 }, Field { weight: 0.5, b: 0.75 }];

/// Weight of a word with the same beginning as the queried one, or with a related meaning.
const NEAR: f64 = 0.6;

/// Shorter words begin like too many others.
const PREFIX_FROM: usize = 4;

/// The weight of a word by field.
struct Field {
    /// A name is short, and chosen to say what the tool does; an argument may be about anything.
    weight: f64,
    /// How much a long text is held against a tool (0.75 is the usual value of the Okapi BM25 formula).
    b: f64,
}

/// Finds tools by the words of the query. Needs no model and never fails.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bm25Ranker;

/// The words of a tool, by field.
struct ToolWords<'a> {
    name: &'a str,
    fields: [Vec<String>; 3],
}

/// All tools: what each word counts in each, and how many have it.
struct Index<'a> {
    tools: Vec<(&'a str, BTreeMap<String, f64>)>,
    having: BTreeMap<String, u32>,
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
    let index = Index::of(tools);
    let terms: BTreeSet<String> = words(query).into_iter().collect();
    let families: Vec<BTreeMap<&str, f64>> = terms.iter().map(|term| index.family(term)).collect();
    let asked = query.trim();
    let mut found: Vec<(bool, f64, &str)> = index
        .tools
        .iter()
        .map(|(name, counts)| (name.eq_ignore_ascii_case(asked), score(counts, &families), *name))
        .filter(|(exact, score, _)| *exact || *score > 0.0)
        .collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(b.2)));
    let mut seen = BTreeSet::new();
    found.retain(|(_, _, name)| seen.insert(*name));
    found.into_iter().take(limit).map(|(_, _, name)| name.to_owned()).collect()
}

/// How well a tool fits: the sum of the best of each family, less where the tool has few of what was asked for. One
/// rare word alone is weaker evidence than all words together.
fn score(counts: &BTreeMap<String, f64>, families: &[BTreeMap<&str, f64>]) -> f64 {
    let best = |family: &BTreeMap<&str, f64>| {
        family
            .iter()
            .filter_map(|(word, weight)| {
                counts.get(*word).map(|count| weight * count * (K1 + 1.0) / (count + K1))
            })
            .fold(0.0, f64::max)
    };
    let hits: Vec<f64> = families.iter().map(best).filter(|hit| *hit > 0.0).collect();
    let covered = hits.len() as f64 / families.len().max(1) as f64;
    hits.iter().sum::<f64>() * covered.sqrt()
}

impl<'a> Index<'a> {
    fn of(tools: &'a [ToolDefinition]) -> Self {
        let documents: Vec<ToolWords<'a>> = tools.iter().map(ToolWords::of).collect();
        let count = documents.len().max(1) as f64;
        let mut averages = [0.0; 3];
        for document in &documents {
            for (average, field) in averages.iter_mut().zip(&document.fields) {
                *average += field.len() as f64 / count;
            }
        }
        let tools: Vec<_> =
            documents.iter().map(|document| (document.name, document.counts(&averages))).collect();
        let mut having = BTreeMap::new();
        for word in tools.iter().flat_map(|(_, counts)| counts.keys()) {
            *having.entry(word.clone()).or_default() += 1;
        }
        Self { tools, having }
    }

    /// The words of tools that answer a word of the query, and what each counts: more the rarer it is.
    fn family(&self, term: &str) -> BTreeMap<&str, f64> {
        let mut family = BTreeMap::new();
        for (word, having) in &self.having {
            let nearness = match word.as_str() {
                same if same == term => 1.0,
                other if begins_like(other, term) || related(term).any(|near| near == other) => NEAR,
                _ => continue,
            };
            let (count, having) = (self.tools.len() as f64, f64::from(*having));
            let rarity = (1.0 + (count - having + 0.5) / (having + 0.5)).ln();
            family.insert(word.as_str(), nearness * rarity);
        }
        family
    }
}

/// Returns true if one of the words begins with the other: `remind` and `reminder`, `deploy` and `deployment`.
fn begins_like(one: &str, other: &str) -> bool {
    one.len().min(other.len()) >= PREFIX_FROM && (one.starts_with(other) || other.starts_with(one))
}

impl<'a> ToolWords<'a> {
    fn of(tool: &'a ToolDefinition) -> Self {
        // A server's name is often a part of its tools' names as well.
        let mut seen = BTreeSet::new();
        let name = words(&tool.name).into_iter().filter(|word| seen.insert(word.clone())).collect();
        let mut arguments = Vec::new();
        add_properties(&tool.input_schema, &mut arguments);
        Self { name: &tool.name, fields: [name, words(&tool.description), arguments] }
    }

    /// The weight of each word, lower in fields longer than average.
    fn counts(&self, averages: &[f64; 3]) -> BTreeMap<String, f64> {
        let mut counts = BTreeMap::new();
        for ((field, words), average) in FIELDS.iter().zip(&self.fields).zip(averages) {
            let length = 1.0 - field.b + field.b * words.len() as f64 / average.max(f64::MIN_POSITIVE);
            for word in words {
                *counts.entry(word.clone()).or_default() += field.weight / length;
            }
        }
        counts
    }
}

/// The words in names of arguments, also of nested ones. The depth is that of the JSON value, which parsers bound.
fn add_properties(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            for (field, value) in fields {
                if let ("properties", Value::Object(properties)) = (field.as_str(), value) {
                    for (name, inner) in properties {
                        found.extend(words(name));
                        add_properties(inner, found);
                    }
                } else {
                    add_properties(value, found);
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| add_properties(value, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
