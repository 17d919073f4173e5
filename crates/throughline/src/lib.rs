//! The assembled agent as a library: everything that the program `throughline` does, without its terminal.
//!
//! [`Throughline::builder`] opens a [`Session`]; [`Session::send`] runs a turn. A session stores every record, compacts
//! itself before its window is full, and is resumed by its id:
//!
//! ```
//! use throughline::{Policy, Throughline, ToolSet};
//! # use throughline::ports::scripted::{self, Reply};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> throughline::Result<()> {
//! # let folder = tempfile::tempdir().expect("a folder");
//! let mut session = Throughline::builder()
//!     .model("anthropic/claude-sonnet-4-5")
//! #   .model_port(scripted::model([Reply::text("It expects a comma.")])).data_dir(folder.path())
//!     .policy(Policy::Throughline)
//!     .built_in_tools(ToolSet::Read)
//!     .workspace(".")
//!     .open()
//!     .await?;
//! let reply = session.send("Why does the parser test fail?").await?;
//! println!("{}", reply.text());
//! println!("{}", session.report().await?); // what fills the window, and what it cost
//! # assert_eq!(reply.text(), "It expects a comma.");
//! let id = session.id().clone();
//! session.close().await;
//!
//! // Later, or in another process:
//! let mut session = Throughline::builder()
//!     .model("anthropic/claude-sonnet-4-5")
//! #   .model_port(scripted::model([Reply::text("In line 2.")])).data_dir(folder.path())
//!     .resume(id)
//!     .open()
//!     .await?;
//! let reply = session.send("Where?").await?;
//! # assert_eq!(reply.text(), "In line 2.");
//! # Ok(())
//! # }
//! ```
//!
//! # What an embedder brings
//!
//! | to bring | method | port or type |
//! |---|---|---|
//! | a tool | [`Builder::tool`] | [`Tool`](ports::Tool) |
//! | a model | [`Builder::model_port`] | [`LanguageModel`](ports::LanguageModel) |
//! | a store | [`Builder::log`], [`Builder::snapshots`], [`Builder::results`] | [`MessageLog`](ports::MessageLog), [`SnapshotStore`](ports::SnapshotStore), [`ResultRepository`](ports::ResultRepository) |
//! | a database server | [`Builder::database`] | a PostgreSQL address; cargo feature `postgres` |
//! | permissions | [`Builder::allow`], [`Builder::deny`], [`Builder::mode`], [`Builder::approver`] | [`Approver`](ports::Approver) |
//! | a listener | [`Builder::events`] | [`EventSink`](ports::EventSink), or a closure that takes an [`Event`](ports::Event) |
//!
//! Everything else has a default: the user's settings, the key in the environment, the user's data folder. An embedder's
//! own tools run without asking. Commands of the model do not, unless a rule or an approver permits them: a sandbox needs a
//! [`Launcher`](throughline_tools::Launcher), see [`Builder::sandbox`].
//!
//! The library returns values and notices. It never prints, exits or reads a terminal. Programs that need more than a
//! [`Session`] use the parts that it is made of: [`Config`], [`ConnectedModel`], [`Storage`], [`permissions`], [`Servers`]
//! and [`open`], [`RunModels`] and [`open_run`] for work without a screen, [`SessionHandle`] for a stored session, whether an
//! agent has it open or not, and [`Memos`].

mod atif;
mod builder;
mod cache_totals;
mod checkpoints;
mod config;
mod continuity;
mod cost;
mod deleted_sessions;
mod deletion;
mod documents;
mod embedded;
mod error;
mod export_lines;
mod file_changes;
mod folders;
mod foreign;
mod foreign_offload;
mod handle;
mod handoff;
mod input_history;
mod inspection;
mod inspector;
mod instructions;
mod json_file;
mod json_objects;
mod kept_files;
mod key_file;
mod memos;
mod messages;
mod model;
mod next_request;
mod offloads;
mod permissions;
pub mod ports;
mod report;
mod runs;
mod secret_file;
mod sent_contexts;
mod servers;
mod session;
mod session_context;
mod session_id;
mod spending;
mod storage;
mod storage_options;
mod token;
mod tools;
mod totals;

