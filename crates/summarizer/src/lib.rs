//! Summaries of a conversation, written by a model.
//!
//! [`ModelSummarizer`] implements compaction's port [`throughline_compaction::Summarizer`] over completion's port
//! [`throughline_completion::LanguageModel`]. Compaction decides which messages leave the window and what the
//! summary must contain; this crate decides how a model is asked for it: behind the session's own cached request
//! where that is cheaper, otherwise with the messages as text, in several parts if they do not fit into one request.
//!
//! It does not know the log, the window's thresholds or any provider.
//!
//! ```
//! use std::sync::Arc;
//!
//! use throughline_compaction::{CompactionPolicy, Compactor};
//! use throughline_completion::{ModelInfo, Reply, ScriptedModel};
//! use throughline_summarizer::{ModelSummarizer, SummarizerSettings};
//! use throughline_testkit::WordCounter;
//!
//! let info = ModelInfo::with_window("small", 32_000, 4_000);
//! let model = ScriptedModel::new(info, Box::new(WordCounter), [Reply::text("### Now\n…\n### Done\n…")]);
//! let summarizer = ModelSummarizer::new(Arc::new(model), SummarizerSettings::default());
//!
//! let compactor = Compactor::new(CompactionPolicy::default(), Some(Arc::new(summarizer)));
//! assert!(!compactor.breaker_open());
//! ```

mod by_provider;
mod in_place;
mod in_text;
mod model_summarizer;
mod placeholders;
mod provider_summarizer;
mod settings;

pub use in_text::text_request;
pub use model_summarizer::ModelSummarizer;
pub use provider_summarizer::ProviderSummarizer;
pub use settings::SummarizerSettings;
