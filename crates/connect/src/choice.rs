//! Which model is asked, and where it is served.

use std::path::PathBuf;

use throughline_config::StoredKeys;
use throughline_conversation::CacheTtl;
use throughline_settings::{Key, Origin, Resolved, keys};
use throughline_text::group_thousands;

/// A model, and how its server is reached. Fields without a value come from the settings and the environment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelChoice {
    /// Who serves the model; `None`: the provider whose key was stored last, then the first one with a key in the environment, then a
    /// local Ollama.
    pub provider: Option<Provider>,
    /// The model as its provider names it, or as `provider/model`.
    pub model: Option<String>,
    /// Address of the API. Alone it means a server that speaks like OpenAI.
    pub base_url: Option<String>,
    /// File with the API key; `None`: the key in the environment, then the stored one.
    pub key_file: Option<PathBuf>,
    /// More headers of each request, as `name: value`.
    pub headers: Vec<String>,
    /// Which of OpenAI's APIs; `None`: responses at OpenAI, chat everywhere else.
    pub api: Option<Api>,
    /// What sends requests to Anthropic; `None`: [`ModelTransport::Http`].
    pub transport: Option<ModelTransport>,
    /// Window in tokens, up to what the model has.
    pub window: Option<u64>,
    /// Thinking budget in tokens; `None`: the model's own choice.
    pub thinking: Option<u64>,
    /// How long the provider is asked to store cached prefixes; `None`: what is cheapest by the table of models.
    pub cache_ttl: Option<CacheLifetime>,
    /// Seconds without a byte after which a request is given up.
    pub timeout: Option<u64>,
    /// The data folder, which has the limits that servers have said; `None`: they are not used.
    pub data: Option<PathBuf>,
    /// The keys that the user has stored; `None`: they are not used.
    pub keys: Option<StoredKeys>,
    /// The figures that the settings have completed, and where they were written.
    pub completed: CompletedFigures,
}

/// Figures of a choice that come from the settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompletedFigures {
    /// The window.
    pub window: Option<SettingFigure>,
    /// The thinking budget.
    pub thinking: Option<SettingFigure>,
}

/// A figure of a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingFigure {
    /// The key.
    pub key: &'static str,
    /// Tokens.
    pub tokens: u64,
    /// Where it was written.
    pub origin: Origin,
}

impl SettingFigure {
    /// The figure of a key; `None`: it is not set.
    pub(crate) fn of(set: &Resolved, key: Key<u64>) -> Option<Self> {
        Some(Self { key: key.name(), tokens: set.get(key)?, origin: set.origin(key) })
    }

    /// The source of a figure: the setting with its place if it is this one, else the option.
    pub(crate) fn asker(figure: Option<&Self>, option: &str, tokens: u64) -> String {
        match figure.filter(|figure| figure.tokens == tokens) {
            Some(Self { key, origin, .. }) => format!("{key} = {tokens} ({origin})"),
            None => format!("{option} {}", group_thousands(tokens)),
        }
    }
}

impl ModelChoice {
    /// A model by its name, as `provider/model` or as its provider names it.
    #[must_use]
    pub fn named(model: impl Into<String>) -> Self {
        Self { model: Some(model.into()), ..Self::default() }
    }

    /// What holds for a model of any provider: nothing that belongs to the one of this choice.
    #[must_use]
    pub fn for_any_provider(&self) -> Self {
        let Self { timeout, data, keys, .. } = self.clone();
        Self { timeout, data, keys, ..Self::default() }
    }

    /// The provider that this names: itself, by an address, or by the prefix or the short name of the model. An address without a provider
    /// is a server that may have models of others, as `anthropic/…`; it gets none of their keys.
    #[must_use]
    pub fn named_provider(&self) -> Option<Provider> {
        let by_address = || self.base_url.as_ref().map(|_| Provider::Compatible);
        let by_model = || crate::discovery::provider_prefix(self.model.as_deref()?);
        let by_short_name = || Provider::of_short_name(self.model.as_deref()?);
        self.provider.or_else(by_address).or_else(by_model).or_else(by_short_name)
    }
}

/// A provider of models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// Anthropic, or a server that speaks its Messages API.
    Anthropic,
    /// OpenAI.
    Openai,
    /// Google's Gemini API.
    Gemini,
    /// Gemini Code Assist: the same models for accounts that log in.
    GeminiGca,
    /// A local Ollama.
    Ollama,
    /// Any server that speaks like OpenAI's chat completions: vLLM, llama.cpp, LM Studio, OpenRouter, …
    Compatible,
}

