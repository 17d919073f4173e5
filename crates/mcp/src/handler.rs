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
    ElicitResult, ElicitationAction, ElicitationCapability, ErrorCode, ErrorData, FormElicitationCapability,
    Implementation, JsonObject, ListRootsResult, LoggingMessageNotificationParam, ProtocolVersion, Root,
    RootsCapabilities, TASKS_EXTENSION_ID, UrlElicitationCapability,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use rmcp::{ClientHandler, ServiceError};

use throughline_tools::Launcher;

use crate::access::Access;
use crate::callers::Callers;
use crate::question::elicit;
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
    /// A person can answer questions.
    pub(crate) attended: bool,
    /// The calls that run.
    pub(crate) callers: Callers,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.roots = Some(RootsCapabilities::default());
        capabilities.elicitation = self.attended.then(|| {
            ElicitationCapability::default()
                .with_form(FormElicitationCapability::new())
                .with_url(UrlElicitationCapability::new())
        });
        let tasks = (TASKS_EXTENSION_ID.to_owned(), JsonObject::new());
        capabilities.extensions = Some([tasks].into_iter().collect());
        let client = Implementation::new("throughline", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(capabilities, client).with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        self.roots()
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
        params: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        if !self.attended {
            return Err(refused("elicitation is not offered: there is no person to ask"));
        }
        let Some(elicitor) = self.callers.asked() else {
            return Ok(ElicitResult::new(ElicitationAction::Cancel));
        };
        let _open = self.callers.ask();
        tokio::select! {
            answer = elicit(&self.server, elicitor.as_ref(), params) => {
                answer.map_err(|why| ErrorData::invalid_params(why, None))
            }
            // The calls were stopped, or the server has withdrawn the question: nothing waits for the answer.
            () = self.callers.ended() => Ok(ElicitResult::new(ElicitationAction::Cancel)),
            () = context.ct.cancelled() => Ok(ElicitResult::new(ElicitationAction::Cancel)),
        }
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

impl Handler {
    /// What the server may know of the user's folders.
    pub(crate) fn roots(&self) -> Result<ListRootsResult, ErrorData> {
        let uri = reqwest::Url::from_directory_path(&self.workspace)
            .map_err(|()| ErrorData::internal_error("the workspace has no absolute path", None))?;
        Ok(ListRootsResult::new(vec![Root::new(uri.as_str().trim_end_matches('/')).with_name("workspace")]))
    }
}

fn refused(why: &'static str) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, why, None)
}

/// Returns true if the error is a response of the server, so that the connection is intact.
pub(crate) fn is_answer(error: &ServiceError) -> bool {
    matches!(error, ServiceError::McpError(_) | ServiceError::UnexpectedResponse)
}
