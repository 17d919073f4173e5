//! Stored sessions over HTTP: an API for programs, and the pages of an inspector for browsers.
//!
//! [`Server`] answers from a data folder, on the loopback interface unless [`ServerReach`] names another one. Every request but
//! the probes of a supervisor passes the same checks first: it names an address of the server as its host, comes from no
//! page of another site, and shows the token. The routes are one table, from which the router and
//! the OpenAPI document are made. Ids are parsed before they are looked up. Lists come in pages. Errors are
//! `{"error": {"message": …}}`. What is read and changed is the library's; [`report_page`] is a session as one file.
//!
//! Turns run side by side, by the library's assembled agent. A turn outlives the request that began it; its events are a feed
//! that clients join and leave, and what its permissions ask is answered by a request.
//!
//! Transcripts of other agents are shown as they lie in their files: `replay` reads them, `audit` prices them, and here they
//! become logs in memory, which the same pages show. Nothing of them is stored.
//!
//! Programs that own their loop call the operations of contexts, each by a path of its own.
//!
//! It does not know providers, the terminal or arguments of a command line.

mod access;
mod acts;
mod admission;
mod agent_label;
mod agent_notes;
mod answer;
mod app;
mod audit;
mod browser;
mod caller;
mod connections;
mod context_owner;
mod contexts;
mod erasure;
mod event_stream;
mod events;
mod finished;
mod guard;
mod inspector;
mod limits;
mod memos;
mod metrics;
mod openapi;
mod owned_sessions;
mod page;
mod pages;
mod params;
mod probes;
mod reach;
mod requests;
mod results;
mod retention;
mod route;
mod router;
mod sending;
mod server;
mod sessions;
mod settings;
mod shapes;
mod streams;
mod table;
mod tls;
mod tokens;
mod transcripts;
mod turn_routes;
mod turns;
mod views;

pub use audit::AuditObject;
pub use limits::{InvalidRate, RequestRate, UserLimits};
pub use pages::{report_page, report_transcript};
pub use reach::{PublicUrl, PublicUrlError, ServerReach};
pub use server::{Server, ServerError};
pub use tls::{ServerTls, TlsError};
pub use tokens::TokenObject;
pub use transcripts::TranscriptPlace;
pub use turns::TurnOptions;
