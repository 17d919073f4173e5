//! One entry of a table: in a file, and merged with the entry that it overrides.

use serde::Deserialize;
use throughline_conversation::LongPrompt;
use throughline_wire::anthropic::ThinkingForm;
use throughline_wire::openai::ThinkingBack;

use super::name;
use super::row::{Api, Tokenizer};

/// The fields of an entry in a file. A missing one is taken from the entry that it overrides.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EntryFields {
    pub(super) name: String,
    pub(super) provider: Option<String>,
    pub(super) aliases: Option<Vec<String>>,
    pub(super) family: Option<bool>,
    pub(super) window: Option<u64>,
    pub(super) max_input: Option<u64>,
    pub(super) max_output: Option<u64>,
    pub(super) min_cached: Option<u64>,
    pub(super) tokenizer: Option<Tokenizer>,
    pub(super) api: Option<Api>,
    pub(super) thinking: Option<bool>,
    pub(super) thinking_form: Option<ThinkingForm>,
    pub(super) bound_thinking: Option<bool>,
    pub(super) cache_diagnostics: Option<bool>,
    pub(super) cache_breakpoints: Option<bool>,
    pub(super) thinking_back: Option<ThinkingBack>,
    pub(super) images: Option<bool>,
    pub(super) dollars: Option<DollarPrices>,
    pub(super) long_prompt: Option<LongPrompt>,
    pub(super) note: Option<String>,
    pub(super) source: Option<String>,
}

/// Dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DollarPrices {
    pub(super) input: f64,
    pub(super) output: f64,
    pub(super) cache_read: Option<f64>,
    pub(super) cache_write: Option<f64>,
    pub(super) cache_write_hour: Option<f64>,
}

/// A name in the form that is compared, and as written.
#[derive(Debug, Clone)]
pub(super) struct Name {
    pub(super) compared: String,
    pub(super) written: String,
}

impl Name {
    fn new(written: &str) -> Self {
        Self { compared: name::canonical(written), written: written.trim().to_owned() }
    }
}

/// An entry of a table.
#[derive(Debug, Clone)]
pub(super) struct TableEntry {
    /// The model's own name, then its aliases.
    pub(super) names: Vec<Name>,
    pub(super) provider: Option<String>,
    pub(super) family: bool,
    pub(super) window: u64,
    /// The file itself sets the window: it is not that of an overridden entry.
    pub(super) window_said: bool,
    pub(super) max_input: Option<u64>,
    pub(super) max_output: u64,
    pub(super) min_cached: Option<u64>,
    pub(super) tokenizer: Tokenizer,
    pub(super) api: Option<Api>,
    pub(super) thinking: bool,
    pub(super) thinking_form: Option<ThinkingForm>,
    pub(super) bound_thinking: bool,
    pub(super) cache_diagnostics: bool,
    pub(super) cache_breakpoints: bool,
    pub(super) thinking_back: Option<ThinkingBack>,
    pub(super) images: bool,
    pub(super) dollars: Option<DollarPrices>,
    pub(super) long_prompt: Option<LongPrompt>,
    pub(super) note: Option<String>,
    /// Where its figures are from, and when they were read.
    pub(super) source: Option<String>,
}

/// A key, and what to write for it.
#[derive(Debug)]
pub(super) struct EntryFault {
    pub(super) key: &'static str,
    pub(super) fix: String,
}

