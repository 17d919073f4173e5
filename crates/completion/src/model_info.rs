//! Limits and prices of a model: data, never code.

use serde::{Deserialize, Serialize};
use throughline_conversation::{CacheTtl, LongPrompt, Origin};

use crate::cache::PrefixUse;

/// An hour.
const HOUR_MS: u64 = 3_600_000;

/// Facts about a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// Its name, as requests name it.
    pub name: String,
    /// Its provider, for example `anthropic`.
    pub provider: String,
    /// Context window in tokens: input and output together.
    pub window: u64,
    /// Maximum tokens of one answer.
    pub max_output: u64,
    /// Rules of its prompt cache.
    pub cache: CacheRules,
    /// Prices.
    pub prices: Prices,
    /// Whether its provider searches the web for it, next to the tools of a request.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub web_search: bool,
    /// Tokens of thinking that its requests ask for; `None`: its provider decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<u64>,
}

/// Rules of a provider's prompt cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheRules {
    /// Maximum number of explicit markers in one request. 0: the provider caches by itself and takes none.
    pub max_breakpoints: usize,
    /// A prefix shorter than this many tokens is not cached.
    pub min_tokens: u64,
    /// Blocks that the provider looks at for an older cached prefix, from a marker backwards and with its own. 0: it looks
    /// at the markers themselves alone, at any distance from each other.
    pub lookback_blocks: usize,
    /// Whether a tool can carry a marker.
    #[serde(default = "yes")]
    pub marks_tools: bool,
    /// What is read is a multiple of this many tokens. 0: prefixes end exactly at markers.
    #[serde(default)]
    pub step_tokens: u64,
    /// How long a prefix stays in the cache after its last use, in milliseconds, when nothing longer was asked for.
    pub idle_ms: u64,
}

/// Prices as multiples of the price of one uncached input token.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Prices {
    /// Input read from the cache.
    pub cache_read: f64,
    /// Input written to the cache with the TTL that markers ask for; five minutes if nothing else is said.
    pub cache_write: f64,
    /// Input written to the cache with a TTL of one hour.
    pub cache_write_hour: f64,
    /// Output.
    pub output: f64,
    /// What a request with a long prompt costs more; `None`: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub long: Option<LongPrompt>,
}

impl CacheRules {
    /// Anthropic's rules: four markers, 1,024 tokens (most models), 20 blocks, five minutes
    /// (Anthropic documentation, "Prompt caching").
    #[must_use]
    pub fn anthropic() -> Self {
        Self {
            max_breakpoints: 4,
            min_tokens: 1_024,
            lookback_blocks: 20,
            marks_tools: true,
            step_tokens: 0,
            idle_ms: 300_000,
        }
    }

    /// OpenAI's rules: caches every prefix of 1,024 tokens or more by itself, in steps of 128, for about 30 minutes
    /// (OpenAI documentation, "Prompt caching").
    #[must_use]
    pub fn automatic() -> Self {
        Self {
            max_breakpoints: 0,
            min_tokens: 1_024,
            lookback_blocks: 0,
            marks_tools: false,
            step_tokens: 128,
            idle_ms: 1_800_000,
        }
    }

    /// OpenAI's rules for models that take markers: four are written, on parts of messages alone, and a prefix ends exactly
    /// at one; it stays for 30 minutes (OpenAI documentation, "Prompt caching", GPT-5.6 and later).
    #[must_use]
    pub fn openai_marked() -> Self {
        Self { max_breakpoints: 4, step_tokens: 0, ..Self::automatic() }
    }

    /// Minutes that a prefix stays in the cache without use.
    #[must_use]
    pub fn idle_minutes(&self) -> u64 {
        self.idle_ms / 60_000
    }

    /// The TTL that markers ask for.
    #[must_use]
    pub fn ttl(&self) -> CacheTtl {
        if self.max_breakpoints > 0 && self.idle_ms >= HOUR_MS {
            CacheTtl::OneHour
        } else {
            CacheTtl::FiveMinutes
        }
    }

    /// Returns true if a prefix has left the cache after this many milliseconds without use.
    #[must_use]
    pub fn is_cold_after(&self, idle_ms: u64) -> bool {
        idle_ms > self.idle_ms
    }
}

impl Prices {
    /// Anthropic's multiples: read 0.1, write 1.25 (five minutes) and 2 (one hour), output 5.
    #[must_use]
    pub fn anthropic() -> Self {
        Self { cache_read: 0.1, cache_write: 1.25, cache_write_hour: 2.0, output: 5.0, long: None }
    }

    /// The same where markers ask for this TTL: it is what a write costs.
    #[must_use]
    pub fn at(self, ttl: CacheTtl) -> Self {
        match ttl {
            CacheTtl::FiveMinutes => self,
            CacheTtl::OneHour => Self { cache_write: self.cache_write_hour, ..self },
        }
    }

    /// The price of the input of a request, in tokens of uncached input.
    #[must_use]
    pub fn input(&self, split: PrefixUse) -> f64 {
        let usual = self.cache_read * split.read as f64
            + self.cache_write * split.write as f64
            + split.uncached as f64;
        usual * LongPrompt::input_factor(self.long, split.total())
    }

    /// The price of one more step that fetches something again, in tokens of uncached input: the request is read from the
    /// cache, 1,500 tokens of call and result are written, 100 tokens are output.
    #[must_use]
    pub fn refetch(&self, request_tokens: u64) -> f64 {
        let input = self.cache_read * request_tokens as f64 + self.cache_write * 1_500.0;
        let output = self.output * 100.0;
        input * LongPrompt::input_factor(self.long, request_tokens)
            + output * LongPrompt::output_factor(self.long, request_tokens)
    }

    /// OpenAI's multiples: read 0.1, writing costs no more than input, output 8.
    #[must_use]
    pub fn openai() -> Self {
        Self { cache_read: 0.1, cache_write: 1.0, cache_write_hour: 1.0, output: 8.0, long: None }
    }

    /// The same for models that take markers, where a write costs 1.25 (OpenAI documentation, "Pricing", GPT-5.6 and later).
    #[must_use]
    pub fn openai_marked() -> Self {
        Self { cache_write: 1.25, cache_write_hour: 1.25, ..Self::openai() }
    }
}

impl ModelInfo {
    /// Provider and name, as messages and usage records name their model.
    #[must_use]
    pub fn origin(&self) -> Origin {
        Origin::new(self.provider.clone(), self.name.clone())
    }

    /// The same with markers that ask for an hour: prefixes stay that long, and writes cost what that costs.
    #[must_use]
    pub fn with_hour_cache(mut self) -> Self {
        self.cache.idle_ms = HOUR_MS;
        self.prices = self.prices.at(CacheTtl::OneHour);
        self
    }

    /// A model of this name and window with Anthropic's cache rules and prices; its output limit is `max_output`.
    #[must_use]
    pub fn with_window(name: impl Into<String>, window: u64, max_output: u64) -> Self {
        Self {
            name: name.into(),
            provider: "scripted".to_owned(),
            window,
            max_output,
            cache: CacheRules::anthropic(),
            prices: Prices::anthropic(),
            web_search: false,
            thinking: None,
        }
    }
}

fn yes() -> bool {
    true
}
