//! How the view of a conversation shrinks.
#![doc = include_str!("../README.md")]
//!
//! # How it works
//!
//! [`Compactor`] runs a chain of [`Strategy`]s over a working copy, the [`Draft`], and returns one
//! [`Edit`](throughline_conversation::Edit) with the resulting view and the bytes that must be stored first. Old tool
//! results become stubs, then one rolling summary covers the oldest messages, and, as a last resort, whole exchanges
//! are dropped.
//!
//! Compactions are deep and rare: each one invalidates the provider's prompt cache after the first change, so one
//! that reaches far below the threshold costs less over a session than many small ones.
//!
//! [`decide_by_price`] says if a compaction pays, by the model's prices, its prompt cache's clock and what is likely to be
//! needed again, as a pure function of values; [`price_sentence`] says it to people.
//!
//! [`CompactionBalances`] compares afterwards, from the receipts, what each compaction has saved with what was needed again.
//!
//! Policies implement [`StrategyChain`] from the building blocks for strategies: [`Draft`], [`Plan`],
//! [`shown_results`], the stubs ([`cleared_stub`] …), [`request_prose`] and [`ProseSummary`]. Models write summaries through the
//! port [`Summarizer`].

mod balance;
mod blob;
mod budgets;
mod chain;
mod cover;
mod digest;
mod draft;
mod excerpt;
mod extractive;
mod fraction;
mod goal;
mod guidance;
mod history;
mod index;
mod injected;
mod judge;
mod model_summaries;
mod name_log;
mod names;
mod notice;
mod novelty;
mod outcome;
mod pairs;
mod paragraphs;
mod payback;
mod pictures;
mod plan;
mod policy;
mod prepared_summaries;
mod price_sentence;
mod priced;
mod prose;
mod prose_parts;
mod prose_summary;
mod rendered;
mod shown_results;
mod spending;
mod standing;
mod strategies;
mod strategy;
mod strategy_chain;
mod stub;
mod summarizer;
mod summary_job;
mod summary_text;
mod template;
mod tool;
mod tried_summarizer;
mod value;
mod values;
mod visible;
mod waiting;
mod words;

pub use balance::{Balance, CompactionBalance, CompactionBalances, NeededAgain};
pub use blob::{pictures_in, result_text};
pub use chain::Compactor;
pub use cover::{Range, cover_range, fresh_ranges, leave_out, units_to_leave_out, whole_range};
pub use draft::Draft;
pub use extractive::ExtractiveSummarizer;
pub use fraction::fraction_of;
pub use goal::{CompactionJob, Goal};
pub use model_summaries::ModelSummaries;
pub use name_log::NameLog;
pub use outcome::{ClearedResult, CompactResult, Compacted, CompactionError};
pub use payback::pays_back_after;
pub use pictures::{PictureFault, PicturesLeave, dropped_picture, without_pictures};
pub use plan::{Plan, first_fixed, last_request};
pub use policy::{CompactionPolicy, SummaryScope, TargetSize};
pub use prepared_summaries::PreparedSummaries;
pub use price_sentence::{balance_phrase, continuing_sentence, price_sentence};
pub use priced::{
    PricePolicy, PriceState, PricedRequest, PricedSummary, RequestPrices, UnchangedReads, decide_by_price,
};
pub use prose::request_prose;
pub use prose_parts::ProseSummary;
pub use prose_summary::words_of_summary;
pub use shown_results::{ShownResult, placeholder_reference, shown_results};
pub use spending::{RequestObserver, Spending};
pub use standing::StandingTexts;
pub use strategies::{RollingChain, RollingSummary, ToolClearing};
pub use strategy::{Strategy, StrategyError};
pub use strategy_chain::StrategyChain;
pub use stub::{
    StoredReference, cleared_stub, parse_cleared, parse_stub, parse_truncated, short_cleared_stub,
    truncated_stub,
};
#[cfg(any(test, feature = "mock"))]
pub use summarizer::MockSummarizer;
pub use summarizer::{AnswerChecks, Prose, Summarizer, SummaryError, SummaryPrefix, SummaryRequest};
pub use summary_job::{SummaryCollector, SummaryJob, WrittenSummary};
pub use template::Template;
pub use throughline_ledger::StepKind;
pub use tool::compact_context_tool;
pub use tried_summarizer::TriedSummarizer;
pub use waiting::{WaitingChoice, WaitingSession, WaitingTerms, decide_waiting};
pub use words::fit;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod testing;
