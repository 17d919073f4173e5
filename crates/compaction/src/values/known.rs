//! A list of keys with their newest values.

use std::collections::{HashMap, HashSet};

use throughline_conversation::Seq;

use crate::value::specificity;

/// More are not remembered; the oldest leave first.
const MAX_KEYS: usize = 4_000;

/// How sure it is that a line of a text is a value that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// The user gave it, or a call asked for it alone.
    Sure,
    /// One of several of a result.
    Likely,
}

#[derive(Debug, Clone)]
struct Value {
    text: String,
    weight: Weight,
    /// Its place among all values that were put.
    order: u64,
    /// The record that says it.
    at: Seq,
}

/// Keys, each with its newest value.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    values: HashMap<String, Value>,
    /// Values of all times, replaced ones too.
    ever: HashSet<String>,
    count: u64,
}

impl Known {
    /// Puts a value. What would not be one line of a list in a summary, where headings and quotes say whose words they are, is left
    /// out.
    pub(super) fn put(&mut self, key: String, text: String, weight: Weight, at: Seq) {
        let breaks = |part: &str| {
            part.contains(|letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}'))
        };
        if breaks(&key) || breaks(&text) || key.trim_start().starts_with(['#', '>']) {
            return;
        }
        self.count += 1;
        self.ever.insert(text.clone());
        self.values.insert(key, Value { text, weight, order: self.count, at });
        if self.values.len() > MAX_KEYS {
            let oldest = self.count.saturating_sub(MAX_KEYS as u64 / 2);
            self.values.retain(|_, value| value.order > oldest);
            self.ever = self.values.values().map(|value| value.text.clone()).collect();
        }
    }

    pub(super) fn has_value(&self, name: &str) -> bool {
        self.ever.contains(name)
    }

    /// The lines that are not shown elsewhere, within this much room by the cost of a line; oldest first.
    pub(super) fn render(
        &self,
        shown: impl Fn(&str, &str, Seq) -> bool,
        room: u64,
        cost: impl Fn(&str) -> u64,
    ) -> String {
        let mut left = room;
        let mut chosen = Vec::new();
        for (_, order, line) in self.ranked(shown) {
            let cost = cost(&line);
            if cost <= left {
                left -= cost;
                chosen.push((order, line));
            }
        }
        chosen.sort_unstable();
        let text: String = chosen.into_iter().map(|(_, line)| line).collect();
        text.trim_end().to_owned()
    }

    /// What all lines cost together that are not shown elsewhere.
    pub(super) fn cost(&self, shown: impl Fn(&str, &str, Seq) -> bool, cost: impl Fn(&str) -> u64) -> u64 {
        self.ranked(shown).iter().map(|(.., line)| cost(line)).sum()
    }

    /// The lines with their order, the most worth first.
    fn ranked(&self, shown: impl Fn(&str, &str, Seq) -> bool) -> Vec<(f64, u64, String)> {
        let hidden = self.values.iter().filter(|(key, value)| !shown(key, &value.text, value.at));
        let mut lines: Vec<(f64, u64, String)> = hidden
            .map(|(key, value)| {
                let line = format!("{key}={}\n", value.text);
                (self.worth(value, line.len()), value.order, line)
            })
            .collect();
        lines.sort_unstable_by(|left, right| right.0.total_cmp(&left.0).then(right.1.cmp(&left.1)));
        lines
    }

    /// How much a value is worth for its bytes: what nothing else could tell before what could be guessed, and what is sure
    /// before what is likely. Age counts as it does for names, as its root.
    fn worth(&self, value: &Value, bytes: usize) -> f64 {
        /// Values within which age says little.
        const NEAR: f64 = 300.0;
        let weight = match value.weight {
            Weight::Sure => 1.0,
            Weight::Likely => 0.2,
        };
        let age = (self.count - value.order) as f64 + NEAR;
        weight * specificity(&value.text) / (bytes as f64 * age.sqrt())
    }
}

#[cfg(test)]
mod tests;
