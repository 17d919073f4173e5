//! Traces and metrics of sessions, by OpenTelemetry's conventions for generative AI.
//!
//! [`Telemetry`] is made from the standard `OTEL_*` variables. It gives every session a listener, which turns the events of the
//! agent into spans: `invoke_agent` for a turn, and below it `chat` for each request, `execute_tool` for each call of a tool and
//! `throughline.compaction`. Token usage and durations are metrics, too.
//!
//! Spans and figures wait in bounded queues, which threads of their own send by OTLP over HTTP. A collector that is slow or
//! gone costs a turn nothing: what does not fit is dropped. Texts of users, models and tools are sent only if a variable asks
//! for it; texts of errors never are.

mod compaction_span;
mod environment;
mod instruments;
mod names;
mod open_chat;
mod otlp_client;
mod output;
mod pipeline;
mod request_span;
mod resource;
mod session_trace;
mod spans;
mod telemetry;

pub use environment::TelemetryError;
pub use telemetry::Telemetry;
