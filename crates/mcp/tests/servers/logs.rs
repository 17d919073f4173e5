//! Configured secrets are in no log, whatever the log level.

use std::io::{Result, Write};
use std::sync::{Arc, Mutex};

use serde_json::json;
use throughline_mcp::{McpServers, ServerConfig};
use tracing::instrument::WithSubscriber;

use crate::fake::{call, options};
use crate::network::{Web, good};
use crate::programs::{SERVER, config};

/// Everything that was logged.
#[derive(Debug, Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// What a session logs that calls a tool of each server, at the finest level.
fn logged(configs: Vec<ServerConfig>, tools: &[&str]) -> String {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    // One thread, so that what the tasks log is caught too.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let _guard = tracing::subscriber::set_default(subscriber);
    runtime.block_on(
        async {
            let servers = McpServers::new(configs, options(None));
            servers.start().await;
            for tool in tools {
                let output = call(&servers, tool, json!({})).await;
                assert!(!output.is_error, "{}", output.to_text());
            }
            tracing::info!(?servers, notes = ?servers.notes(), "the session");
            servers.close().await;
        }
        .with_current_subscriber(),
    );
    let bytes = log.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn variables_of_a_program_are_not_logged_and_what_it_writes_is() {
    let folder = tempfile::tempdir().unwrap();
    let log = logged(vec![config(folder.path(), SERVER)], &["mcp__sh__env"]);
    assert!(log.contains("starting with [hidden]"), "{log}");
    assert!(!log.contains("secret-4711"), "{log}");
}

#[test]
fn headers_and_queries_are_not_logged() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let web = runtime.block_on(Web::start(good));
    let log = logged(vec![web.config("Bearer secret-4712")], &["mcp__web__x"]);
    let shown = log.lines().find(|line| line.contains("secret-471") || line.contains("apiKey"));
    assert!(log.contains("rmcp") && log.contains("127.0.0.1"), "it logs at all: {log}");
    assert_eq!(shown, None);
}
