//! From a choice and the environment to a model that answers.

mod address;
mod cache_lifetime;
mod choice;
mod client;
mod connect;
mod continuing;
mod discovery;
pub(crate) mod error;
mod fallback;
mod limits;
mod ollama_window;
mod status;

pub use choice::{Api, CacheLifetime, ModelChoice, ModelTransport, Provider};
pub use client::endpoint;
pub(crate) use connect::with_settings;
pub use connect::{ConnectedModel, model_table};
pub use discovery::{DiscoveredProvider, KeySource, discover, local_ollama, provider_prefix};
pub use error::ConnectError;
pub use fallback::fallback_choice;
pub use status::{ProviderStatus, offered_models, provider_statuses};
