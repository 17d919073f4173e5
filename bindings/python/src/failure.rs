//! Errors of operations as exceptions of Python.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use throughline_contexts::CallError;

static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Why a call into the engine gave nothing.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The operation failed.
    Call(CallError),
    /// The operation panicked.
    Panic(tokio::task::JoinError),
    /// No thread can be started.
    Threads(String),
    /// The program ends.
    Ended,
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        Self::Call(error)
    }
}

impl From<tokio::task::JoinError> for Failure {
    fn from(error: tokio::task::JoinError) -> Self {
        Self::Panic(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Call(error) => Python::attach(|py| raised(py, &error).unwrap_or_else(|error| error)),
            Failure::Panic(error) => PyRuntimeError::new_err(format!("the engine failed: {error}")),
            Failure::Threads(error) => PyRuntimeError::new_err(format!("the engine has no threads: {error}")),
            Failure::Ended => PyRuntimeError::new_err("the program ends, so no operation begins"),
        }
    }
}

/// A `ThroughlineError`. Its data crosses as JSON, as everything does.
fn raised(py: Python<'_>, error: &CallError) -> PyResult<PyErr> {
    let class = CLASS.import(py, "throughline._json", "ThroughlineError")?;
    let data = error.data.as_ref().and_then(|data| serde_json::to_string(data).ok());
    Ok(PyErr::from_value(class.call1((error.code.name(), error.message.as_str(), data))?))
}
