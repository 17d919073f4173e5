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

mod builder;
mod continuity;
mod embedded;
mod instructions;
mod permissions;
pub mod ports;
mod runs;
mod servers;
mod session;
mod tools;

pub use builder::{Builder, Throughline};
pub use embedded::{Reply, Session};
pub use instructions::Instructions;
pub use permissions::{Attendance, RuleFile, permissions};
pub use runs::{
    ClosedRun, OpenRun, RunEnding, RunModels, RunOpening, RunOptions, RunResult, RunSources, RunTally,
    RunUser, event_object, open_run,
};
pub use servers::Servers;
pub use session::{OpenedSession, Opening, ToolObserver, open};
pub use tools::{SANDBOX_MODE, ToolSet, check_unattended, this_program, unlimited};

pub use throughline_config::{
    AccessToken, Config, ConfigError, ConfigSources, JsonFile, Project, SessionSettings, SettingsFile,
    StorageBlobs, StorageDatabase, StorageKey, StorageOptions, TokenUse, Trust, TrustFile,
    command_line_variables, config_folder, lock, model_overrides_file, new_key_file, set_command_line,
    settings_files, workspace,
};
pub use throughline_connect::{
    Api, CacheLifetime, ConnectError, ConnectedModel, CostMeter, DiscoveredProvider, KeySource, ModelChoice,
    ModelTransport, Provider, ProviderStatus, cost_of, cost_text, discover, dollars_text, endpoint,
    fallback_choice, local_ollama, model_table, offered_models, provider_prefix, provider_statuses,
};
pub use throughline_stored::{
    AssumedSettings, CacheTotals, ComponentShare, ContextEntry, ContextOptions, DeletedSessions, Error,
    Extraction, FileRestore, FileSide, InputHistory, Memos, MessagePart, RestoreOutcome, RestoredContext,
    Result, Revision, RevisionStatus, Search, SearchHit, SentRequest, SessionAct, SessionDeletion,
    SessionHandle, SessionLog, SessionReport, SessionStart, SessionTotals, SessionWriter, StateRebuild,
    Storage, StoredCheckpoint, TurnFile, TurnFiles, TurnMessages, checklist, checkpoint_object, export_atif,
    export_lines, memo_object, new_session_id, now, path_in, receipts, recorded_model, session_object,
    settings_for, turn_messages_object, turn_object,
};

pub use throughline_agent::Deletion;
pub use throughline_mcp::{ServerConfig as McpServerConfig, Transport as McpTransport};
pub use throughline_permission::{Mode, Permissions};
pub use throughline_policies::{Economy, Estimator, Policy};
pub use throughline_providers::models::ModelTable;
pub use throughline_store::{Durability, EncryptionKey, LogChanges};
