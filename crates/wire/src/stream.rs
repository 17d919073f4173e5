//! From the bytes of a response to events: lines, server-sent events, and what all decoders share.

pub(crate) mod answer;
mod answer_prefix;
pub(crate) mod answer_stream;
pub(crate) mod call_ids;
mod half_characters;
pub(crate) mod line_buffer;
pub(crate) mod ndjson;
mod nearly_json;
pub(crate) mod prose;
pub(crate) mod sse;
mod think_tags;
pub(crate) mod tool_input;

pub use answer::Decoded;
pub use answer_prefix::answer_prefix;
pub use answer_stream::AnswerStream;
pub use line_buffer::{LineTooLong, MOST_BYTES};
pub use ndjson::NdjsonLines;
pub use sse::{SseEvent, SseLines};
