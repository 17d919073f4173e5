//! Stored sessions: the data folder, the database in it or on a server, and all that is read from a session or changed in
//! one while no agent has it open.
//!
//! [`Storage`] opens the data folder and finds sessions. [`SessionHandle`] is one of them: its report, messages,
//! documents, checkpoints, handoff, undone turns and deletion. A change is made by a [`SessionWriter`]: the caller, who takes
//! the session's lock, or the agent that has it.

mod acts;
mod agent_calls;
mod atif;
#[cfg(feature = "sqlite")]
mod bundle;
mod cache_totals;
mod checkpoints;
mod command_line;
#[cfg(feature = "sqlite")]
mod copying;
mod cut_off_calls;
mod delete_session;
mod deleted_sessions;
mod deletion;
mod derived_file;
mod documents;
mod error;
mod export_lines;
mod file_changes;
mod folder_scope;
mod handle;
mod handoff;
mod input_history;
mod inspection;
mod json_objects;
mod kept_files;
mod log_rows;
mod memos;
mod messages;
mod moving;
mod next_request;
mod past_time;
#[cfg(feature = "sqlite")]
mod prune;
mod recorded;
#[cfg(feature = "sqlite")]
mod recorded_key;
#[cfg(feature = "sqlite")]
mod recovery;
mod report;
mod results;
mod search;
mod session_context;
mod session_cost;
mod session_costs;
mod session_id;
mod session_start;
mod session_totals;
mod side_file;
mod spending;
mod storage;
mod summaries;
mod totals;
mod transcript;
mod view_size;

pub use acts::SessionAct;
pub use agent_calls::AGENT_TOOL;
pub use atif::export_atif;
#[cfg(feature = "sqlite")]
pub use bundle::{BundledSession, is_bundle};
pub use cache_totals::CacheTotals;
pub use checkpoints::StoredCheckpoint;
pub use command_line::data_dir_option;
#[cfg(feature = "sqlite")]
pub use copying::{StoreCopy, StorePlace};
pub use delete_session::SessionMemos;
pub use deleted_sessions::{DeletedSessions, FOREIGN_AGENTS};
pub use documents::{Revision, RevisionStatus, StateRebuild};
pub use error::{Attempt, Error, Result};
pub use export_lines::{LogExport, export_lines};
pub use file_changes::{FileRestore, FileSide, RestoreOutcome, TurnFile, TurnFiles, path_in};
pub use folder_scope::{FolderScope, scope_folder};
pub use handle::{SessionHandle, SessionLog, SessionWriter};
pub use handoff::checklist;
pub use input_history::InputHistory;
pub use inspection::{SentRequest, receipts};
pub use json_objects::{
    CheckpointObject, MemoObject, SessionObject, TurnMessagesObject, TurnObject, checkpoint_object,
    memo_object, session_object, turn_messages_object, turn_object,
};
pub use memos::{Memos, memo_scope};
pub use messages::{MessagePart, TurnMessages};
pub use past_time::past_time;
#[cfg(feature = "sqlite")]
pub use prune::{PruneOutcome, Pruned};
pub use recorded::{recorded_model, recorded_policy, settings_for};
#[cfg(feature = "sqlite")]
pub use recorded_key::{RecordedKey, recorded_key};
#[cfg(feature = "sqlite")]
pub use recovery::{DamagedDatabase, RecoveredFolder};
pub use report::{AssumedSettings, ComponentShare, SessionReport};
pub use search::{Search, SearchHit};
pub use session_context::{ContextEntry, ContextOptions, Extraction, RestoredContext};
pub use session_cost::SessionCost;
pub use session_id::{new_session_id, now};
pub use session_start::SessionStart;
pub use side_file::{COMPACTED_VIEW, SideFile};
pub use spending::SpendingLimits;
pub use storage::Storage;
pub use throughline_groups::user_request;
pub use throughline_resultstore::{MAX_PAGE_BYTES, ReadRequest, ResultInfo, ResultPage, preview_reference};
pub use throughline_store::DataDir;
#[cfg(feature = "sqlite")]
pub use throughline_store::{AuditEntry, RecoveredSession, Recovery, UserRights, UserToken};
pub use totals::SessionTotals;
pub use transcript::{ClaudeSession, export_claude, export_pydantic_ai};
pub use view_size::ViewSize;
