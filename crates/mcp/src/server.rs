//! The lifecycle of a server: started on first use, restarted after it died, with longer waits if it keeps failing.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};
use throughline_tools::ToolOutput;
use tokio::time::{Instant, timeout};

use crate::access::Access;
use crate::cache::Cache;
use crate::callers::Callers;
use crate::config::{ServerConfig, Transport};
use crate::connection::{Connection, RequestError};
use crate::handler::Handler;
use crate::output::output;
use crate::redact::Redactor;
use crate::remote_tool::quoted;
use crate::report::{ServerReport, ServerStatus};
use crate::servers::McpOptions;
use crate::skills::{ServerSkills, SkillCopies};
use crate::tool_list::ToolList;
use crate::tool_request::{Asking, ToolRequest};
use crate::{http, limits};

/// A configured server.
pub(crate) struct Server {
    config: ServerConfig,
    handler: Handler,
    cache: Option<Cache>,
    skills: Option<SkillCopies>,
    /// Locked while connecting, so that only one connection is opened.
    connection: tokio::sync::Mutex<Option<Arc<Connection>>>,
    state: Mutex<ServerState>,
}

#[derive(Default)]
struct ServerState {
    listed: Option<Arc<ToolList>>,
    /// When the running server listed them.
    listed_at: Option<Instant>,
    status: Option<ServerStatus>,
    problem: Option<String>,
    /// What the user should know of its skills.
    skill_notes: Vec<String>,
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
    /// A server that is not started. Its tools come from the cache if it has them.
    pub(crate) fn new(config: ServerConfig, options: &McpOptions) -> Self {
        let redactor = Redactor::of(&config);
        let logins = options.logins.clone();
        let access = logins.and_then(|logins| Access::of(&config, logins, &redactor)).map(Arc::new);
        let handler = Handler {
            server: config.name.clone(),
            workspace: options.workspace.clone(),
            redactor,
            access,
            launcher: options.launcher.clone(),
            changed: Arc::default(),
            attended: options.attended,
            callers: Callers::default(),
        };
        let skills = options.cache.as_ref().map(|cache| SkillCopies::of(cache, &config));
        let cache = options.cache.clone().map(Cache::new);
        let known = cache.as_ref().and_then(|cache| cache.read(&config));
        let listed = known.map(|tools| Arc::new(ToolList { tools, ..ToolList::default() }));
        let status = listed.as_ref().map(|_| ServerStatus::Idle);
        let state = Mutex::new(ServerState { listed, status, ..ServerState::default() });
        Self { config, handler, cache, skills, connection: tokio::sync::Mutex::new(None), state }
    }

    pub(crate) fn name(&self) -> &str {
        &self.config.name
    }

    /// Its tools, if they are known.
    pub(crate) fn listed(&self) -> Option<Arc<ToolList>> {
        self.state().listed.clone()
    }

    /// The copies of its skills, if it has any.
    pub(crate) fn skills(&self) -> Option<ServerSkills> {
        self.skills.as_ref()?.stored(self.name())
    }

    /// Connects if there is no connection, within the time limit. The result is in the state.
    pub(crate) async fn prepare(&self) {
        let _ = self.connection().await;
    }

    /// Lists the tools again if the server has reported a change, or if the list holds no longer. Does not start a server that is not running.
    pub(crate) async fn relist(&self) {
        if !self.handler.changed.swap(false, Ordering::SeqCst) && !self.is_stale() {
            return;
        }
        let Some(connection) = self.connection.lock().await.clone() else { return };
        match connection.list(&self.config).await {
            Ok(listed) => self.apply(listed),
            Err(error) => {
                let why = format!(
                    "its new tool list could not be read, so the old one is used: {}",
                    error.into_text()
                );
                self.state().problem = Some(self.handler.redactor.line(&why));
            }
        }
    }

    /// Returns true if its tools are unknown and a start may succeed now.
    pub(crate) fn should_start(&self) -> bool {
        let starting = self.connection.try_lock().is_err();
        let state = self.state();
        let waits = state.not_before.is_some_and(|until| until > Instant::now()) && !self.has_new_login();
        state.listed.is_none() && !starting && !waits && !state.closed
    }

