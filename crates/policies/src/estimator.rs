//! The token estimators by name.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use throughline_budget::{Chars4Estimator, ScriptAwareEstimator};
use throughline_conversation::TokenCounter;

/// How tokens are estimated until a provider reports them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Estimator {
    /// By script: letters, digits, punctuation, CJK and others each at their own rate.
    #[default]
    Script,
    /// A quarter of the bytes, and 50 for each tool call.
    Chars4,
}

impl Estimator {
    /// All estimators.
    pub const ALL: [Self; 2] = [Self::Script, Self::Chars4];

    /// The name on command lines and in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Chars4 => "chars4",
        }
    }

    /// One line for a help text.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Script => "By script: letters, digits, punctuation, CJK and others each at their own rate",
            Self::Chars4 => "A quarter of the bytes, and 50 for each tool call",
        }
    }

    /// The counter.
    #[must_use]
    pub fn counter(self) -> Arc<dyn TokenCounter> {
        match self {
            Self::Script => Arc::new(ScriptAwareEstimator),
            Self::Chars4 => Arc::new(Chars4Estimator),
        }
    }
}

/// A name that no estimator has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown estimator {0:?}; the estimators are {names}", names = Estimator::ALL.map(Estimator::name).join(", "))]
pub struct UnknownEstimator(pub String);

impl FromStr for Estimator {
    type Err = UnknownEstimator;

    fn from_str(name: &str) -> Result<Self, UnknownEstimator> {
        let named = Self::ALL.into_iter().find(|estimator| estimator.name() == name);
        named.ok_or_else(|| UnknownEstimator(name.to_owned()))
    }
}

impl fmt::Display for Estimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests;
