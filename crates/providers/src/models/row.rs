//! The result of a lookup.

use serde::Deserialize;
use throughline_completion::{ModelInfo, Price};
use throughline_wire::anthropic::ThinkingForm;
use throughline_wire::openai::ThinkingBack;

/// Facts about a model, and how sure they are.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRow {
    /// Window, output, cache and prices. Name and provider are those that were asked for.
    ///
    /// The window is the smaller one of the model's window and of the most input that it takes. Prices are
    /// multiples of the price of input; those of the provider's other models where the model's own are not known.
    pub info: ModelInfo,
    /// The window is set by the user's own file for this model.
    pub window_said: bool,
    /// Whether the table knows the model.
    pub known: Known,
    /// Its tokenizer.
    pub tokenizer: Tokenizer,
    /// Which protocol of OpenAI to speak; `None` for providers with one of their own.
    pub api: Option<Api>,
    /// Whether it can think before it answers.
    pub thinking: bool,
    /// In which form Anthropic's API asks it to think; `None` where that is not known.
    pub thinking_form: Option<ThinkingForm>,
    /// Whether Anthropic's API accepts its thinking only if nothing before it has changed.
    pub bound_thinking: bool,
    /// Whether OpenAI's Responses API says for it why the prompt cache was not reused.
    pub cache_diagnostics: bool,
    /// Whether OpenAI's Responses API takes cache breakpoints for it.
    pub cache_breakpoints: bool,
    /// Whether Chat Completions sends its thinking back; `None` for the server's default.
    pub thinking_back: Option<ThinkingBack>,
    /// Whether it accepts images.
    pub images: bool,
    /// Dollars for a million tokens of uncached input; `None` where the price is not known for sure.
    pub dollars_per_million_input: Option<f64>,
    /// Dollars for one search of the web by the provider; `None` where it has none.
    pub dollars_per_search: Option<f64>,
    /// Where that price is from and when it was read.
    pub search_source: Option<String>,
    /// A note for the user: assumptions, how to override them, and peculiarities of the price.
    pub note: Option<String>,
    /// Where the figures are from and when they were read; `None` for those of a user's file that does not say it.
    pub source: Option<String>,
}

impl ModelRow {
    /// The price of its requests.
    #[must_use]
    pub fn price(&self) -> Price {
        Price {
            multiples: self.info.prices,
            dollars_per_million_input: self.dollars_per_million_input,
            dollars_per_search: self.dollars_per_search,
        }
    }
}

/// How a name was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// By its name, an alias, or a dated form of either.
    Exact,
    /// As a member of the family of this name; the figures are those of the family.
    Family(String),
    /// Not at all; the figures are the provider's safe defaults.
    Default,
}

/// The tokenizer of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tokenizer {
    /// The encoding `o200k_base`.
    O200k,
    /// The encoding `o200k_harmony`.
    #[serde(rename = "o200k_harmony")]
    O200kHarmony,
    /// The encoding `cl100k_base`.
    Cl100k,
    /// The encoding `p50k_base`.
    P50k,
    /// The encoding `r50k_base`.
    R50k,
    /// Nothing that is public: figures are estimates.
    #[default]
    Estimate,
}

#[cfg(feature = "tokens")]
impl Tokenizer {
    /// The encoding to count with, where there is one.
    #[must_use]
    pub fn encoding(self) -> Option<crate::tokens::Encoding> {
        match self {
            Self::O200k => Some(crate::tokens::Encoding::O200k),
            Self::O200kHarmony => Some(crate::tokens::Encoding::O200kHarmony),
            Self::Cl100k => Some(crate::tokens::Encoding::Cl100k),
            Self::P50k => Some(crate::tokens::Encoding::P50k),
            Self::R50k => Some(crate::tokens::Encoding::R50k),
            Self::Estimate => None,
        }
    }
}

/// A protocol of OpenAI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Api {
    /// Chat Completions: what compatible servers speak.
    Chat,
    /// Responses: keeps the reasoning of a model between its calls.
    Responses,
}