impl Provider {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Anthropic, Self::Openai, Self::Gemini, Self::GeminiGca, Self::Ollama, Self::Compatible];

    /// Those whose API takes a key of its own; the first one is preferred.
    pub const WITH_KEYS: [Self; 3] = [Self::Anthropic, Self::Openai, Self::Gemini];

    /// The name on the command line and in stored records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::Openai => "openai",
            Self::Gemini => "gemini",
            Self::GeminiGca => "gemini_gca",
            Self::Ollama => "ollama",
            Self::Compatible => "compatible",
        }
    }

    /// The cargo feature of its client.
    #[cfg(not(all(feature = "anthropic", feature = "gemini", feature = "ollama", feature = "openai")))]
    pub(crate) fn feature(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::Openai | Self::Compatible => "openai",
            Self::Gemini | Self::GeminiGca => "gemini",
            Self::Ollama => "ollama",
        }
    }

    /// The provider of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.name() == name)
    }

    /// The model that is asked if none is named. `None`: the server has its own names.
    pub(crate) fn default_model(self) -> Option<&'static str> {
        match self {
            Self::Anthropic => self.model_of("sonnet"),
            Self::Openai => self.model_of("gpt"),
            Self::Gemini | Self::GeminiGca => self.model_of("gemini"),
            Self::Ollama | Self::Compatible => None,
        }
    }

    /// The newest model of a short name, as `sonnet`. `None`: the provider has no such short name.
    #[must_use]
    pub fn model_of(self, short: &str) -> Option<&'static str> {
        // Code Assist serves the models of the Gemini API.
        let of = if self == Self::GeminiGca { Self::Gemini } else { self };
        let found = SHORT_NAMES.iter().find(|(provider, name, _)| *provider == of && *name == short);
        found.map(|(_, _, model)| *model)
    }

    /// The provider with a model of this short name.
    #[must_use]
    pub fn of_short_name(short: &str) -> Option<Self> {
        SHORT_NAMES.iter().find(|(_, name, _)| *name == short).map(|(provider, _, _)| *provider)
    }
}

/// Short names of models, and the newest model of each.
const SHORT_NAMES: &[(Provider, &str, &str)] = &[
    (Provider::Anthropic, "sonnet", "claude-sonnet-5-5"),
    (Provider::Anthropic, "opus", "claude-opus-5-5"),
    (Provider::Anthropic, "haiku", "claude-haiku-5-5"),
    (Provider::Openai, "gpt", "gpt-6-sol"),
    (Provider::Gemini, "gemini", "gemini-3.5-flash"),
];

/// One of OpenAI's APIs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// Chat completions.
    Chat,
    /// Responses.
    Responses,
}

impl Api {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Chat, Self::Responses];

    /// The name on the command line and in stored records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Responses => "responses",
        }
    }

    /// The API of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|api| api.name() == name)
    }
}

/// What sends requests to Anthropic. Other providers have one way only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ModelTransport {
    /// This program's own connection: reqwest with rustls.
    #[default]
    Http,
    /// The connection of anthropic-sdk-rust, in programs built with the feature `anthropic-sdk`. It uses the system's TLS
    /// and follows redirects.
    Sdk,
}

impl ModelTransport {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Http, Self::Sdk];

    /// The name in stored records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Sdk => "sdk",
        }
    }

    /// The transport of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|transport| transport.name() == name)
    }
}

/// How long a provider is asked to store a cached prefix after its last use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheLifetime {
    /// Five minutes.
    FiveMinutes,
    /// Half an hour.
    HalfHour,
    /// An hour.
    Hour,
}

impl CacheLifetime {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::FiveMinutes, Self::HalfHour, Self::Hour];

    /// The name in settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::FiveMinutes => "5m",
            Self::HalfHour => "30m",
            Self::Hour => "1h",
        }
    }

    /// The lifetime of a name; `None` for `auto`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// The lifetime that the settings ask for; `None`: they leave it to the table of models.
    pub(crate) fn of(settings: &Resolved) -> Option<Self> {
        settings.get(keys::CACHE_TTL).and_then(|name| Self::named(&name))
    }

    /// The TTL at which cache writes are paid by these settings. Models without a price of their own for an hour cost the
    /// same.
    #[must_use]
    pub fn paid(settings: &Resolved) -> CacheTtl {
        match Self::of(settings) {
            Some(Self::Hour) => CacheTtl::OneHour,
            _ => CacheTtl::FiveMinutes,
        }
    }
}
