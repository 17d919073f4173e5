//! Summaries of a conversation, written by a model.
#![doc = include_str!("../README.md")]
//!
//! # How it works
//!
//! [`ModelSummarizer`] implements compaction's port [`throughline_compaction::Summarizer`] over completion's port
//! [`throughline_completion::LanguageModel`]. Compaction decides which messages leave the window and what the
//! summary must contain; this crate decides how a model is asked for it.

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
