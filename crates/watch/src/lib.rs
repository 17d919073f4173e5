//! The sessions of other agents: where their transcripts are, and which folder each is about.
//!
//! [`Transcripts`] lists the session files of Claude Code and Codex and finds one by its id; [`head`] reads the beginning of
//! one for a list. A name such as `claude:12f1` is a [`ForeignName`]. [`hook_settings`] adds hooks to a run of Claude Code, [`HookPayload`]
//! is what they are given, and
//! [`deliveries`] finds in a transcript if a restored context arrived.
//!
//! Transcripts are foreign data. An id is compared with the names of files and never made into a path, and links are not
//! followed. Nothing of another agent is ever written.
//!
//! It does not know how a transcript is stored as a session, or what a session is.

mod agent;
mod claude_hooks;
mod deliveries;
mod error;
mod head;
mod transcripts;

pub use agent::{ForeignAgent, ForeignName};
pub use claude_hooks::{HookPayload, context_answer, hook_settings};
pub use deliveries::{Delivery, deliveries};
pub use error::TranscriptError;
pub use head::{TranscriptHead, first_request, head, is_agent_note};
pub use transcripts::{Transcript, Transcripts};
