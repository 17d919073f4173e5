//! The policies by name.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use throughline_conversation::TokenCounter;
use throughline_documents::StateRule;
use throughline_engine::Settings;

use crate::economy::Economy;
use crate::estimator::Estimator;
use crate::{base, dex, off, rubichan, slop, throughline, vibe};

/// A named policy: one design for what fills the window and when it shrinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Policy {
    /// Compacts deep, when prices and the prompt cache's clock say that it pays; large results leave the window at once.
    #[default]
    Throughline,
    /// Warns at 80 % of the window; at 90 % removes tool responses by level, then keeps the last 10 messages.
    Dex,
    /// Replaces the conversation by one summary and the last request at 200,000 tokens.
    Vibe,
    /// Note at 80 %, compact at 95 %, block at 98 %; clears, summarizes, drops. Stores results over 4096 bytes.
    Rubichan,
    /// Shows the last groups, with results cut to 5000, 1000 and 300 characters by age.
    Slop,
    /// Compacts only when the window is full, and stores no result.
    Off,
}

impl Policy {
    /// All policies.
    pub const ALL: [Self; 6] =
        [Self::Throughline, Self::Dex, Self::Vibe, Self::Rubichan, Self::Slop, Self::Off];

    /// The name in settings files, on command lines and in session logs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Throughline => "throughline",
            Self::Dex => "dex",
            Self::Vibe => "vibe",
            Self::Rubichan => "rubichan",
            Self::Slop => "slop",
            Self::Off => "off",
        }
    }

    /// One line for a help text.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Throughline => throughline::SUMMARY,
            Self::Dex => dex::SUMMARY,
            Self::Vibe => vibe::SUMMARY,
            Self::Rubichan => rubichan::SUMMARY,
            Self::Slop => slop::SUMMARY,
            Self::Off => off::SUMMARY,
        }
    }

    /// The name, with the setting of the dial where that is not the default.
    #[must_use]
    pub fn name_with(self, economy: Economy) -> String {
        if economy == Economy::default() { self.name().to_owned() } else { format!("{self} {economy}") }
    }

    /// The token estimator that the design prescribes until a provider reports usage; `None`: the caller's own.
    #[must_use]
    pub fn estimator(self) -> Option<Estimator> {
        match self {
            Self::Dex => Some(dex::ESTIMATOR),
            Self::Throughline | Self::Vibe | Self::Rubichan | Self::Slop | Self::Off => None,
        }
    }

    /// A counter with the estimator of the design, else with the usual one: for a model whose own counter is not at hand.
    #[must_use]
    pub fn counter(self) -> Arc<dyn TokenCounter> {
        self.estimator().unwrap_or_default().counter()
    }

    /// When the design asks the model for a STATE block.
    #[must_use]
    pub fn state_rule(self) -> StateRule {
        match self {
            Self::Slop => StateRule::EveryResponse,
            Self::Throughline | Self::Dex | Self::Vibe | Self::Rubichan | Self::Off => StateRule::WhenChanged,
        }
    }

    /// The settings of an agent for a window of this many tokens, `max_output_tokens` of them reserved for the answer.
    ///
    /// The thresholds fit every window whose reserved part is at most half of it.
    #[must_use]
    pub fn settings(self, window: u64, max_output_tokens: u64) -> Settings {
        self.settings_with(Economy::default(), window, max_output_tokens)
    }

    /// The same with a setting of the dial, which only [`Policy::Throughline`] has.
    #[must_use]
    pub fn settings_with(self, economy: Economy, window: u64, max_output_tokens: u64) -> Settings {
        let base = base::settings(window, max_output_tokens);
        match self {
            Self::Throughline => throughline::settings(base, economy),
            Self::Dex => dex::settings(base, window),
            Self::Vibe => vibe::settings(base, window),
            Self::Rubichan => rubichan::settings(base),
            Self::Slop => slop::settings(base),
            Self::Off => off::settings(base),
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no policy has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown policy {0:?}; the policies are {names}", names = Policy::ALL.map(Policy::name).join(", "))]
pub struct UnknownPolicy(pub String);

impl FromStr for Policy {
    type Err = UnknownPolicy;

    fn from_str(name: &str) -> Result<Self, UnknownPolicy> {
        Self::ALL
            .into_iter()
            .find(|policy| policy.name() == name)
            .ok_or_else(|| UnknownPolicy(name.to_owned()))
    }
}

#[cfg(test)]
mod tests;
