//! Whole turns through the public interface, with a scripted model.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail the test")]

#[path = "agent/ahead.rs"]
mod ahead;
#[path = "agent/alone.rs"]
mod alone;
#[path = "agent/compaction.rs"]
mod compaction;
#[path = "agent/degradation.rs"]
mod degradation;
#[path = "agent/degradation_ports.rs"]
mod degradation_ports;
#[path = "agent/deleting.rs"]
mod deleting;
#[path = "agent/filters.rs"]
mod filters;
#[path = "agent/first_streams.rs"]
mod first_streams;
#[path = "agent/handoffs.rs"]
mod handoffs;
#[path = "agent/harness.rs"]
mod harness;
#[path = "agent/hooking.rs"]
mod hooking;
#[path = "agent/inspecting.rs"]
mod inspecting;
#[path = "agent/keeping.rs"]
mod keeping;
#[path = "agent/laws.rs"]
mod laws;
#[path = "agent/limited.rs"]
mod limited;
#[path = "agent/lives.rs"]
mod lives;
#[path = "agent/long_prompts.rs"]
mod long_prompts;
#[path = "agent/model_errors.rs"]
mod model_errors;
#[path = "agent/nameless.rs"]
mod nameless;
#[path = "agent/picture_results.rs"]
mod picture_results;
#[path = "agent/pictures.rs"]
mod pictures;
#[path = "agent/placement.rs"]
mod placement;
#[path = "agent/presets.rs"]
mod presets;
#[path = "agent/receipts.rs"]
mod receipts;
#[path = "agent/searching.rs"]
mod searching;
#[path = "agent/sources.rs"]
mod sources;
#[path = "agent/spending.rs"]
mod spending;
#[path = "agent/standing.rs"]
mod standing;
#[path = "agent/steering.rs"]
mod steering;
#[path = "agent/stopping.rs"]
mod stopping;
#[path = "agent/summaries.rs"]
mod summaries;
#[path = "agent/switching.rs"]
mod switching;
#[path = "agent/turns.rs"]
mod turns;
#[path = "agent/waiting.rs"]
mod waiting;
