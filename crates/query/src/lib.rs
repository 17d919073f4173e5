//! `query_db`: a model's SELECT over the history of its own session, on an in-memory SQLite that holds nothing else.
//!
//! [`SqliteHistory`] implements the port `HistoryDatabase` of `continuity`. It keeps a copy of a session's rows in a
//! database of its own, gives it what the log has gained before each query, and runs the query on a blocking
//! thread. Another session, a file or a setting cannot be reached, because none is in that database: that is
//! the first wall. The others, in the order in which a statement meets them:
//!
//! 1. `weigh`: a statement whose parts would be multiplied while it is compiled is refused unread. SQLite copies
//!    expressions when it merges nested SELECTs, twice a level is a million times in twenty levels, and nothing
//!    interrupts that.
//! 2. Limits of SQLite: length of values and of the statement, depth, compound SELECTs, size of the program,
//!    arguments, columns, patterns, no attached database.
//! 3. The authorizer: SELECT over `messages`, `json_each` and `json_tree`, and listed functions. Then the statement
//!    must be the only one, read only, give columns, and not be an EXPLAIN.
//! 4. The deadline ([`Limits::deadline`]), which is checked every few steps of the program. The functions whose
//!    one step could take minutes (`instr`, `replace`, `trim`) are replaced by ones that take time in proportion
//!    to their input. If all of this fails to stop it in time, the caller gets its error all the same.
//! 5. Caps of the answer: rows and bytes ([`Limits`]).
//!
//! `query_only`, the defensive mode and an untrusted schema stand behind these.
//!
//! # What this does not defend against
//! - A flaw in SQLite itself: the query runs in this process, not in one of its own.
//! - Memory in the short run. One value is bounded by its length; what sorting and grouping pile up until the
//!   deadline is bounded by the time, and by a limit for the SQLite of the whole process (768 MiB). At that
//!   limit, another database of this process may be refused memory for a moment as well.
//! - Load: a query keeps one core busy until its deadline, and a session's queries run one after another.
//! - What the rows say. They hold what tools and people have written, also what was meant to steer the model.
//!
//! It does NOT know: what a row means, how the answer is shown, and where the log is kept.

mod authorizer;
mod copy;
mod deadline;
mod fault;
mod functions;
mod history;
mod limits;
mod read;
mod sandbox;
mod token;
mod weigh;

pub use history::SqliteHistory;
pub use limits::Limits;
