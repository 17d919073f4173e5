//! From a choice of a model and the environment to a model that answers, with its limits and prices.
//!
//! [`ModelChoice`] says what is wanted, [`ModelChoice::completed`] adds the settings, [`ConnectedModel::connect`] finds the
//! provider, the key and the row of the table of models. [`CostMeter`] prices what its requests use.

#[cfg(all(feature = "anthropic", feature = "gemini", feature = "ollama", feature = "openai"))]
mod address;
#[cfg(any(feature = "anthropic", feature = "openai"))]
mod asking;
mod cache_lifetime;
mod choice;
mod client;
mod completed;
mod connect;
mod continuing;
mod cost;
mod discovery;
mod error;
mod fallback;
#[cfg(all(feature = "anthropic", feature = "gemini", feature = "ollama", feature = "openai"))]
mod key_owner;
mod limits;
mod limits_file;
#[cfg(feature = "ollama")]
mod local_server;
#[cfg(not(feature = "ollama"))]
#[path = "no_local_server.rs"]
mod local_server;
mod ollama_window;
#[cfg(feature = "ollama")]
mod pull;
mod served_limits;
#[cfg(all(feature = "anthropic", feature = "gemini", feature = "ollama", feature = "openai"))]
mod status;

pub use choice::{Api, CacheLifetime, ModelChoice, ModelTransport, Provider};
pub use client::{counter, endpoint};
pub use connect::{ConnectedModel, model_table, with_settings};
pub use cost::{CostMeter, LogCost, cost_of, cost_text, dollars_figure, dollars_text};
pub use discovery::{DiscoveredProvider, KeySource, discover, provider_prefix};
pub use error::ConnectError;
pub use fallback::fallback_choice;
#[cfg(all(feature = "anthropic", feature = "gemini", feature = "ollama", feature = "openai"))]
pub use key_owner::{KeyCheck, KeyOwner};
pub use limits_file::{AskedLimits, KnownLimits, LimitsFile, StoredLimit};
pub use local_server::local_ollama;
#[cfg(feature = "ollama")]
pub use pull::{PullError, pull_model};
pub use served_limits::WindowSource;
#[cfg(all(feature = "anthropic", feature = "gemini", feature = "ollama", feature = "openai"))]
pub use status::{ProviderStatus, offered_models, provider_statuses};
pub use throughline_providers::models::{Known, ModelRow, ModelTable};
#[cfg(feature = "ollama")]
pub use throughline_providers::ollama::PullProgress;
