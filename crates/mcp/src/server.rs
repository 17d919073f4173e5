//! One server through its lives: started when it is needed, started again when it died, left alone when it dies always.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};
use throughline_tools::ToolOutput;
use tokio::time::{Instant, timeout};

use crate::cache::Cache;
use crate::connection::{Connection, RequestError};
use crate::handler::Handler;
use crate::list::Listed;
use crate::output::output;
use crate::redact::Redactor;
use crate::remote::shown;
use crate::{ServerConfig, ServerReport, ServerStatus, Transport, bounds, http};

/// A configured server.
pub(crate) struct Server {
    config: ServerConfig,
    handler: Handler,
    cache: Option<Cache>,
    /// Held while a connection is made, so that it is made once.
    connection: tokio::sync::Mutex<Option<Arc<Connection>>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    listed: Option<Arc<Listed>>,
    status: Option<ServerStatus>,
    problem: Option<String>,
    failures: u32,
    not_before: Option<Instant>,
    closed: bool,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Server {
    /// A server that is not started. Its tools are known when the cache has them.
    pub(crate) fn new(config: ServerConfig, workspace: PathBuf, cache: Option<Cache>) -> Self {
        let redactor = Redactor::of(&config);
        let handler = Handler { server: config.name.clone(), workspace, redactor, changed: Arc::default() };
        let known = cache.as_ref().and_then(|cache| cache.read(&config));
        let listed = known.map(|tools| Arc::new(Listed { tools, notes: Vec::new() }));
        let status = listed.as_ref().map(|_| ServerStatus::Idle);
        let state = Mutex::new(State { listed, status, ..State::default() });
        Self { config, handler, cache, connection: tokio::sync::Mutex::new(None), state }
    }

    pub(crate) fn name(&self) -> &str {
        &self.config.name
    }

    /// Its tools, as far as they are known.
    pub(crate) fn listed(&self) -> Option<Arc<Listed>> {
        self.state().listed.clone()
    }

    /// Makes a connection where there is none, and gives up in bounded time. What came of it is in the state.
    pub(crate) async fn prepare(&self) {
        let _ = self.connection().await;
    }

    /// Asks for the tools again when the server has said that they changed. A server that is not running is not
    /// started for that.
    pub(crate) async fn relist(&self) {
        if !self.handler.changed.swap(false, Ordering::SeqCst) {
            return;
        }
        let Some(connection) = self.connection.lock().await.clone() else { return };
        match connection.list(&self.config).await {
            Ok(listed) => self.take(listed),
            Err(error) => {
                let why =
                    format!("its new list of tools could not be read, so the old one stays: {}", told(error));
                self.state().problem = Some(self.handler.redactor.line(&why));
            }
        }
    }

    /// Whether nothing is known of its tools, and asking now could help.
    pub(crate) fn is_worth_a_try(&self) -> bool {
        let starting = self.connection.try_lock().is_err();
        let state = self.state();
        let waits = state.not_before.is_some_and(|until| until > Instant::now());
        state.listed.is_none() && !starting && !waits && !state.closed
    }

    /// Calls a tool by the server's own name for it. Every way to fail is an output that says what to do.
    pub(crate) async fn call(&self, tool: &str, arguments: Map<String, Value>) -> ToolOutput {
        let name = shown(self.name());
        let connection = match self.connection().await {
            Ok(connection) => connection,
            Err(why) => {
                return ToolOutput::error(format!(
                    "The MCP server {name} is not available: {why}. Go on without its tools, or tell the user."
                ));
            }
        };
        if !self.has(tool) {
            return ToolOutput::error(format!(
                "The MCP server {name} has no tool {} any more. Use another tool.",
                shown(tool)
            ));
        }
        match connection.call(tool, arguments, self.config.timeout).await {
            Ok(result) => {
                self.state().failures = 0;
                output(&result)
            }
            Err(RequestError::Refused(why)) => ToolOutput::error(format!(
                "The MCP server {name} refused the call: {}",
                self.handler.redactor.line(&why)
            )),
            Err(RequestError::TimedOut) => ToolOutput::error(format!(
                "The MCP server {name} did not answer within {} s, and was told to stop. What it did until then is not \
                 undone. Ask for less at once, or use another tool.",
                self.config.timeout.as_secs_f64()
            )),
            Err(RequestError::Broken(why)) => {
                self.drop_connection(&connection).await;
                let why = self.fail(ServerStatus::Ended, &why);
                ToolOutput::error(format!(
                    "The connection to the MCP server {name} broke during the call: {why}. It may have done what was \
                     asked, or not: look before you call again. The next call starts the server again."
                ))
            }
        }
    }

    /// Ends it for good.
    pub(crate) async fn close(&self) {
        self.state().closed = true;
        let connection = self.connection.lock().await.take();
        if let Some(connection) = connection {
            connection.close().await;
        }
    }

    pub(crate) fn report(&self) -> ServerReport {
        let alive =
            self.connection.try_lock().ok().map(|slot| slot.as_ref().is_some_and(|one| one.is_alive()));
        let state = self.state();
        let status = match (state.status, alive) {
            (Some(ServerStatus::Running), Some(false)) => ServerStatus::Ended,
            // Whoever started it has given up.
            (Some(ServerStatus::Starting), Some(false)) if state.listed.is_some() => ServerStatus::Idle,
            (status, _) => status.unwrap_or(ServerStatus::Starting),
        };
        let mut notes: Vec<String> = state.problem.iter().cloned().collect();
        if state.listed.is_none() && notes.is_empty() {
            notes.push("it is still starting; its tools come later".to_owned());
        }
        notes.extend(state.listed.iter().flat_map(|listed| listed.notes.iter().cloned()));
        if let Transport::Http { url, headers } = &self.config.transport
            && !headers.is_empty()
            && http::is_open_to_others(url)
        {
            notes.push("its headers cross the network unencrypted; use https".to_owned());
        }
        let tools = state.listed.as_ref().map(|listed| listed.tools.len());
        ServerReport {
            name: self.name().to_owned(),
            kind: self.config.transport.kind(),
            status,
            tools,
            notes,
        }
    }

    /// The connection, made where there is none.
    async fn connection(&self) -> Result<Arc<Connection>, String> {
        let mut slot = self.connection.lock().await;
        if let Some(connection) = slot.as_ref().filter(|connection| connection.is_alive()) {
            return Ok(Arc::clone(connection));
        }
        if slot.take().is_some() {
            // It ended since it was last used.
            self.fail(ServerStatus::Ended, "it ended by itself");
        }
        self.may_start()?;
        self.state().status = Some(ServerStatus::Starting);
        match timeout(self.config.start_timeout, self.open()).await {
            Ok(Ok((connection, listed))) => {
                self.take(listed);
                *slot = Some(Arc::clone(&connection));
                Ok(connection)
            }
            Ok(Err(why)) => Err(self.fail(ServerStatus::Failed, &why)),
            Err(_) => {
                let limit = self.config.start_timeout.as_secs_f64();
                Err(self.fail(ServerStatus::Failed, &format!("it was not ready within {limit} s")))
            }
        }
    }

    fn may_start(&self) -> Result<(), String> {
        let state = self.state();
        if state.closed {
            return Err("it was shut down with the session".to_owned());
        }
        let left = state.not_before.and_then(|until| until.checked_duration_since(Instant::now()));
        match (left, &state.problem) {
            (Some(left), Some(problem)) if !left.is_zero() => {
                Err(format!("{problem} (it is started again in {} s at the earliest)", left.as_secs() + 1))
            }
            _ => Ok(()),
        }
    }

    async fn open(&self) -> Result<(Arc<Connection>, Listed), String> {
        self.handler.changed.store(false, Ordering::SeqCst);
        let connection = Connection::open(&self.config, &self.handler).await?;
        match connection.list(&self.config).await {
            Ok(listed) => Ok((Arc::new(connection), listed)),
            Err(error) => {
                connection.close().await;
                Err(format!("its tools could not be listed: {}", told(error)))
            }
        }
    }

    fn take(&self, listed: Listed) {
        if let Some(cache) = &self.cache
            && self.listed().is_none_or(|known| known.tools != listed.tools)
            && let Err(error) = cache.write(&self.config, &listed.tools)
        {
            tracing::warn!(server = self.name(), %error, "the list of its tools could not be kept for the next start");
        }
        let mut state = self.state();
        state.listed = Some(Arc::new(listed));
        state.status = Some(ServerStatus::Running);
        state.problem = None;
    }

    async fn drop_connection(&self, broken: &Arc<Connection>) {
        let mut slot = self.connection.lock().await;
        if slot.as_ref().is_some_and(|connection| Arc::ptr_eq(connection, broken)) {
            *slot = None;
        }
    }

    /// Notes a failure and gives its reason, fit to be shown.
    fn fail(&self, status: ServerStatus, why: &str) -> String {
        let why = self.handler.redactor.line(why);
        let mut state = self.state();
        state.failures = state.failures.saturating_add(1);
        state.not_before = Some(Instant::now() + bounds::back_off(state.failures));
        state.status = Some(status);
        state.problem = Some(why.clone());
        why
    }

    fn has(&self, tool: &str) -> bool {
        self.listed().is_some_and(|listed| listed.tools.iter().any(|one| one.name == tool))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn told(error: RequestError) -> String {
    match error {
        RequestError::Refused(why) | RequestError::Broken(why) => why,
        RequestError::TimedOut => "it does not answer".to_owned(),
    }
}
