//! Sessions that survive: the log that every record goes to, the snapshot that makes opening quick, and
//! [`resume`], which gives back the view as it was when the process ended, however it ended.
//!
//! The log is the truth. A [`Snapshot`] is only a view that was kept, with the place in the log that it covers:
//! [`resume`] takes the newest one and the records after it, and makes the view from the whole log when the
//! snapshot is damaged or does not fit. [`seal`] closes the calls that a crash cut off, [`stop_note`] says where a turn was stopped.
//!
//! What a model must not lose is kept in two documents, which it writes itself: STATE (what is true, [`State`]) and the
//! [`Scratchpad`] (the plan). [`signals`] reads them out of a response and [`updates`] makes revisions of them;
//! [`manage`] runs the tool that does the same; [`documents_note`] shows them at the end of each request. A
//! [`Handoff`] and a [`SessionContext`] are made of them, the checklist, the ledger and the working tree.
//!
//! Ports: [`MessageLog`], [`SnapshotStore`], [`SessionDirectory`]. `store` implements them on SQLite. The
//! in-memory ones here are test fakes and what a session falls back on when the disk fails. [`HistoryDatabase`]
//! is the port behind the tool `query_db`, by which a model asks its own history; `query` implements it. [`GitProbe`]
//! looks at a working tree; `git` implements it. The feature `contract` holds the checks that stateful ports pass.
//!
//! It does NOT know: how records are stored, when to compact or to take a snapshot, what a model is, and
//! who holds the session open (`store` has the lock).

mod checkpoint;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod diff;
mod directory;
mod documents;
mod git;
mod groups;
mod handoff;
mod history;
mod log;
mod markdown;
mod memory;
mod moment;
mod resume;
mod scratchpad;
mod seal;
mod signals;
mod snapshot;
mod snapshots;
mod state;
mod summaries;

pub use checkpoint::{CheckpointJson, CheckpointPolicy, checkpoint_json};
pub use diff::{
    CompactionDiff, Cover, Covered, DiffError, PicturesLeft, ReplacedPart, Replacement, ViewSize,
    compaction_diff,
};
#[cfg(any(test, feature = "mock"))]
pub use directory::MockSessionDirectory;
pub use directory::{DirectoryError, SessionDirectory, SessionInfo, SessionSummary};
pub use documents::{
    DocumentCaps, SCRATCHPAD_RULES, STATE_CAP, StateRule, Updates, Written, documents_note,
    history_guidelines, restored_document, updates,
};
#[cfg(any(test, feature = "mock"))]
pub use git::MockGitProbe;
pub use git::{GitError, GitProbe, GitStatus};
pub use groups::{Change, Group, GroupError, Purge, Shown, groups, mark, purge, window_edit};
pub use handoff::{
    Handoff, HandoffInput, HandoffLedger, SessionContext, SessionContextSummary, handoff,
    previous_session_context, recovery_text, resume_once, resume_text, session_context,
};
#[cfg(any(test, feature = "mock"))]
pub use history::MockHistoryDatabase;
pub use history::{
    COLUMNS, Cell, GroupMarks, HistoryDatabase, HistoryPart, HistoryRow, PARTS_PER_RECORD, PageSize,
    QueryAnswer, QueryError, QueryPage, RowKind, RowRole, RowStatus, SessionHistory, history_rows,
    query_db_tool, row_id, sql_from_input,
};
#[cfg(any(test, feature = "mock"))]
pub use log::MockMessageLog;
pub use log::{LogError, MessageLog, Part};
pub use memory::{InMemoryMessageLog, InMemorySessionDirectory, InMemorySnapshotStore};
pub use moment::rfc3339;
pub use resume::{ResumeError, Resumed, Unreadable, resume};
pub use scratchpad::{
    ChecklistItem, Managed, SCRATCHPAD_CAP, SCRATCHPAD_TEMPLATE, Scratchpad, ScratchpadError, TooLarge,
    blockers, decisions, manage, manage_scratchpad_tool, plan,
};
pub use seal::{continue_note, is_stop_note, seal, stop_note};
pub use signals::{Malformed, Signals, signals, signals_of_cut};
pub use snapshot::{Snapshot, snapshot_of};
#[cfg(any(test, feature = "mock"))]
pub use snapshots::MockSnapshotStore;
pub use snapshots::{SnapshotError, SnapshotStore};
pub use state::{REBUILD_PROMPT, RebuildInput, State, rebuilt, rebuilt_by_rule};
pub use summaries::{SummaryRow, SummaryStatus, summaries};
