//! Contexts for JavaScript.

use std::path::PathBuf;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Instant;

use napi::Env;
use napi::bindgen_prelude::{Either, PromiseRaw, within_runtime_if_available};
use napi_derive::napi;
use serde::Deserialize;
use throughline_contexts::{CallError, Contexts, ErrorCode, NextRequest};
use throughline_host::{HostError, HostOptions, memory_contexts};
use throughline_providers::models::ModelTable;
use throughline_text::error_chain;

use crate::failure::{failure, invalid};
use crate::request::NativeRequest;

/// Where sessions are stored.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct EngineOptions {
    data_dir: Option<String>,
    database: Option<String>,
    #[serde(default)]
    memory: bool,
}

/// Open contexts and their storage.
#[napi]
#[derive(Debug)]
pub struct NativeEngine {
    contexts: Contexts,
}

#[napi]
impl NativeEngine {
    /// Opens the storage. `options` is JSON: `dataDir`, `database`, `memory`.
    ///
    /// # Errors
    /// If the options are wrong, or the storage cannot be opened.
    #[napi(factory)]
    pub async fn create(options: String) -> napi::Result<Self> {
        let options: EngineOptions = serde_json::from_str(&options).map_err(|error| {
            invalid(format!("the options of Engine are wrong: {error}; it takes dataDir, database, memory"))
        })?;
        match options {
            EngineOptions { memory: true, data_dir: None, database: None } => {
                Ok(Self { contexts: memory_contexts(ModelTable::builtin(), None) })
            }
            EngineOptions { memory: true, .. } => {
                Err(invalid("memory: true goes with neither dataDir nor database; leave out one of them"))
            }
            EngineOptions { memory: false, data_dir, database } => {
                let host = HostOptions { data_dir: data_dir.map(PathBuf::from), database, folder: None };
                Ok(Self { contexts: host.open(None).await.map_err(unopened)? })
            }
        }
    }

    /// Runs an operation by its name, from JSON to JSON.
    ///
    /// The operation owns what it uses: this value may be freed while it runs, when its worker thread is terminated.
    ///
    /// # Errors
    /// An error whose message is the JSON of code, message and data.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn call<'env>(
        &self,
        env: &'env Env,
        operation: String,
        input: String,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let contexts = self.contexts.clone();
        env.spawn_future(async move {
            let input = serde_json::from_str(&input).map_err(|error| invalid(error.to_string()))?;
            let output = contexts.call_json(&operation, input, Vec::new()).await;
            let (output, _) = output.map_err(|error| failure(&error))?.into_parts();
            String::from_utf8(output).map_err(|error| invalid(error.to_string()))
        })
    }

    /// The operation `next_request`. The body stays here until it is asked for.
    ///
    /// It runs on the calling thread up to where it waits, for most requests to its end: the way to another thread and back takes
    /// longer than the request.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    #[napi(catch_unwind, ts_return_type = "NativeRequest | Promise<NativeRequest>")]
    pub fn next_request<'env>(
        &self,
        env: &'env Env,
        context: String,
        key: Option<String>,
    ) -> napi::Result<Either<NativeRequest, PromiseRaw<'env, NativeRequest>>> {
        let contexts = self.contexts.clone();
        let mut work = Box::pin(async move {
            let begun = Instant::now();
            let next = contexts.run(&context, key.as_deref(), NextRequest {}).await;
            Ok(NativeRequest::new(next.map_err(|error| failure(&error))?, begun.elapsed()))
        });
        let begun =
            within_runtime_if_available(|| work.as_mut().poll(&mut TaskContext::from_waker(Waker::noop())));
        match begun {
            Poll::Ready(done) => done.map(Either::A),
            // The first poll of the runtime replaces the waker.
            Poll::Pending => env.spawn_future(work).map(Either::B),
        }
    }
}

/// Why no storage was opened: an option that cannot be used, or the storage itself.
fn unopened(error: HostError) -> napi::Error {
    let code = match &error {
        HostError::Options(_) => ErrorCode::InvalidInput,
        HostError::Storage(_) => ErrorCode::Storage,
    };
    failure(&CallError::new(code, error_chain(&error)))
}
