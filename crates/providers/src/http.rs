//! The common part of all clients: keys, addresses, the port to the network, and reading a response as events.
//!
//! A client builds a body, asks a [`Transport`] to send it, and hands the answer's bytes to an
//! [`AnswerStream`](throughline_wire::AnswerStream). It never sends a request twice: retries are the
//! caller's decision. The answer is pulled: no task runs and nothing is buffered beyond one piece of the body, so a slow
//! reader slows the server down and loses nothing, and dropping the stream closes the connection.

mod comparison;
mod endpoint;
mod fields;
mod key;
mod open;
mod reading;
mod reqwest_transport;
mod retry_head;
mod transport;
mod valid;

pub use endpoint::{Endpoint, EndpointError, Timeouts, is_loopback};
pub use key::{Key, KeyError};
pub use reqwest_transport::ReqwestTransport;
#[cfg(any(test, feature = "mock"))]
pub use transport::MockTransport;
pub use transport::{HttpAnswer, HttpRequest, Transport, TransportError};

pub(crate) use comparison::{Comparison, Refusable, names, refuses_some};
pub(crate) use endpoint::host;
pub(crate) use fields::{counted, only};
pub(crate) use open::{json, model_names, open};
#[cfg(feature = "anthropic-sdk")]
pub(crate) use reqwest_transport::headers;
pub(crate) use reqwest_transport::sendable;
pub(crate) use valid::valid;
