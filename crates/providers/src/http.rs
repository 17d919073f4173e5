//! The common part of all clients: keys, addresses, the port to the network, and reading a response as events.
//!
//! A client builds a body, asks a [`Transport`] to send it, and hands the answer's bytes to an
//! [`AnswerStream`](throughline_wire::AnswerStream). It never sends a request twice: retries are the
//! caller's decision. The answer is pulled: no task runs and nothing is buffered beyond one piece of the body, so a slow
//! reader slows the server down and loses nothing, and dropping the stream closes the connection.

#[cfg(feature = "http")]
mod comparison;
mod endpoint;
#[cfg(feature = "http")]
mod fields;
mod key;
#[cfg(feature = "http")]
mod open;
#[cfg(feature = "http")]
mod reading;
#[cfg(feature = "http")]
mod refused_fields;
#[cfg(feature = "http")]
mod refused_tools;
#[cfg(feature = "http")]
mod reqwest_transport;
#[cfg(feature = "http")]
mod retry_head;
#[cfg(feature = "http")]
mod transport;
#[cfg(feature = "http")]
mod valid;
#[cfg(feature = "http")]
mod words;

pub use endpoint::{Endpoint, EndpointError, Timeouts, is_loopback};
pub use key::{Key, KeyError};
#[cfg(feature = "http")]
pub use reqwest_transport::ReqwestTransport;
#[cfg(all(feature = "http", any(test, feature = "mock")))]
pub use transport::MockTransport;
#[cfg(feature = "http")]
pub use transport::{HttpAnswer, HttpRequest, Transport, TransportError};

#[cfg(feature = "http")]
pub(crate) use comparison::{Comparison, Refusable, names, refuses_some};
pub(crate) use endpoint::host;
#[cfg(feature = "http")]
pub(crate) use fields::{counted, only};
#[cfg(feature = "http")]
pub(crate) use open::{json, model_names, open};
#[cfg(feature = "http")]
pub(crate) use refused_fields::{RefusedFields, UNKNOWN_FIELD};
#[cfg(feature = "http")]
pub(crate) use refused_tools::RefusedTools;
#[cfg(feature = "anthropic-sdk")]
pub(crate) use reqwest_transport::headers;
#[cfg(feature = "http")]
pub(crate) use reqwest_transport::sendable;
#[cfg(feature = "http")]
pub(crate) use valid::valid;
