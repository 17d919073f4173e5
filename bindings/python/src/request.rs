//! A request whose body is written when it is asked for.

use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;
use serde_json::json;
use throughline_contexts::{Object, RequestBody, Sends};

/// What the caller sends next.
#[pyclass(frozen)]
pub(crate) struct RequestHandle {
    request: RequestBody,
    took: Duration,
    written: PyOnceLock<Py<PyBytes>>,
}

impl RequestHandle {
    /// `took` is the time of the engine for this request.
    pub(crate) fn new(request: RequestBody, took: Duration) -> Self {
        Self { request, took, written: PyOnceLock::new() }
    }
}

#[pymethods]
impl RequestHandle {
    /// What it is, its number, and the model.
    fn head(&self) -> (&'static str, u64, &str) {
        let send = match self.request.send {
            Sends::Request => "request",
            Sends::Summary => "summary",
        };
        (send, self.request.id, &self.request.model)
    }

    /// The predicted usage and the notices, as JSON.
    fn rest(&self) -> Vec<u8> {
        let RequestBody { predicted, notices, .. } = &self.request;
        json!({ "predicted": predicted, "notices": notices }).to_string().into_bytes()
    }

    /// Seconds that the engine took, without the way to it: what a benchmark compares a call with.
    fn took(&self) -> f64 {
        self.took.as_secs_f64()
    }

    /// The body as JSON. Later calls return the same bytes.
    fn body(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        let written = self.written.get_or_try_init(py, || {
            let body: &Object = &self.request.body;
            let bytes = py.detach(|| serde_json::to_vec(body));
            let bytes = bytes.map_err(|error| PyValueError::new_err(error.to_string()))?;
            Ok::<_, PyErr>(PyBytes::new(py, &bytes).unbind())
        })?;
        Ok(written.clone_ref(py))
    }
}
