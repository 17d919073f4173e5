//! The contexts of one engine, called by name with JSON.

use std::future::Future;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use pyo3::prelude::*;
use serde_json::Value;
use throughline_contexts::{CallError, Contexts, ErrorCode, NextRequest};
use throughline_host::{HostError, HostOptions, Turns, memory_contexts};
use throughline_providers::models::ModelTable;
use throughline_text::error_chain;

use crate::failure::Failure;
use crate::process::Process;
use crate::promise::promise;
use crate::request::RequestHandle;

/// Contexts of one engine. It may be used from any thread.
#[pyclass(frozen)]
#[derive(Debug)]
pub(crate) struct Handle {
    /// `None` only while it is dropped.
    contexts: Option<Contexts>,
    turns: Mutex<Turns>,
    /// The process that has opened them.
    process: u32,
}

impl Handle {
    fn contexts(&self) -> Result<Contexts, Failure> {
        match &self.contexts {
            Some(contexts) if self.process == Process::current().id() => Ok(contexts.clone()),
            _ => {
                let message = "this engine is of the process that was forked; make one in this process";
                Err(CallError::new(ErrorCode::NotPossible, message).into())
            }
        }
    }

    /// The work, behind all that was called for this context before.
    fn behind<T, W>(&self, context: &str, work: W) -> impl Future<Output = T> + Send + use<T, W>
    where
        W: Future<Output = T> + Send,
    {
        // No panic can leave the turns half written.
        let turn = self.turns.lock().unwrap_or_else(PoisonError::into_inner).take(context);
        async move {
            let _turn = turn.await;
            work.await
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // Sessions that another process has open stay locked by it.
        if self.process != Process::current().id() {
            std::mem::forget(self.contexts.take());
        }
    }
}

#[pymethods]
impl Handle {
    #[new]
    fn new(
        py: Python<'_>,
        data_dir: Option<PathBuf>,
        database: Option<String>,
        memory: bool,
    ) -> PyResult<Self> {
        let contexts = wait(py, opened(data_dir, database, memory))?;
        Ok(Self { contexts: Some(contexts), turns: Mutex::default(), process: Process::current().id() })
    }

    /// Runs an operation. Other threads of Python run meanwhile.
    fn call(&self, py: Python<'_>, operation: String, input: Vec<u8>) -> PyResult<Vec<u8>> {
        wait(py, called(self.contexts()?, operation, input))
    }

    /// The same as an awaitable of the running event loop, behind the operations of the context that were called before.
    fn call_async<'py>(
        &self,
        py: Python<'py>,
        operation: String,
        input: Vec<u8>,
        context: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let work = called(self.contexts()?, operation, input);
        match context {
            Some(context) => promise(py, self.behind(context, work)),
            None => promise(py, work),
        }
    }

    /// The next request of a context, with its body unconverted.
    fn next_request(&self, py: Python<'_>, context: String, key: Option<String>) -> PyResult<RequestHandle> {
        wait(py, requested(self.contexts()?, context, key))
    }

    /// The same as an awaitable of the running event loop.
    fn next_request_async<'py>(
        &self,
        py: Python<'py>,
        context: String,
        key: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let contexts = self.contexts()?;
        promise(py, self.behind(&context.clone(), requested(contexts, context, key)))
    }
}

async fn opened(
    data_dir: Option<PathBuf>,
    database: Option<String>,
    memory: bool,
) -> Result<Contexts, Failure> {
    if memory && (data_dir.is_some() || database.is_some()) {
        let message = "memory=True stores nothing; leave out data_dir and database";
        return Err(CallError::new(ErrorCode::InvalidInput, message).into());
    }
    if memory {
        return Ok(memory_contexts(ModelTable::builtin(), None));
    }
    let options = HostOptions { data_dir, database, folder: None };
    options.open(None).await.map_err(|error| {
        let code = match &error {
            HostError::Options(_) => ErrorCode::InvalidInput,
            HostError::Storage(_) => ErrorCode::Storage,
        };
        CallError::new(code, error_chain(&error)).into()
    })
}

async fn called(contexts: Contexts, operation: String, input: Vec<u8>) -> Result<Vec<u8>, Failure> {
    let invalid = |error: serde_json::Error| CallError::new(ErrorCode::InvalidInput, error.to_string());
    let input: Value = serde_json::from_slice(&input).map_err(invalid)?;
    Ok(contexts.call_json(&operation, input, Vec::new()).await?.into_parts().0)
}

async fn requested(
    contexts: Contexts,
    context: String,
    key: Option<String>,
) -> Result<RequestHandle, Failure> {
    let begun = Instant::now();
    let request = contexts.run(&context, key.as_deref(), NextRequest {}).await?;
    Ok(RequestHandle::new(request, begun.elapsed()))
}

/// Waits without holding the interpreter.
fn wait<T: Send>(py: Python<'_>, work: impl Future<Output = Result<T, Failure>> + Send) -> PyResult<T> {
    let (begun, runtime) = Process::current().begin()?;
    let outcome = py.detach(|| runtime.block_on(work));
    // Not before this thread is in the interpreter: it may not enter one that has ended.
    drop(begun);
    Ok(outcome?)
}
