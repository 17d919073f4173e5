//! Many contexts in one process, and the table of operations that every door to them shares.
//!
//! [`Contexts`] holds open [`ContextEngine`](throughline_engine::ContextEngine)s by id. An operation is a type: its fields are
//! the input, [`Operation::Output`] is what it gives back, and [`OPERATIONS`] is the table of all of them with their schemas
//! and error codes. A program calls [`Contexts::run`] with values, and a door calls [`Contexts::call`] with a name and JSON;
//! both do the same. Bodies, answers and lists of messages are in the form of the context's API.
//!
//! ```
//! use serde_json::json;
//! use throughline_contexts::{Contexts, NextRequest, Open, UserMessage};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), throughline_contexts::CallError> {
//! let contexts = Contexts::default();
//! let open = Open { model: "claude-sonnet-4-5".into(), window: Some(200_000), ..Open::default() };
//! contexts.open("mine", None, open).await?;
//! let said = UserMessage { text: "Why does the parser test fail?".into(), images: Vec::new() };
//! contexts.run("mine", None, said).await?;
//! let next = contexts.run("mine", None, NextRequest {}).await?;
//! assert_eq!(next.body["model"], "claude-sonnet-4-5"); // to be sent with a client of your own
//!
//! // The same by name.
//! let body = json!({ "content": [{ "type": "text", "text": "A comma." }], "stop_reason": "end_turn" });
//! let input = json!({ "context": "mine", "request": next.id, "body": body });
//! assert_eq!(contexts.call("answer", input).await?["text"], "A comma.");
//! # Ok(())
//! # }
//! ```
//!
//! Sessions are stored by the port [`ContextStorage`], limits of models come from the port [`ModelFacts`]. The crate knows no
//! model client, no database and no transport.

mod cache_points;
mod call_output;
mod changes;
mod context;
mod contexts;
mod documents;
mod error;
mod inspect;
mod listed_items;
mod models;
mod notice;
mod offload;
mod open;
mod operation;
mod outcomes;
mod references;
mod refusals;
mod requests;
mod slots;
mod storage;
mod sync_list;
mod table;
mod wire_form;
mod words;

pub use cache_points::{CacheLifetime, CachePlace, CachePoint};
pub use call_output::CallOutput;
pub use changes::{Compact, Compaction, Pin, Pinned, Preview, Redo, Undo, Undoable, Unpin, ViewSize};
pub use context::OpenContext;
pub use contexts::{ContextList, Contexts, ListedContext};
pub use documents::{DocumentTexts, GetDocuments, SetDocuments};
pub use error::{CallError, ErrorCode};
pub use inspect::{
    ContextState, GetHandoff, GetReceipts, GetReport, GetState, HandoffText, Holder, ReceiptList,
    ReportedPin, Waits, WindowReport,
};
pub use models::{KnownModel, ModelFacts, NoModels};
pub use notice::{Notice, NoticeKind, NoticeSink};
pub use offload::{Offload, ShownResult};
pub use open::{Open, Opened, SettingsChanges};
pub use operation::Operation;
pub use references::Reference;
pub use refusals::{AfterRefusal, GiveRefusal, GiveStop, RefusalTaken};
pub use requests::{
    CallResult, CallTool, DeclineSummary, GiveAnswer, GiveResults, GiveStream, GiveSummary, NextRequest,
    Picture, RequestBody, Sends, ToolText, UserMessage,
};
pub use storage::{ContextStorage, InMemoryStorage, SessionGuard, SessionStorage, StorageError};
pub use sync_list::{SyncList, SyncedList};
pub use table::{KEY_ABOUT, OPERATIONS, OperationEffect, OperationEntry, find};
pub use wire_form::{BodyOptions, WireForm};
pub use words::{Call, Done, Followed, Object, Then, TokenUsage, Tool, WindowUse};
