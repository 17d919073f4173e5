//! Fields of a body that a server does not know.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use throughline_completion::{EventStream, ModelError};

use super::comparison::names;
use super::words::words;

/// Words about a field that a server does not know.
pub(crate) const UNKNOWN_FIELD: &[&str] =
    &["xtra", "nknown", "nrecognized", "nexpected", "ot permitted", "upport"];

/// Fields without which a request is answered as well. One that a server does not know is left out from then on.
#[derive(Debug)]
pub(crate) struct RefusedFields {
    optional: &'static [&'static str],
    refused: Mutex<BTreeSet<&'static str>>,
}

impl RefusedFields {
    /// Nothing is refused so far.
    pub(crate) fn of(optional: &'static [&'static str]) -> Self {
        Self { optional, refused: Mutex::default() }
    }

    /// The body without what was refused.
    pub(crate) fn without(&self, mut body: Value) -> Value {
        if let Value::Object(fields) = &mut body {
            let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
            fields.retain(|name, _| !refused.contains(name.as_str()));
        }
        body
    }

    /// Returns true if the server refused one of the fields for the first time: the request is to be sent again without it.
    pub(crate) fn refuses_some(&self, sent: &Result<EventStream, ModelError>) -> bool {
        let Err(error @ ModelError::InvalidRequest { message }) = sent else { return false };
        if !names(error, UNKNOWN_FIELD) {
            return false;
        }
        let named = words(message);
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = |field: &&&'static str| named.contains(**field) && refused.insert(field);
        self.optional.iter().filter(is_new).count() > 0
    }
}
