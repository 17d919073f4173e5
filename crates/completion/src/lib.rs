//! The port to language models: a provider-neutral request in, a stream of events out.
//!
//! [`CompletionRequest`] is what the `agent` builds and what adapters in `providers` translate.
//! [`LanguageModel`] is the port between them. [`ModelInfo`] says what a model can hold and what it costs, as
//! data, and [`Cost`] adds up requests at the prices of their models. [`ScriptedModel`] speaks through the same port where no real model can be had; it is strict, so a
//! request that a provider would refuse fails there too.

mod answer;
mod cache;
mod call_as_text;
mod compaction;
mod cost;
mod detail;
mod error;
mod event;
mod model;
mod model_info;
mod overflow_guess;
mod probe;
mod request;
mod retry;
mod scripted;

pub use answer::Answer;
pub use cache::{CountedFront, PrefixCache, PrefixUse};
pub use call_as_text::{called_as_text, holds_call};
pub use compaction::{ProviderAnswer, ProviderSummary};
pub use cost::{Cost, Dollars, Price};
pub use detail::{AnswerDetail, AnswerDetails, RefusalDetails};
pub use error::ModelError;
pub use event::{Assembly, CompletionEvent, EventStream, StopReason, items_text};
pub use model::LanguageModel;
#[cfg(any(test, feature = "mock"))]
pub use model::MockLanguageModel;
pub use model_info::{CacheRules, ModelInfo, Prices};
pub use overflow_guess::{GuessedOverflow, RejectedSize, SMALLEST_WINDOW};
pub use probe::probe;
pub use request::{CompletionRequest, RequestFault};
pub use retry::{Backoff, RetryPolicy};
pub use scripted::{AnswerFromRequest, Reply, ScriptedModel};
