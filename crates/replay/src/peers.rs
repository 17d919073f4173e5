//! Simulated context policies of other agents, from their public constants.
//!
//! Each peer is one module with its source named. A peer sees the recorded messages as they come and shrinks its view
//! before a request; requests are priced, and searched for what the answers use, by the same code as the engine's. All
//! of them get the room of the engine: the window less the tokens reserved for output, by the same counter.
//!
//! A policy that runs elsewhere, such as one of another framework in a process of its own, takes part through
//! [`ExternalPolicy`].
//!
//! Summaries are a ledger of 2,000 tokens, written by rule but paid like a model's: the request and its output.

mod clairvoyant;
mod claude;
mod clear_tool_uses;
mod codex;
mod external;
mod history;
mod opencode;
mod openhands;
mod room;
mod run;
mod summary;
mod view;

pub use self::external::{
    ExternalError, ExternalMessage, ExternalPolicy, ExternalReport, ExternalRoom, Summarize, replay_external,
};
pub use self::history::{RequestPoint, request_points};
pub use self::run::{CLAIRVOYANT, PeerOptions, PeerReport, replay_peers, replay_peers_needing};
pub use self::summary::SUMMARY_TOKENS;
