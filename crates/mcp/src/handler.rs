//! Handles the requests and notifications of servers.
#![expect(
    deprecated,
    reason = "roots and sampling are deprecated in the protocol, and servers still use them"
)]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::{
    ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams,
    ElicitResult, ErrorCode, ErrorData, Implementation, ListRootsResult, LoggingMessageNotificationParam,
    ProtocolVersion, Root, RootsCapabilities,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use rmcp::{ClientHandler, ServiceError};

use throughline_tools::Launcher;

use crate::access::Access;
use crate::redact::Redactor;

/// Our side of a connection.
#[derive(Debug, Clone)]
pub(crate) struct Handler {
    pub(crate) server: String,
    pub(crate) workspace: PathBuf,
    pub(crate) redactor: Redactor,
    /// The login of a network server.
    pub(crate) access: Option<Arc<Access>>,
    /// Starts programs.
    pub(crate) launcher: Option<Launcher>,
    /// Raised when the server reports that its tools have changed.
    pub(crate) changed: Arc<AtomicBool>,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.roots = Some(RootsCapabilities::default());
        let client = Implementation::new("throughline", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(capabilities, client).with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        let uri = reqwest::Url::from_directory_path(&self.workspace)
            .map_err(|()| ErrorData::internal_error("the workspace has no absolute path", None))?;
        Ok(ListRootsResult::new(vec![Root::new(uri.as_str().trim_end_matches('/')).with_name("workspace")]))
    }

    async fn create_message(
        &self,
        _: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        Err(refused("sampling is not offered: servers get no model from this client"))
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Err(refused("elicitation is not offered: servers cannot ask the user through this client"))
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.store(true, Ordering::SeqCst);
    }

    async fn on_logging_message(
        &self,
        message: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let text = message.data.as_str().map_or_else(|| message.data.to_string(), str::to_owned);
        tracing::debug!(server = self.server, "{}", self.redactor.line(&text));
    }
}

fn refused(why: &'static str) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, why, None)
}

/// Returns true if the error is a response of the server, so that the connection is intact.
pub(crate) fn is_answer(error: &ServiceError) -> bool {
    matches!(error, ServiceError::McpError(_) | ServiceError::UnexpectedResponse)
}
