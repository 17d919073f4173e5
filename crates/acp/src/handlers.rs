//! The methods of the protocol.

use std::sync::Arc;

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::schema::{
    AgentCapabilities, AvailableCommand, AvailableCommandInput, AvailableCommandsUpdate, CloseSessionRequest,
    CloseSessionResponse, DeleteSessionRequest, DeleteSessionResponse, ForkSessionRequest,
    ForkSessionResponse, Implementation, InitializeRequest, InitializeResponse, LoadSessionRequest,
    LoadSessionResponse, McpCapabilities, NewSessionRequest, NewSessionResponse, PromptCapabilities,
    ResumeSessionRequest, ResumeSessionResponse, SessionCapabilities, SessionCloseCapabilities,
    SessionDeleteCapabilities, SessionForkCapabilities, SessionListCapabilities, SessionResumeCapabilities,
    SessionUpdate, SetSessionConfigOptionRequest, SetSessionConfigOptionResponse, SetSessionModeRequest,
    SetSessionModeResponse, UnstructuredCommandInput,
};
use agent_client_protocol::{Error, Result};
use throughline_stored::{SessionHandle, SessionMemos, SessionStart, SessionWriter};
use throughline_text::cut_end;

use crate::auth;
use crate::choices::{MODE, MODEL};
use crate::editor::Editor;
use crate::failure::{REPEATED, input, of_library, session_id};
use crate::history::replay;
use crate::opening::{Place, known};
use crate::server::{Opened, Server};
use crate::session::LiveSession;

/// The place that a request to open a session asks for. The four requests have the same fields and no type in common.
macro_rules! asked_place {
    ($request:ident) => {
        Place::read(
            &$request.cwd,
            &$request.additional_directories,
            $request.mcp_servers,
            $request.system_prompt.as_ref(),
        )
    };
}

impl Server {
    /// What this agent is, and what it can do.
    pub(crate) fn initialize(&self, request: InitializeRequest) -> InitializeResponse {
        // A second `initialize` of a connection changes nothing.
        let _ = self.capabilities.set(request.client_capabilities);
        let methods = auth::methods(self.capabilities.get());
        let sessions = SessionCapabilities::new()
            .list(SessionListCapabilities::new())
            .delete(SessionDeleteCapabilities::new())
            .fork(SessionForkCapabilities::new())
            .resume(SessionResumeCapabilities::new())
            .close(SessionCloseCapabilities::new());
        let capabilities = AgentCapabilities::new()
            .load_session(true)
            .prompt_capabilities(PromptCapabilities::new().image(true).embedded_context(true))
            .mcp_capabilities(McpCapabilities::new().http(true))
            .session_capabilities(sessions);
        let agent =
            Implementation::new("throughline", env!("CARGO_PKG_VERSION")).title("Throughline".to_owned());
        InitializeResponse::new(ProtocolVersion::V1)
            .agent_capabilities(capabilities)
            .auth_methods(methods)
            .agent_info(agent)
    }

    /// Opens a new session.
    pub(crate) async fn new_session(
        &self,
        editor: Editor,
        request: NewSessionRequest,
    ) -> Result<Opened<NewSessionResponse>> {
        let opened = self.open(editor, SessionStart::New, asked_place!(request)?).await?;
        Ok(opened.with(|session| {
            NewSessionResponse::new(session.id.to_string())
                .modes(session.modes())
                .config_options(session.options())
        }))
    }

    /// Opens a stored session, and sends its history.
    pub(crate) async fn load(
        &self,
        editor: Editor,
        request: LoadSessionRequest,
    ) -> Result<Opened<LoadSessionResponse>> {
        let start = SessionStart::Existing(session_id(&request.session_id.0)?);
        let opened = self.open(editor, start, asked_place!(request)?).await?;
        let id = opened.session.id.clone();
        match SessionHandle::new(self.options.storage.clone(), id.clone()).log().await {
            Ok(log) => replay(&log, opened.session.link()),
            Err(error) => {
                drop(self.remove(&id));
                opened.session.close().await?;
                return Err(of_library(&error));
            }
        }
        Ok(opened.with(|session| {
            LoadSessionResponse::new().modes(session.modes()).config_options(session.options())
        }))
    }

