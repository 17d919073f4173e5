//! What a client sent.

use serde_json::Value;

/// One request as it came in, answered or refused.
#[derive(Debug, Clone)]
pub struct Received {
    /// The method, in capitals.
    pub method: String,
    /// The path verbatim, without the query.
    pub path: String,
    /// The query verbatim, without the `?`; empty without one.
    pub query: String,
    /// Names in lower case and values, in the order of the wire.
    pub headers: Vec<(String, String)>,
    /// The body; `null` when it is missing or not JSON.
    pub body: Value,
    /// Whether the client closed the connection before the answer was complete.
    pub hung_up: bool,
    /// The number in the name of its answer.
    pub(crate) number: u64,
    /// The rules that the request breaks, as `place: words`.
    pub faults: Vec<String>,
}

impl Received {
    /// The first value of a header; the name in any case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

/// The first value of a header in a list with names in lower case.
pub(crate) fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}
