//! Replays recorded sessions of real agents through the real engine: what would it have cost, and what would the
//! model still have seen?
//!
//! [`read_session`] reads recordings of eight agents and of one interchange format and detects the format from the content. [`replay`] runs one
//! through an `agent`: a [`RecordedModel`] returns the recorded answers, [`RecordedTool`]s return the recorded
//! results, and everything between them (offload, compaction, cache markers) is the engine's own work. The
//! [`SessionReport`] holds what was sent, what it costs with a prompt cache, and how that compares with sending the
//! whole history each time.
//!
//! A replay is off-policy: the recorded answers were given to the requests of the recorded agent. It measures the
//! content and cost of requests, not how the model would have answered them.
//!
//! Neighbours: `agent` is the engine, `completion` has the request and the cache, `tools` the port that recorded
//! tools implement; `prompt`, `continuity` and `resultstore` give a replay its prompt and its stores in memory.
//!
//! This crate does not know which policies there are, how tokens are counted, or how a provider's wire looks:
//! settings, counter and [`WireCheck`] come in from outside.

mod bill;
mod clock;
mod costs;
mod factor;
mod figures;
mod model;
mod overhead;
mod peers;
mod read;
mod readback;
mod recall;
mod report;
mod runner;
#[cfg(test)]
mod sample;
mod session;
mod summarizer;
mod tool;
mod watch;

pub use bill::{Bill, SentRequests};
pub use clock::ReplayClock;
pub use costs::{Costs, Spread};
pub use factor::{TokenScale, learn_factor};
pub use figures::{Figures, ROUNDING};
#[cfg(any(test, feature = "mock"))]
pub use model::MockWireCheck;
pub use model::{RecordedModel, ReplayMeasures, WireCheck, scaled};
pub use peers::{
    CLAIRVOYANT, ExternalError, ExternalMessage, ExternalPolicy, ExternalReport, ExternalRoom, PeerOptions,
    PeerReport, RequestPoint, SUMMARY_TOKENS, Summarize, replay_external, replay_peers, replay_peers_needing,
    request_points,
};
pub use read::{
    ClaudePlace, ClaudeReading, GeminiSummary, ROW_TEXTS, RecordingError, SYNTHETIC_MODEL,
    begins_gemini_session, claude_conversation, first_value, gemini_summaries, given_title, lenient_json,
    line_objects, open_recording, parse_session, read_claude, read_claude_part, read_session,
    read_transcript, recording_bytes, recording_start, unpacked_name,
};
pub use recall::SessionNeeds;
pub use report::{PriceReport, SessionReport};
pub use runner::{ReplayError, ReplayOptions, Stores, replay, replay_needing};
pub use session::{
    Format, RecordedSession, RecordedStep, RecordedTurn, RequestFacts, RequestTerms, SessionPart,
    UnshownAnswer,
};
pub use tool::{RecordedTool, recorded_tools};
