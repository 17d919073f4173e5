//! The tool `fetch`: a web page as text.
//!
//! A model that may request any address could reach services that only this machine can reach: a router's settings, a
//! database without a password, the metadata service that hands out the keys of a cloud machine. So [`FetchTool`] resolves
//! the host itself, accepts public addresses only, connects to exactly the address that it checked, and checks again at each
//! redirect. A [`FetchPolicy`] names hosts that are allowed anyway.
//!
//! ```
//! use throughline_conversation::ToolCall;
//! use throughline_fetch::{FetchPolicy, FetchTool};
//! use throughline_tools::{Tool, ToolContext};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let tool = FetchTool::new(FetchPolicy::new().allowing("localhost:8080")?);
//! let input = serde_json::json!({ "url": "http://169.254.169.254/latest/meta-data/" });
//! let call = ToolCall { id: "c1".to_owned(), name: "fetch".to_owned(), input };
//! let output = tool.call(&call, &ToolContext::new("/tmp")).await;
//! assert!(output.is_error && output.to_text().contains("only public addresses"));
//! # Ok::<(), throughline_fetch::InvalidHost>(())
//! # }).unwrap();
//! ```
//!
//! [`SearchTool`] searches the web by a server that the user names, and [`post_json`] sends an object to one, by the same rules.
//!
//! Neighbours: it implements the port of `tools`; the settings of the user determine the policy.
//!
//! It does not know who may use it (`permission`), or how a long text is stored (`resultstore`).

mod address;
mod body;
mod host_lookup;
mod html;
mod page;
mod policy;
mod posting;
mod proxy;
mod search;
mod target;
mod tool;

pub use policy::{FetchPolicy, InvalidHost};
pub use posting::{Posted, post_json};
pub use search::{InvalidSearchServer, SearchTool};
pub use tool::FetchTool;