    /// Calls a tool by the server's own name for it. Every failure is an output that says what to do.
    pub(crate) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        asking: Asking<'_>,
    ) -> ToolOutput {
        let name = quoted(self.name());
        let connection = match self.connection().await {
            Ok(connection) => connection,
            Err(why) => {
                return ToolOutput::error(format!(
                    "The MCP server {name} is not available: {why}. Continue without its tools, or tell the user."
                ));
            }
        };
        if !self.has(tool) {
            return ToolOutput::error(format!(
                "The MCP server {name} has no tool {} any more. Use another tool.",
                quoted(tool)
            ));
        }
        let request = ToolRequest { tool, arguments, limit: self.config.timeout, asking };
        match request.send(&connection, &self.handler).await {
            Ok(result) => {
                self.state().failures = 0;
                output(&result)
            }
            Err(RequestError::Refused(why)) => ToolOutput::error(format!(
                "The MCP server {name} refused the call: {}",
                self.handler.redactor.line(&why)
            )),
            Err(RequestError::TimedOut(limit)) => ToolOutput::error(format!(
                "The MCP server {name} did not answer within {} s, and was asked to stop. What it did until then is not \
                 undone. Ask for less at once, or use another tool.",
                limit.as_secs_f64()
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

    /// Shuts it down permanently.
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
            _ if self.handler.access.as_ref().is_some_and(|access| access.needs_login()) => {
                ServerStatus::NeedsLogin
            }
            (Some(ServerStatus::Running), Some(false)) => ServerStatus::Ended,
            // The start was aborted.
            (Some(ServerStatus::Starting), Some(false)) if state.listed.is_some() => ServerStatus::Idle,
            (status, _) => status.unwrap_or(ServerStatus::Starting),
        };
        let mut notes: Vec<String> = state.problem.iter().cloned().collect();
        if state.listed.is_none() && notes.is_empty() {
            notes.push("it is still starting; its tools come later".to_owned());
        }
        notes.extend(state.skill_notes.iter().cloned());
        notes.extend(state.listed.iter().flat_map(|listed| listed.notes.iter().cloned()));
        if let Transport::Http { url, headers } = &self.config.transport
            && !headers.is_empty()
            && http::is_unencrypted(url)
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

    /// Returns the connection, and connects first if necessary.
    async fn connection(&self) -> Result<Arc<Connection>, String> {
        let mut slot = self.connection.lock().await;
        if let Some(connection) = slot.as_ref().filter(|connection| connection.is_alive()) {
            return Ok(Arc::clone(connection));
        }
        if slot.take().is_some() {
            // It ended after its last use.
            self.fail(ServerStatus::Ended, "it exited");
        }
        self.may_start()?;
        self.state().status = Some(ServerStatus::Starting);
        match timeout(self.config.start_timeout, self.open()).await {
            Ok(Ok((connection, listed))) => {
                self.apply(listed);
                if let Some(skills) = &self.skills {
                    let notes = skills.renew(&connection, &self.config).await;
                    self.state().skill_notes =
                        notes.iter().map(|note| self.handler.redactor.line(note)).collect();
                }
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
            (Some(left), Some(problem)) if !left.is_zero() && !self.has_new_login() => {
                Err(format!("{problem} (it is started again in {} s at the earliest)", left.as_secs() + 1))
            }
            _ => Ok(()),
        }
    }

    async fn open(&self) -> Result<(Arc<Connection>, ToolList), String> {
        self.handler.changed.store(false, Ordering::SeqCst);
        let connection = Connection::open(&self.config, &self.handler).await?;
        match connection.list(&self.config).await {
            Ok(listed) => Ok((Arc::new(connection), listed)),
            Err(error) => {
                connection.close().await;
                Err(format!("its tools could not be listed: {}", error.into_text()))
            }
        }
    }

    /// Returns true if the list holds no longer, by what the server said of it.
    fn is_stale(&self) -> bool {
        let state = self.state();
        let fresh = state.listed.as_ref().and_then(|listed| listed.fresh);
        let listed_at = state.listed_at;
        fresh.zip(listed_at).is_some_and(|(fresh, at)| at.elapsed() >= fresh.max(limits::RELIST))
    }

    fn apply(&self, listed: ToolList) {
        if let Some(cache) = &self.cache
            && self.listed().is_none_or(|known| known.tools != listed.tools)
            && let Err(error) = cache.write(&self.config, &listed.tools)
        {
            tracing::warn!(server = self.name(), %error, "its tool list could not be cached");
        }
        let mut state = self.state();
        state.listed = Some(Arc::new(listed));
        state.listed_at = Some(Instant::now());
        state.status = Some(ServerStatus::Running);
        state.problem = None;
    }

    async fn drop_connection(&self, broken: &Arc<Connection>) {
        let mut slot = self.connection.lock().await;
        if slot.as_ref().is_some_and(|connection| Arc::ptr_eq(connection, broken)) {
            *slot = None;
        }
    }

    /// Records a failure and returns its reason without secrets.
    fn fail(&self, status: ServerStatus, why: &str) -> String {
        let why = self.handler.redactor.line(why);
        let mut state = self.state();
        state.failures = state.failures.saturating_add(1);
        state.not_before = Some(Instant::now() + limits::back_off(state.failures));
        state.status = Some(status);
        state.problem = Some(why.clone());
        why
    }

    /// Returns true if the user has logged in since the server asked for it, so that it is started without a wait.
    fn has_new_login(&self) -> bool {
        self.handler.access.as_ref().is_some_and(|access| access.has_new_token())
    }

    fn has(&self, tool: &str) -> bool {
        self.listed().is_some_and(|listed| listed.tools.iter().any(|one| one.name == tool))
    }

    fn state(&self) -> MutexGuard<'_, ServerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
