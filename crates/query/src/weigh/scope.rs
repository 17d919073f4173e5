//! One SELECT of a statement while it is read.

use std::collections::BTreeMap;

/// Words that cannot name a column unless they are quoted.
const RESERVED: &[&str] = &[
    "all",
    "and",
    "as",
    "between",
    "case",
    "collate",
    "distinct",
    "else",
    "escape",
    "exists",
    "from",
    "group",
    "having",
    "in",
    "intersect",
    "is",
    "isnull",
    "join",
    "limit",
    "not",
    "notnull",
    "null",
    "on",
    "or",
    "order",
    "select",
    "then",
    "union",
    "using",
    "values",
    "when",
    "where",
];

/// What stands between two brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// No SELECT.
    Brackets,
    /// A SELECT used as a value: it may name columns of those around it.
    Expression,
    /// A SELECT that another one reads from.
    Source,
    /// A SELECT that is read by this name.
    Cte(String),
}

/// What is known of a SELECT so far.
#[derive(Debug)]
pub(super) struct Scope {
    pub(super) kind: Kind,
    /// Whether the place is within FROM.
    pub(super) reading: bool,
    /// Its own words.
    pub(super) words: u64,
    /// Stars that mean all columns.
    pub(super) stars: u64,
    /// Weights of what it reads.
    pub(super) children: u64,
    /// How often each name is in it.
    names: BTreeMap<String, u64>,
}

impl Scope {
    /// `reading`: it stands within FROM itself, as the inner bracket of `FROM (a JOIN (SELECT …))` does.
    pub(super) fn new(kind: Kind, reading: bool) -> Self {
        let reading = reading && kind == Kind::Brackets;
        Self { kind, reading, words: 0, stars: 0, children: 0, names: BTreeMap::new() }
    }

    /// Takes a name or a keyword. `uses`: the weight of the CTE that it names.
    pub(super) fn name(&mut self, name: &str, before: &str, uses: Option<u64>) {
        match name {
            // `IS DISTINCT FROM` is an operator.
            "from" if before != "distinct" => self.reading = true,
            "select" | "where" | "group" | "having" | "order" | "limit" | "window" | "union" | "on" => {
                self.reading = false;
            }
            _ => {}
        }
        if let Some(weight) = uses {
            self.children = self.children.saturating_add(weight);
        }
        if !RESERVED.contains(&name) {
            let count = self.names.entry(name.to_owned()).or_default();
            *count = count.saturating_add(1);
        }
    }

    /// The weight, passed to those around it.
    pub(super) fn close(self, around: &mut [Self], ctes: &mut BTreeMap<String, u64>) -> u64 {
        if self.kind == Kind::Brackets {
            return 0;
        }
        let most = self.names.values().max().copied().unwrap_or(0).saturating_add(self.stars).max(1);
        let weight = self.words.saturating_add(self.children.saturating_mul(most));
        let within_value = around.iter().skip(1).any(|scope| scope.kind == Kind::Expression);
        let Some(outside) = around.iter_mut().rev().find(|scope| scope.kind != Kind::Brackets) else {
            return weight;
        };
        if let Kind::Cte(name) = &self.kind {
            let known = ctes.entry(name.clone()).or_default();
            *known = weight.max(*known);
        } else {
            outside.children = outside.children.saturating_add(weight);
        }
        // What is in a value, however deep, may name columns of any SELECT around it.
        if self.kind == Kind::Expression || within_value {
            for (name, count) in self.names {
                let sum = outside.names.entry(name).or_default();
                *sum = sum.saturating_add(count);
            }
        }
        weight
    }
}
