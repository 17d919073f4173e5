//! Who writes the prose of a summary, and how much of it.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use throughline_compaction::{CompactionPolicy, ModelSummaries};

use crate::policy::Policy;
use crate::throughline::DeepChain;

/// Who writes the prose of a summary, and how much of it. The user's words, the files, the commands and the index of names are
/// in each summary by rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SummaryStyle {
    /// By rule: the newest plan, and first lines of what the model said.
    Rule,
    /// By a model where that is paid back, in a few sentences, else by rule.
    Brief,
    /// By a model at each compaction, in seven sections.
    Thorough,
}

impl SummaryStyle {
    /// All styles.
    pub const ALL: [Self; 3] = [Self::Rule, Self::Brief, Self::Thorough];

    /// The name in settings files and on command lines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Brief => "brief",
            Self::Thorough => "thorough",
        }
    }

    /// One line for a help text.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Rule => "By rule, for nothing",
            Self::Brief => "By the model where that is paid back, in a few sentences",
            Self::Thorough => "By the model at each compaction, in seven sections",
        }
    }

    /// Tokens that a model is asked for under policy throughline.
    #[must_use]
    pub const fn tokens(self) -> u64 {
        match self {
            Self::Rule | Self::Brief => 200,
            Self::Thorough => 4_000,
        }
    }

    /// The compactions of a policy with summaries of this style. The prompt and its size are those of the design, except for
    /// policy throughline.
    pub fn apply(self, policy: Policy, own: CompactionPolicy) -> CompactionPolicy {
        let model_summaries = match self {
            Self::Rule => ModelSummaries::Never,
            Self::Brief => ModelSummaries::WherePaid,
            Self::Thorough => ModelSummaries::Always,
        };
        let own = CompactionPolicy { model_summaries, ..own };
        match policy {
            Policy::Throughline => {
                let chain = Arc::new(DeepChain(self));
                CompactionPolicy { chain, progress_tokens: self.tokens(), summaries_ahead: true, ..own }
            }
            Policy::Dex | Policy::Vibe | Policy::Rubichan | Policy::Slop | Policy::Off => own,
        }
    }
}

impl fmt::Display for SummaryStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no style has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown style of summaries {0:?}; it is {names}", names = SummaryStyle::ALL.map(SummaryStyle::name).join(", "))]
pub struct UnknownSummaryStyle(pub String);

impl FromStr for SummaryStyle {
    type Err = UnknownSummaryStyle;

    fn from_str(name: &str) -> Result<Self, UnknownSummaryStyle> {
        let found = Self::ALL.into_iter().find(|style| style.name() == name);
        found.ok_or_else(|| UnknownSummaryStyle(name.to_owned()))
    }
}

#[cfg(test)]
mod tests;