    /// Opens a stored session without its history.
    pub(crate) async fn resume(
        &self,
        editor: Editor,
        request: ResumeSessionRequest,
    ) -> Result<Opened<ResumeSessionResponse>> {
        let start = SessionStart::Existing(session_id(&request.session_id.0)?);
        let opened = self.open(editor, start, asked_place!(request)?).await?;
        Ok(opened.with(|session| {
            ResumeSessionResponse::new().modes(session.modes()).config_options(session.options())
        }))
    }

    /// Opens a copy of a stored session.
    pub(crate) async fn fork(
        &self,
        editor: Editor,
        request: ForkSessionRequest,
    ) -> Result<Opened<ForkSessionResponse>> {
        let start = SessionStart::Fork(session_id(&request.session_id.0)?);
        let opened = self.open(editor, start, asked_place!(request)?).await?;
        Ok(opened.with(|session| {
            ForkSessionResponse::new(session.id.to_string())
                .modes(session.modes())
                .config_options(session.options())
        }))
    }

    /// Closes a session. One that is not open here is left unchanged.
    pub(crate) async fn close(&self, request: CloseSessionRequest) -> Result<CloseSessionResponse> {
        let id = session_id(&request.session_id.0)?;
        match self.remove(&id) {
            Some(session) => session.close().await?,
            None => drop(known(&self.options, &id).await?),
        }
        Ok(CloseSessionResponse::new())
    }

    /// Deletes a session permanently.
    pub(crate) async fn delete(&self, request: DeleteSessionRequest) -> Result<DeleteSessionResponse> {
        let id = session_id(&request.session_id.0)?;
        known(&self.options, &id).await?;
        if let Some(session) = self.remove(&id) {
            session.close().await?;
        }
        let storage = &self.options.storage;
        let handle = SessionHandle::new(storage.clone(), id.clone());
        let lock = handle.lock(&SessionWriter::Handle).await.map_err(|error| of_library(&error))?;
        let Some(lock) = lock else { return Ok(DeleteSessionResponse::new()) };
        storage.delete_session(&id, lock, SessionMemos::Stay).await.map_err(|error| of_library(&error))?;
        self.forget_mode(&id);
        storage.store.forget_deleted().await.map_err(|error| of_library(&error.into()))?;
        Ok(DeleteSessionResponse::new())
    }

    /// Switches the permission mode of a session.
    pub(crate) fn set_mode(&self, request: &SetSessionModeRequest) -> Result<SetSessionModeResponse> {
        let session = self.session(&request.session_id.0)?;
        session.set_mode(&request.mode_id.0)?;
        session.send_options();
        Ok(SetSessionModeResponse::new())
    }

    /// Sets a choice of a session.
    pub(crate) async fn set_option(
        &self,
        request: SetSessionConfigOptionRequest,
    ) -> Result<SetSessionConfigOptionResponse> {
        let session = self.session(&request.session_id.0)?;
        let value = request.value.as_value_id().map(|value| value.0.to_string());
        set_choice(&session, &request.config_id.0, value).await?;
        Ok(SetSessionConfigOptionResponse::new(session.options()))
    }

    /// What follows the answer to a request that opened a session: notices, figures, commands, and later the models.
    pub(crate) async fn greet(self: &Arc<Self>, session: &Arc<LiveSession>, notices: &[String]) {
        session.send_notices(notices);
        let Some(config) = session.config().await else { return };
        let commands = self.options.commands.list(&config).into_iter().map(|command| {
            let hint = Some(command.arguments).filter(|hint| !hint.is_empty());
            let hint =
                hint.map(|hint| AvailableCommandInput::Unstructured(UnstructuredCommandInput::new(hint)));
            AvailableCommand::new(command.name, command.about).input(hint)
        });
        let commands = AvailableCommandsUpdate::new(commands.collect());
        session.link().update(SessionUpdate::AvailableCommandsUpdate(commands));
        session.send_window().await;
        self.offer_models(session);
    }
}

/// Sets a choice by its id.
async fn set_choice(session: &Arc<LiveSession>, id: &str, value: Option<String>) -> Result<(), Error> {
    let wrong = || input(format!("`{MODE}` and `{MODEL}` take the value of one of their options"));
    match id {
        MODE => {
            session.set_mode(&value.ok_or_else(wrong)?)?;
            session.send_mode();
        }
        MODEL => {
            let name = value.ok_or_else(wrong)?;
            session.check_model(&name)?;
            session.begin()?.set_model(&name).await?;
        }
        other => {
            let other = cut_end(other, REPEATED);
            return Err(input(format!("there is no option {other:?}; there are: {MODE}, {MODEL}")));
        }
    }
    Ok(())
}
