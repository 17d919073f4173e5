//! Our clients and our test server against peers that others wrote. `cargo xtask integration wire` fetches them and
//! names them in `THROUGHLINE_AIMOCK` and `THROUGHLINE_PYTHON`.
//!
//! The clients of all five protocols work inside of the real engine, against aimock in its strict mode. Each scenario
//! ends in the same way: the next turn works, the transcript is valid, and the log alone gives the same one. Then the
//! binary itself is run against the same peers, each time with a home folder and an environment of its own.
//!
//! The test server is read by the providers' official clients for Python. It tells what aimock cannot (1.43.0):
//!
//! - Its journal holds requests in the form of Chat Completions, whatever came in, and no keys. Cache markers,
//!   thinking, reasoning items, `prompt_cache_key` of Responses and `num_ctx` are not in it.
//! - Tokens of the cache are never reported, Ollama's counts are always 0, and what Anthropic and Responses report is
//!   0 unless an answer brings figures.
//! - Ollama's thinking is sent as `reasoning_content`, which Ollama itself does not use.
//! - A whole answer can be nonsense, a piece in the middle of a stream cannot; but a character outside of the basic
//!   plane is sent in two halves where a piece ends within it.
//! - It does not notice that a client hangs up in the middle of a stream. Before the first byte it does: it notes
//!   nothing of a request that it could not answer. Nor does it note requests with a wrong key.
//! - A connection that it cuts at once loses what was written just before, so there is a pause between pieces.
//! - It judges no order of messages but Anthropic's thinking, and there it asks more than the API: with thinking on,
//!   the calls of every turn must begin with thinking, not only those of the last one.
//! - Of Gemini's tools it reads `parameters` alone, not `parametersJsonSchema`, it gives no ids to calls, and ends an answer with
//!   calls as `FUNCTION_CALL`, which the API does not know.
//! - It has no `/api/show`, which the binary asks an Ollama for the window of its model.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests may fail the test"
)]

#[path = "wire/aimock.rs"]
mod aimock;
#[path = "wire/answers.rs"]
mod answers;
#[path = "wire/disturbed.rs"]
mod disturbed;
#[path = "wire/failures.rs"]
mod failures;
#[path = "wire/mocked.rs"]
mod mocked;
#[path = "wire/official.rs"]
mod official;
#[path = "wire/pace.rs"]
mod pace;
#[path = "wire/protocol.rs"]
mod protocol;
#[path = "wire/run.rs"]
mod run;
#[path = "wire/session.rs"]
mod session;
#[path = "wire/streams.rs"]
mod streams;
#[path = "wire/tools.rs"]
mod tools;
