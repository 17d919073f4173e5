//! The server of one client: its handler, and how it is served over two streams.

use std::sync::Arc;

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, ErrorData, GetSkillRequestParams, GetSkillResult, Implementation,
    ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::{NotificationContext, Peer, RequestContext};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{RoleServer, ServerHandler, ServiceExt as _};
use serde_json::Value;
use throughline_query::SqliteHistory;
use throughline_stored::Storage;
use throughline_text::error_chain;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Mutex;

use crate::answer::Answer;
use crate::catalogue::ToolName;
use crate::error::{CallError, ServeError};
use crate::lines::{TOO_LONG, answerable};
use crate::scratchpad::Client;
use crate::sessions::Sessions;
use crate::workspace::{Visible, Workspace, client_roots};
use crate::wrong_params::wrong_params;
use crate::{memos, reading, resources, scratchpad, search, skills};

/// Maximum bytes of a message of a client. A longer request is refused, another one is skipped.
pub(crate) const MESSAGE: usize = 4 * 1024 * 1024;

/// Answers one client.
#[derive(Debug, Clone)]
pub struct MemoryServer {
    storage: Storage,
    visible: Visible,
    history: Arc<SqliteHistory>,
    /// The client's workspace, once it is known.
    workspace: Arc<Mutex<Option<Workspace>>>,
}

impl MemoryServer {
    /// A server over a storage.
    #[must_use]
    pub fn new(storage: Storage, visible: Visible) -> Self {
        Self { storage, visible, history: Arc::default(), workspace: Arc::default() }
    }

    async fn workspace(&self, peer: &Peer<RoleServer>) -> Workspace {
        let mut known = self.workspace.lock().await;
        if let Some(workspace) = known.as_ref() {
            return workspace.clone();
        }
        let roots = if self.visible.roots { client_roots(peer).await } else { Vec::new() };
        known.insert(Workspace::new(&self.visible, &roots)).clone()
    }

    async fn answer(
        &self,
        tool: ToolName,
        input: &Value,
        peer: &Peer<RoleServer>,
    ) -> Result<Answer, CallError> {
        let workspace = self.workspace(peer).await;
        let Self { storage, history, .. } = self;
        let sessions = Sessions::of(storage, &workspace).await?;
        let text = match tool {
            ToolName::ReadResult => return reading::read_result(&sessions, input).await,
            ToolName::SearchHistory => search::search_history(&sessions, history.as_ref(), input).await,
            ToolName::QueryDb => reading::query_db(&sessions, history.as_ref(), input).await,
            ToolName::Handoff => reading::handoff(&sessions, input).await,
            ToolName::SessionContext => {
                let plan = scratchpad::plan(&sessions, &workspace, &client(peer)).await?;
                reading::session_context(&sessions, &plan, input).await
            }
            ToolName::Scratchpad => {
                scratchpad::scratchpad(storage, &sessions, &workspace, &client(peer), input).await
            }
            ToolName::SaveMemo => memos::save(storage, &workspace, input).await,
            ToolName::RetrieveMemos => memos::retrieve(storage, &workspace, input).await,
        };
        text.map(Answer::of_text)
    }
}

/// How long a client may use what is the same in each answer of this version: a day, in milliseconds.
pub(crate) const FIXED_MS: u64 = 24 * 60 * 60 * 1_000;

/// Fails if a page of a list is asked for that has only one.
fn only_page(request: Option<PaginatedRequestParams>, method: &str) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        None => Ok(()),
        Some(_) => Err(ErrorData::invalid_params(format!("the cursor is not one that {method} gave"), None)),
    }
}

fn client(peer: &Peer<RoleServer>) -> Client {
    let name = peer.peer_info().map(|info| info.client_info.name.clone());
    Client::new(&name.unwrap_or_default())
}

impl ServerHandler for MemoryServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_skills().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("throughline", env!("CARGO_PKG_VERSION")))
            .with_instructions(include_str!("descriptions/instructions.md").trim_end())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        only_page(request, "tools/list")?;
        let tools = ToolName::ALL.into_iter().map(ToolName::definition).collect();
        Ok(ListToolsResult::with_all_items(tools).with_ttl_ms(FIXED_MS).with_cache_scope(CacheScope::Public))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = ToolName::of(&call.name) else {
            return Err(ErrorData::invalid_params("there is no such tool; tools/list names them", None));
        };
        let input = Value::Object(call.arguments.unwrap_or_default());
        let result = match self.answer(tool, &input, &context.peer).await {
            Ok(Answer { text, picture }) => {
                let picture = picture.map(|picture| ContentBlock::image(picture.data, picture.media_type));
                CallToolResult::success([ContentBlock::text(text)].into_iter().chain(picture).collect())
            }
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error_chain(&error))]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let workspace = self.workspace(&context.peer).await;
        let cursor = request.and_then(|request| request.cursor);
        resources::list(&self.storage, &workspace, cursor.as_deref()).await
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        only_page(request, "resources/templates/list")?;
        let templates = ListResourceTemplatesResult::with_all_items(resources::templates());
        Ok(templates.with_ttl_ms(FIXED_MS).with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if let Some(file) = skills::read(&request.uri) {
            return Ok(file.into());
        }
        let workspace = self.workspace(&context.peer).await;
        Ok(resources::read(&self.storage, &workspace, &request.uri).await?.into())
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        only_page(request, "skills/list")?;
        Ok(skills::list())
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        skills::get(&request.uri)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method == TOO_LONG {
            let why = format!("the message has more than {MESSAGE} bytes, the limit of this server");
            return Err(ErrorData::invalid_request(why, None));
        }
        match wrong_params(&request.method, request.params) {
            Some(why) => Err(ErrorData::invalid_params(why, None)),
            None => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None)),
        }
    }

    async fn on_roots_list_changed(&self, _: NotificationContext<RoleServer>) {
        *self.workspace.lock().await = None;
    }
}

/// Serves one client until it closes its stream. Only messages of the protocol are written.
///
/// # Errors
/// [`ServeError`]: no client began a session, or the server ended early.
pub async fn serve(
    server: MemoryServer,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), ServeError> {
    let input = answerable(input, MESSAGE);
    let transport = AsyncRwTransport::new_server(input, output).with_max_line_length(MESSAGE);
    let running =
        server.serve(transport).await.map_err(|error| ServeError::Handshake(error_chain(&error)))?;
    running.waiting().await.map(|_| ()).map_err(|error| ServeError::Ended(error.to_string()))
}
