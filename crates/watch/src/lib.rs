//! The sessions of other agents: where their transcripts are, and which folder each is about.
//!
//! [`Transcripts`] lists the session files of Claude Code, Codex, Copilot CLI and pi, and finds one of the first two by its id; [`head`] reads the beginning of
//! one for a list. A name such as `claude:12f1` is a [`ForeignName`]. [`hook_settings`] adds hooks to a run of
//! Claude Code, overrides to one of Codex and [`opencode_plugin`] to one of OpenCode; [`HookPayload`] is what they are given, and [`compactions`] finds
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
//! [`answer_hook`] is all that a hook does: it stores the transcript as a session, restores the context that a compaction has
//! lost, and offloads large results. [`answer`] does the same where the storage and the settings are open already. [`launch`]
//! gives an agent these hooks for one run.
//!
//! It never prints, and has no terminal. `stored` has the sessions.

mod agent;
mod answer;
mod asked_compaction;
mod assumed_window;
mod claude_hooks;
mod claude_settings;
mod codex_hooks;
mod codex_launch;
mod codex_user_hooks;
mod compactions;
mod compactor;
mod detector;
mod dialog;
mod error;
mod events;
mod extraction;
mod failure;
mod fates;
mod file_agent;
mod gemini_settings;
mod gemini_signs;
mod head;
mod hooks;
mod import;
mod launch;
mod lines;
mod newest;
mod offload;
mod offloads;
mod opencode_export;
mod opencode_hooks;
mod opencode_launch;
mod opencode_sessions;
mod opencode_signs;
mod recording_files;
mod recordings;
mod replacements;
mod restored_text;
mod sent_contexts;
mod session_lock;
mod sessions;
mod settings;
mod stored_recording;
mod tail;
mod tool_result;
mod transcripts;
mod warning;

pub use agent::{ForeignAgent, ForeignName, TranscriptOrigin};
pub use answer::{HookAnswer, HookPlace, answer, answer_hook};
pub use compactions::{Delivery, ForeignCompaction, compactions, compactions_after};
pub use compactor::{
    CompactedView, CompactorNotes, ComparedCompaction, NotedCompaction, ShownTokens, VisibleShare,
    compare_compactions,
};
pub use detector::{CompactionDetector, ScreenSign};
pub use dialog::shows_dialog;
pub use error::TranscriptError;
pub use events::{EventKind, WatchEvent, WatchEvents};
pub use extraction::{Extraction, Observed};
pub use failure::{Result, WatchError};
pub use fates::FactFates;
pub use file_agent::FileAgent;
pub use gemini_signs::{ContextNeed, gemini_need};
pub use head::{TranscriptHead, first_request, head};
pub use hooks::{HookPayload, OWN_SERVER, ToolUse, hook_settings, server_settings, user_answer};
pub use import::{ImportCause, ImportedSession, import};
pub use launch::{Launch, LaunchChoice, OwnProgram, launch, not_started};
pub use newest::newest_anywhere;
pub use offloads::{OffloadFailure, OffloadFile, OffloadedResult, Offloads};
pub use opencode_export::{ExportedSession, opencode_newest, opencode_session};
pub use opencode_hooks::{OPENCODE_CONFIG, OpencodeConfigError, opencode_config, opencode_plugin};
pub use opencode_sessions::{contexts_given, stored_of_opencode};
pub use opencode_signs::opencode_compactions;
pub use recording_files::recordings_in;
pub use recordings::Recording;
pub use replacements::{AgentNotes, Replacement, agent_notes, replacements};
pub use restored_text::{RestoredText, restored_text};
pub use sent_contexts::SentContexts;
pub use sessions::{
    NamedSession, branch_of, modified_at, session_folder, sessions_of, sessions_of_all, store_file,
    store_named, transcripts,
};
pub use settings::WatchSettings;
pub use stored_recording::{format_of, stored_recording};
pub use tail::ends_with_text;
pub use throughline_continuity::ContextSource;
pub use throughline_replay::{RecordedSession, SessionPart, read_session, recording_bytes};
pub use tool_result::ReplaceableResult;
pub use transcripts::{Transcript, Transcripts, is_plain_id, subagents_of};
