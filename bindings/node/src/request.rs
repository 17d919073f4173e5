//! A request that JavaScript reads in parts.

use std::time::Duration;

use napi_derive::napi;
use throughline_contexts::{Object, RequestBody};

use crate::failure::invalid;

/// A request, or the question for a summary.
#[napi]
#[derive(Debug)]
pub struct NativeRequest {
    head: String,
    body: Object,
    took: Duration,
}

impl NativeRequest {
    pub(crate) fn new(mut next: RequestBody, took: Duration) -> Self {
        let body = std::mem::take(&mut next.body);
        let mut head = serde_json::to_value(&next).unwrap_or_default();
        head.as_object_mut().map(|fields| fields.remove("body"));
        Self { head: head.to_string(), body, took }
    }
}

#[napi]
impl NativeRequest {
    /// JSON of everything but the body.
    #[napi]
    pub fn head(&self) -> String {
        self.head.clone()
    }

    /// Microseconds that the operation took, for the benchmark of what comes on top of it.
    #[napi]
    pub fn micros(&self) -> f64 {
        self.took.as_secs_f64() * 1e6
    }

    /// JSON of the body.
    ///
    /// # Errors
    /// If it cannot be written.
    #[napi]
    pub fn json(&self) -> napi::Result<String> {
        serde_json::to_string(&self.body).map_err(|error| invalid(error.to_string()))
    }
}
