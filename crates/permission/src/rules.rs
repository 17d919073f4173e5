//! The rules of a session, each with its kind and its source.

use crate::rule::{Rule, RuleError};

/// What a rule does with the calls that it matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleKind {
    /// Refuses them, in every mode.
    Deny,
    /// Asks the user, unless another rule refuses.
    Ask,
    /// Allows them, unless another rule refuses or asks.
    Allow,
}

impl RuleKind {
    /// Its name in the settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
        }
    }
}

/// A rule and its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedRule {
    /// What it does with matching calls.
    pub kind: RuleKind,
    /// Which calls it matches.
    pub rule: Rule,
    /// Its source, for the user: a file with its line, an option, or `remembered`.
    pub place: String,
}

/// Rules in the order in which they were written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    all: Vec<PlacedRule>,
}

impl Rules {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Parses and adds a rule.
    ///
    /// # Errors
    /// [`RuleError`] when it is malformed; nothing is added then.
    pub fn add(&mut self, kind: RuleKind, text: &str, place: impl Into<String>) -> Result<(), RuleError> {
        let rule = Rule::parse(text)?;
        self.all.push(PlacedRule { kind, rule, place: place.into() });
        Ok(())
    }

    /// All rules.
    #[must_use]
    pub fn all(&self) -> &[PlacedRule] {
        &self.all
    }

    /// Those that do this with the calls that they match.
    pub(crate) fn of(&self, kind: RuleKind) -> impl Iterator<Item = &PlacedRule> {
        self.all.iter().filter(move |placed| placed.kind == kind)
    }
}
