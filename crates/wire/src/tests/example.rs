//! The requests that the worked examples of the wires share.

use throughline_completion::CompletionRequest;
use throughline_conversation::{CacheBreakpoint, CacheTtl, Place};
use throughline_testkit::{parse, request};

/// Two messages of the user in a row, thinking, two calls at once of which one fails, an id that not every provider
/// takes, and an empty result.
pub(crate) fn tool_loop() -> CompletionRequest {
    request(parse(include_str!("example/tool_loop.txt")))
}

/// The same request with a marker of each kind.
pub(crate) fn marked(plain: &CompletionRequest) -> CompletionRequest {
    let places = [Place::Tool(0), Place::Section(1), Place::Message(0)];
    let breakpoints = places.map(|place| CacheBreakpoint { place, ttl: CacheTtl::OneHour }).to_vec();
    CompletionRequest { breakpoints, ..plain.clone() }
}
