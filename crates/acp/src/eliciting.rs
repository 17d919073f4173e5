//! Passes what servers want to know on to the client.

use std::sync::atomic::{AtomicU64, Ordering};

use agent_client_protocol::v1::schema::{
    CreateElicitationRequest, ElicitationAction, ElicitationCapabilities, ElicitationFormMode, ElicitationId,
    ElicitationMode, ElicitationSchema, ElicitationSessionScope, ElicitationUrlMode, NoticeSeverity,
};
use async_trait::async_trait;
use serde_json::Map;
use throughline_text::plain;
use throughline_tools::{Elicitation, ElicitationAnswer, ElicitationRequest, Elicitor};

use crate::link::Link;

/// Counts the pages of this process: each has an id of its own.
static PAGES: AtomicU64 = AtomicU64::new(1);

/// Asks by a request of the protocol. A client that cannot show the question, or that answers it with values that the form does
/// not have, counts as no answer; a notice says why.
#[async_trait]
impl Elicitor for Link {
    async fn elicit(&self, elicitation: &Elicitation) -> ElicitationAnswer {
        match self.asked(elicitation).await {
            Ok(answer) => answer,
            Err(why) => {
                let server = plain(&elicitation.server);
                self.notice(
                    NoticeSeverity::Warning,
                    &format!("A question of the MCP server {server} has no answer: {why}."),
                );
                ElicitationAnswer::Cancel
            }
        }
    }
}

impl Link {
    async fn asked(&self, elicitation: &Elicitation) -> Result<ElicitationAnswer, String> {
        let message = format!("{} asks: {}", plain(&elicitation.server), plain(&elicitation.message));
        let mode = self.mode(&elicitation.request)?;
        let request = CreateElicitationRequest::new(mode, message);
        let answer = self.editor.connection.send_request(request).block_task().await;
        match answer.map_err(|error| format!("the client could not ask it ({})", error.message))?.action {
            ElicitationAction::Accept(accepted) => {
                let ElicitationRequest::Form(form) = &elicitation.request else {
                    return Ok(ElicitationAnswer::Accept(Map::new()));
                };
                let values = serde_json::to_value(accepted.content).map_err(|error| error.to_string())?;
                let none = Map::new();
                let values = form.check(values.as_object().unwrap_or(&none))?;
                Ok(ElicitationAnswer::Accept(values))
            }
            ElicitationAction::Decline => Ok(ElicitationAnswer::Decline),
            _ => Ok(ElicitationAnswer::Cancel),
        }
    }

    fn mode(&self, request: &ElicitationRequest) -> Result<ElicitationMode, String> {
        let shown = self.editor.elicitations();
        let scope = ElicitationSessionScope::new(self.id());
        match request {
            ElicitationRequest::Form(form) if shown.is_some_and(ElicitationCapabilities::supports_form) => {
                let schema: ElicitationSchema = serde_json::from_value(form.schema.clone())
                    .map_err(|error| format!("its form cannot be shown ({error})"))?;
                Ok(ElicitationFormMode::new(scope, schema).into())
            }
            ElicitationRequest::Page { url } if shown.is_some_and(ElicitationCapabilities::supports_url) => {
                let id = format!("page-{}", PAGES.fetch_add(1, Ordering::Relaxed));
                Ok(ElicitationUrlMode::new(scope, ElicitationId::new(id), url.clone()).into())
            }
            ElicitationRequest::Form(_) => Err("the client shows no forms".to_owned()),
            ElicitationRequest::Page { .. } => Err("the client opens no pages for servers".to_owned()),
        }
    }
}
