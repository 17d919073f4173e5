//! The sessions of other agents: where their transcripts are, and which folder each is about.
//!
//! [`Transcripts`] lists the session files of Claude Code, Codex, Copilot CLI and pi, and finds one of the first two by its id; [`head`] reads the beginning of
//! one for a list. A name such as `claude:12f1` is a [`ForeignName`]. [`hook_settings`] adds hooks to a run of
//! Claude Code, [`codex_hook_overrides`] to one of Codex and [`opencode_plugin`] to one of OpenCode; [`HookPayload`] is what they are given, and [`compactions`] finds
//! in a transcript what the agent's own summaries say and if a restored context arrived; [`opencode_compactions`] does in an
//! export of OpenCode.
//!
//! [`ReplaceableResult`] is a tool's result that a hook may replace, and [`replacements`] finds in the session which of them the
//! agent has taken.
//!
//! For agents without hooks [`CompactionDetector`] recognises a compaction on the screen.
//!
//! Transcripts are foreign data. An id is compared with the names of files and never made into a path, and links are not
//! followed. Nothing of another agent is ever written.
//!
//! It does not know how a transcript is stored as a session, or what a session is.

mod agent;
mod codex_hooks;
mod compactions;
mod detector;
mod dialog;
mod error;
mod fates;
mod file_agent;
mod gemini_signs;
mod head;
mod hooks;
mod lines;
mod opencode_hooks;
mod opencode_signs;
mod replacements;
mod tail;
mod tool_result;
mod transcripts;

pub use agent::{ForeignAgent, ForeignName};
pub use codex_hooks::{
    CodexTrustError, codex_hook_listing, codex_hook_overrides, codex_server_overrides, codex_trust_override,
};
pub use compactions::{Delivery, ForeignCompaction, compactions, compactions_after};
pub use detector::{CompactionDetector, ScreenSign};
pub use dialog::shows_dialog;
pub use error::TranscriptError;
pub use fates::FactFates;
pub use file_agent::FileAgent;
pub use gemini_signs::{ContextNeed, gemini_need};
pub use head::{TranscriptHead, first_request, head};
pub use hooks::{HOOK_TEXT, HookPayload, OWN_SERVER, ToolUse, hook_settings, server_settings, user_answer};
pub use opencode_hooks::{OPENCODE_CONFIG, OpencodeConfigError, opencode_config, opencode_plugin};
pub use opencode_signs::opencode_compactions;
pub use replacements::{AgentNotes, Replacement, agent_notes, replacements};
pub use tail::ends_with_text;
pub use tool_result::ReplaceableResult;
pub use transcripts::{Transcript, Transcripts, is_plain_id};
