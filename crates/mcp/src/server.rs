//! A server: started on first use, restarted after it died, with longer waits if it keeps failing.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};
use throughline_tools::ToolOutput;
use tokio::time::timeout;

use crate::access::Access;
use crate::cache::Cache;
use crate::callers::Callers;
use crate::config::{ServerConfig, Transport};
use crate::connection::{Connection, RequestError};
use crate::handler::Handler;
use crate::http;
use crate::limits;
use crate::output::output;
use crate::redact::Redactor;
use crate::remote_tool::quoted;
use crate::report::{ServerReport, ServerStatus};
use crate::server_state::ServerState;
use crate::servers::McpOptions;
use crate::skills::{ServerSkills, SkillCopies};
use crate::tool_list::ToolList;
use crate::tool_request::{Asking, ToolRequest};

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
        let known = known.map(|tools| ToolList { tools, ..ToolList::default() });
        let state = Mutex::new(ServerState::new(known));
        Self { config, handler, cache, skills, connection: tokio::sync::Mutex::new(None), state }
    }

    pub(crate) fn config(&self) -> &ServerConfig {
        &self.config
    }

    pub(crate) fn name(&self) -> &str {
        &self.config.name
    }

    /// Its tools, if they are known.
    pub(crate) fn listed(&self) -> Option<Arc<ToolList>> {
        self.state().listed().cloned()
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
        if !self.handler.changed.swap(false, Ordering::SeqCst) && !self.state().is_stale() {
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
                self.state().set_problem(self.handler.redactor.line(&why));
            }
        }
    }

    /// Returns true if its tools are unknown and a start may succeed now.
    pub(crate) fn should_start(&self) -> bool {
        let starting = self.connection.try_lock().is_err();
        !starting && self.state().should_start(self.has_new_login())
    }

    /// How long a session waits for its start: less if the last one took too long, in this session or in an earlier one.
    pub(crate) fn wait(&self, most: Duration) -> Duration {
        let was_late = self.cache.as_ref().is_some_and(|cache| cache.was_late(&self.config));
        if was_late { most.min(limits::WAIT) } else { most }
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
                self.state().clear_failures();
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

    /// Shuts it down permanently. A list that it has changed is read first: the cache has it for the next session.
    pub(crate) async fn close(&self) {
        self.state().close();
        if self.cache.is_some() && self.handler.changed.load(Ordering::SeqCst) {
            let _ = timeout(limits::END, self.relist()).await;
        }
        let connection = self.connection.lock().await.take();
        if let Some(connection) = connection {
            connection.close().await;
        }
    }

    pub(crate) fn report(&self) -> ServerReport {
        let alive =
            self.connection.try_lock().ok().map(|slot| slot.as_ref().is_some_and(|one| one.is_alive()));
        let state = self.state();
        let needs_login = self.handler.access.as_ref().is_some_and(|access| access.needs_login());
        let status = if needs_login { ServerStatus::NeedsLogin } else { state.status(alive) };
        let mut notes = state.notes();
        if let Transport::Http { url, headers } = &self.config.transport
            && !headers.is_empty()
            && http::is_unencrypted(url)
        {
            notes.push("its headers cross the network unencrypted; use https".to_owned());
        }
        let tools = state.listed().map(|listed| listed.tools.len());
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
        self.state().check_start(self.has_new_login())?;
        self.state().begin_start();
        match timeout(self.config.start_timeout, self.open()).await {
            Ok(Ok((connection, listed))) => {
                self.note_late(false);
                self.apply(listed);
                if let Some(skills) = &self.skills {
                    let notes = skills.renew(&connection, &self.config).await;
                    let notes = notes.iter().map(|note| self.handler.redactor.line(note)).collect();
                    self.state().set_skill_notes(notes);
                }
                *slot = Some(Arc::clone(&connection));
                Ok(connection)
            }
            Ok(Err(why)) => Err(self.fail(ServerStatus::Failed, &why)),
            Err(_) => {
                self.note_late(true);
                let limit = self.config.start_timeout.as_secs_f64();
                Err(self.fail(ServerStatus::Failed, &format!("it was not ready within {limit} s")))
            }
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

    fn note_late(&self, is_late: bool) {
        if let Some(cache) = &self.cache {
            cache.note_late(&self.config, is_late);
        }
    }

    fn apply(&self, listed: ToolList) {
        if let Some(cache) = &self.cache
            && self.listed().is_none_or(|known| known.tools != listed.tools)
            && let Err(error) = cache.write(&self.config, &listed.tools)
        {
            tracing::warn!(server = self.name(), %error, "its tool list could not be cached");
        }
        self.state().set_listed(listed);
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
        self.state().fail(status, why.clone());
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