impl TableEntry {
    /// Creates an entry from these fields, merged with the one that it overrides.
    pub(super) fn new(written: EntryFields, under: Option<&Self>) -> Result<Self, EntryFault> {
        if written.name.trim().is_empty() {
            return Err(fault("name", "write the model's name as requests name it"));
        }
        let missing = |key| fault(key, "is missing, and no known model has this name: add it, in tokens");
        let own = Name::new(&written.name);
        let renewed = under.filter(|under| under.is_named(&own.compared));
        let aliases = match (&written.aliases, renewed) {
            (Some(aliases), _) => aliases.iter().map(|alias| Name::new(alias)).collect(),
            (None, Some(under)) => under.names.iter().skip(1).cloned().collect(),
            (None, None) => Vec::new(),
        };
        let entry = Self {
            names: [vec![own], aliases].concat(),
            provider: written
                .provider
                .map(|provider| name::provider(&provider))
                .or_else(|| under.and_then(|under| under.provider.clone())),
            // A name that is given figures of its own is a model.
            family: written.family.unwrap_or(renewed.is_some_and(|under| under.family)),
            window: written.window.or(under.map(|under| under.window)).ok_or_else(|| missing("window"))?,
            window_said: written.window.or(written.max_input).is_some()
                || renewed.is_some_and(|under| under.window_said),
            // A new window alone is meant to be used up to its end.
            max_input: written
                .max_input
                .or_else(|| under.filter(|_| written.window.is_none()).and_then(|under| under.max_input)),
            max_output: written
                .max_output
                .or(under.map(|under| under.max_output))
                .ok_or_else(|| missing("max_output"))?,
            min_cached: written.min_cached.or_else(|| under.and_then(|under| under.min_cached)),
            tokenizer: written.tokenizer.or(under.map(|under| under.tokenizer)).unwrap_or_default(),
            api: written.api.or_else(|| under.and_then(|under| under.api)),
            thinking: written.thinking.or(under.map(|under| under.thinking)).unwrap_or(false),
            thinking_form: written.thinking_form.or_else(|| under.and_then(|under| under.thinking_form)),
            bound_thinking: written
                .bound_thinking
                .or(under.map(|under| under.bound_thinking))
                .unwrap_or(false),
            cache_diagnostics: written
                .cache_diagnostics
                .or(under.map(|under| under.cache_diagnostics))
                .unwrap_or(false),
            cache_breakpoints: written
                .cache_breakpoints
                .or(under.map(|under| under.cache_breakpoints))
                .unwrap_or(false),
            thinking_back: written.thinking_back.or_else(|| under.and_then(|under| under.thinking_back)),
            images: written.images.or(under.map(|under| under.images)).unwrap_or(false),
            dollars: written.dollars.or_else(|| under.and_then(|under| under.dollars)),
            long_prompt: written.long_prompt.or_else(|| under.and_then(|under| under.long_prompt)),
            note: written.note.or_else(|| under.and_then(|under| under.note.clone())),
            // Figures that a file sets are not from where the built-in ones are.
            source: written.source,
        };
        entry.checked()
    }

    /// Returns true if this is the model's own name, in the form in which names are compared.
    pub(super) fn is_named(&self, compared: &str) -> bool {
        self.names.first().is_some_and(|own| own.compared == compared)
    }

    /// The tokens that can be worked with.
    pub(super) fn usable(&self) -> u64 {
        self.max_input.map_or(self.window, |input| input.min(self.window))
    }

    fn checked(self) -> Result<Self, EntryFault> {
        let Self { window, max_output, .. } = self;
        if self.names.iter().any(|name| name.compared.is_empty()) {
            return Err(fault("aliases", "an alias is a name, not an empty text"));
        }
        if max_output == 0 {
            return Err(fault("max_output", "an answer has at least one token"));
        }
        if max_output >= self.usable() {
            let usable = self.usable();
            let fix = format!(
                "{max_output} must be less than the window of {usable}: write fewer, or a larger window"
            );
            return Err(EntryFault { key: "max_output", fix });
        }
        if self.max_input.is_some_and(|input| input > window) {
            return Err(fault("max_input", "cannot be more than the window: leave it out"));
        }
        if let Some(dollars) = self.dollars {
            dollars.check()?;
        }
        let sane = |factor: f64| factor.is_finite() && factor > 0.0;
        if self.long_prompt.is_some_and(|long| !sane(long.input) || !sane(long.output)) {
            return Err(fault("long_prompt", "its factors `input` and `output` are numbers above 0"));
        }
        Ok(self)
    }
}

impl DollarPrices {
    fn check(&self) -> Result<(), EntryFault> {
        let all = [Some(self.output), self.cache_read, self.cache_write, self.cache_write_hour];
        let sane = |price: f64| price.is_finite() && price >= 0.0;
        if !sane(self.input) || self.input == 0.0 || !all.into_iter().flatten().all(sane) {
            let fix = "prices are dollars per million tokens, and that of input is above 0: for a model that costs \
                        nothing, leave `dollars` out";
            return Err(fault("dollars", fix));
        }
        Ok(())
    }
}

fn fault(key: &'static str, fix: &str) -> EntryFault {
    EntryFault { key, fix: fix.to_owned() }
}