pub use atif::export_atif;
pub use builder::{Builder, Throughline};
pub use cache_totals::CacheTotals;
pub use checkpoints::StoredCheckpoint;
pub use config::{
    Config, ConfigSources, Project, SessionSettings, SettingsFile, Trust, TrustFile, command_line_variables,
    set_command_line,
};
pub use cost::{CostMeter, cost_of, cost_text, dollars_text};
pub use deleted_sessions::DeletedSessions;
pub use documents::{Revision, RevisionStatus, StateRebuild};
pub use embedded::{Reply, Session};
pub use error::{Error, Result};
pub use export_lines::export_lines;
pub use file_changes::{FileRestore, FileSide, RestoreOutcome, TurnFile, TurnFiles, path_in};
pub use folders::{config_folder, model_overrides_file, settings_files, workspace};
pub use foreign::{DeletedTranscript, ImportedSession};
pub use foreign_offload::{ForeignCall, foreign_offload_policy, foreign_result_kind, foreign_session_info};
pub use handle::{SessionHandle, SessionLog, SessionWriter};
pub use handoff::checklist;
pub use input_history::InputHistory;
pub use inspection::{SentRequest, receipts};
pub use inspector::{
    CauseCost, ContinuityState, ExplainedPiece, IDLE_GAP, LogCache, PieceCost, PieceReason, PieceSource,
    RequestPiece, RequestPoint, Search, SearchHit, SessionAct, SessionDeletion, compact_stored,
    continuity_state, cost_causes, explained_pieces, preferences, record_text, request_pieces,
    set_preference, timeline,
};
pub use instructions::Instructions;
pub use json_file::{JsonFile, lock};
pub use json_objects::{checkpoint_object, memo_object, session_object, turn_messages_object, turn_object};
pub use key_file::new_key_file;
pub use memos::Memos;
pub use messages::{MessagePart, TurnMessages};
pub use model::{
    Api, CacheLifetime, ConnectError, ConnectedModel, DiscoveredProvider, KeySource, ModelChoice,
    ModelTransport, Provider, ProviderStatus, discover, endpoint, fallback_choice, local_ollama, model_table,
    offered_models, provider_prefix, provider_statuses,
};
pub use offloads::{MAX_OFFLOADED, OffloadFailure, OffloadFile, OffloadedResult, Offloads};
pub use permissions::{Attendance, RuleFile, permissions};
pub use report::{AssumedSettings, ComponentShare, SessionReport};
pub use runs::{
    ClosedRun, OpenRun, RunEnding, RunModels, RunOpening, RunOptions, RunResult, RunSources, RunTally,
    RunUser, event_object, open_run,
};
pub use sent_contexts::SentContexts;
pub use servers::Servers;
pub use session::{OpenedSession, Opening, SessionStart, ToolObserver, open, recorded_model};
pub use session_context::{ContextEntry, ContextOptions, Extraction, RestoredContext};
pub use session_id::{new_session_id, now};
pub use storage::Storage;
pub use storage_options::{StorageBlobs, StorageDatabase, StorageKey, StorageOptions};
pub use token::{AccessToken, TokenUse};
pub use tools::{SANDBOX_MODE, ToolSet, check_unattended, this_program, unlimited};
pub use totals::SessionTotals;

pub use throughline_agent::Deletion;
pub use throughline_mcp::{ServerConfig as McpServerConfig, Transport as McpTransport};
pub use throughline_permission::{Mode, Permissions};
pub use throughline_policies::{Economy, Estimator, Policy};
pub use throughline_providers::models::ModelTable;
pub use throughline_store::{Durability, EncryptionKey, LogChanges};
