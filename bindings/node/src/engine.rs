//! Contexts for JavaScript.

use std::path::PathBuf;
use std::time::Instant;

use napi_derive::napi;
use serde::Deserialize;
use throughline_contexts::{CallError, Contexts, ErrorCode, NextRequest};
use throughline_host::{HostOptions, memory_contexts};
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
                let contexts = host
                    .open(None)
                    .await
                    .map_err(|error| failure(&CallError::new(ErrorCode::Storage, error_chain(&error))))?;
                Ok(Self { contexts })
            }
        }
    }

    /// Runs an operation by its name, from JSON to JSON.
    ///
    /// # Errors
    /// An error whose message is the JSON of code, message and data.
    #[napi]
    pub async fn call(&self, operation: String, input: String) -> napi::Result<String> {
        let input = serde_json::from_str(&input).map_err(|error| invalid(error.to_string()))?;
        self.contexts.call_text(&operation, input).await.map_err(|error| failure(&error))
    }

    /// The operation `next_request`. The body stays here until it is asked for.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    #[napi]
    pub async fn next_request(&self, context: String, key: Option<String>) -> napi::Result<NativeRequest> {
        let begun = Instant::now();
        let next = self.contexts.run(&context, key.as_deref(), NextRequest {}).await;
        Ok(NativeRequest::new(next.map_err(|error| failure(&error))?, begun.elapsed()))
    }
}
