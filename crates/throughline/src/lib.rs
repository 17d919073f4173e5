//! The agent as a library, for programs that bring their own tools, models and stores.
//!
//! [`Throughline::builder`] opens a [`Session`]; [`Session::send`] runs a turn. A session stores every record, compacts
//! itself before its window is full, and is resumed by its id:
//!
#![cfg_attr(feature = "sqlite", doc = "```")]
#![cfg_attr(not(feature = "sqlite"), doc = "```ignore")]
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
//! session.close().await?;
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
//! | a tool | [`Builder::tool`], [`Builder::tools`] | [`Tool`](ports::Tool) |
//! | a model | [`Builder::model_port`] | [`LanguageModel`](ports::LanguageModel) |
//! | what the model reads first | [`Builder::system_prompt`], [`Builder::section`] | a text, [`SectionSource`](ports::SectionSource) |
//! | a store | [`Builder::log`], [`Builder::results`] | [`MessageLog`](ports::MessageLog), [`ResultRepository`](ports::ResultRepository) |
//! | a database server | [`Builder::database`] | a PostgreSQL address; cargo feature `postgres` |
//! | thresholds and strategies | [`Builder::policy`], [`Builder::settings`] | [`Policy`], [`Settings`] |
//! | one setting of the program | [`Builder::setting`] | its name and a text |
//! | permissions | [`Builder::allow`], [`Builder::deny`], [`Builder::mode`], [`Builder::approver`] | [`Approver`](ports::Approver) |
//! | a sandbox for commands | [`Builder::sandbox`] | [`Throughline::run_in_sandbox`] |
//! | a listener | [`Builder::events`] | [`EventSink`](ports::EventSink), or a closure that takes an [`Event`](ports::Event) |
//!
//! Five ports that few programs bring are in the crates that call them, with their values, errors and contract suites:
//!
//! | to bring | method | port |
//! |---|---|---|
//! | stored views | [`Builder::snapshots`] | `SnapshotStore` of `throughline-continuity` |
//! | a memory | [`Builder::memory`] | `MemoryPorts` of `throughline-engine`, over the ports of `throughline-memory` |
//! | summaries | [`Builder::summarizer`] | `Summarizer` of `throughline-compaction` |
//! | answers to the servers of tools | [`Builder::elicitor`] | `Elicitor` of `throughline-tools` |
//! | a listener for each of many sessions | [`Builder::listeners`] | `Listeners` of `throughline-agent` |
//!
//! # The engine without the loop
//!
//! A program that has a loop of its own takes the [`ContextEngine`]: it decides what the model sees next, calls no model and runs
//! no tool. [`Wire`] writes its requests as bodies of a provider's API, and reads the answers:
//!
//! ```
//! use serde_json::json;
//! use throughline::ports::{Message, ModelInfo, SessionId};
//! use throughline::engine::Answered;
//! use throughline::{Answer, ContextEngine, Next, Policy, Wire, WireAnswer as _, WireRequest as _};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let send = |_: serde_json::Value| json!({ "content": [{ "type": "text", "text": "A comma." }], "stop_reason": "end_turn" });
//! let info = ModelInfo::with_window("claude-sonnet-4-5", 200_000, 8_000);
//! let policy = Policy::Throughline;
//! let settings = policy.settings(info.window, info.max_output);
//! let mut context =
//!     ContextEngine::builder(info, policy.counter(), settings).open(SessionId::new("parser")?).await?;
//! context.user(Message::user("What does the parser expect?")).await?;
//! while let Next::Request(next) = context.next_request().await? {
//!     let (id, body) = (next.id, send(next.request.body(Wire::Anthropic)));
//!     drop(next);
//!     let answer = Answer::from_wire(Wire::Anthropic, &body)?;
//!     if let Answered::Finished { text, .. } = context.answer(id, answer).await? {
//!         assert_eq!(text, "A comma.");
//!         break;
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A program that takes nothing else depends on `throughline-engine`, `throughline-wire`, and `throughline-policies` for settings and a
//! counter of tokens.
//!
//! # Defaults
//!
//! By default the crate is small: it has no client of a provider and no database. The cargo features `anthropic`, `gemini`,
//! `ollama` and `openai` bring the clients, `sqlite` stores sessions in the user's data folder, and `full` is everything. Without
//! them [`Builder::model_port`] and [`Builder::log`] are needed, and an error says so.
//!
//! Everything else has a default. The key of a model comes from the environment, and sessions are stored in the user's data
//! folder. The model has the embedder's tools and those of the engine, which read stored results, search the history and
//! write memos. Built-in tools that read files or run commands are there when [`Builder::built_in_tools`] asks for them, and
//! the user's own settings count when [`Builder::user_settings`] does. An embedder's own tools run without asking; commands
//! of the model do not, unless a rule or an approver permits them.
//!
//! The library returns values and notices. It never prints, exits or reads a terminal.

mod builder;
pub mod ports;

pub use builder::{Builder, Throughline};
pub use throughline_agent::Settings;
pub use throughline_connect::ModelChoice;
pub use throughline_permission::Mode;
pub use throughline_policies::Policy;
pub use throughline_session::{Reply, Session, ToolSet};
pub use throughline_stored::{Error, Result};

// The engine for a loop of the caller's own. What its operations take and return is in `engine`.
pub use throughline_completion::Answer;
pub use throughline_engine as engine;
pub use throughline_engine::{ContextEngine, Next};
pub use throughline_wire::{Wire, WireAnswer, WireRequest};
