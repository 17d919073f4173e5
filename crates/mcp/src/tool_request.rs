//! A call of a tool: its request, and further ones with what the server wants to know in between.
//!
//! Servers of protocol version 2026-07-28 and newer answer a call with the questions that it needs; the call is sent again
//! with the answers. Older ones ask over the connection: see [`Handler`].

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, ClientRequest, ElicitResult, ElicitationAction, InputRequest, InputRequests,
    InputRequiredResult, InputResponses, Request, ServerResult,
};
use serde_json::{Map, Value};
use throughline_tools::{Elicitor, ToolContext};

use crate::connection::{Connection, RequestError, value_of};
use crate::handler::Handler;
use crate::limits;
use crate::open_task::OpenTask;
use crate::question::elicit;

/// A call of a tool.
#[derive(Debug)]
pub(crate) struct ToolRequest<'a> {
    /// The server's own name of the tool.
    pub(crate) tool: &'a str,
    pub(crate) arguments: Map<String, Value>,
    /// Maximum time for each request. The time in which the user is asked does not count.
    pub(crate) limit: Duration,
    pub(crate) asking: Asking<'a>,
}

/// Who made a call, as far as its server can reach them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asking<'a> {
    /// The id of the call in the session.
    pub(crate) call: &'a str,
    pub(crate) context: &'a ToolContext,
}

impl<'a> Asking<'a> {
    /// Who answers questions; `None`: no person is there.
    pub(crate) fn elicitor(&self) -> Option<&'a Arc<dyn Elicitor>> {
        self.context.elicitor.as_ref()
    }

    /// Shows what the server says of its work.
    pub(crate) fn show(&self, text: &str) {
        if let (Some(output), false) = (&self.context.output, text.trim().is_empty()) {
            output.output(self.call, format!("{}\n", text.trim()).as_bytes());
        }
    }
}

impl ToolRequest<'_> {
    /// Makes the call.
    ///
    /// # Errors
    /// [`RequestError`] when the call has no result.
    pub(crate) async fn send(
        self,
        connection: &Connection,
        handler: &Handler,
    ) -> Result<Value, RequestError> {
        let _running = handler.callers.begin(self.asking.elicitor());
        let first = CallToolRequestParams::new(self.tool.to_owned()).with_arguments(self.arguments);
        let mut params = first.clone();
        for _ in 0..limits::QUESTION_ROUNDS {
            let request = ClientRequest::CallToolRequest(Request::new(params));
            let result = handler.callers.within(self.limit, connection.send(request)).await;
            match result.ok_or(RequestError::TimedOut(self.limit))?? {
                ServerResult::InputRequiredResult(InputRequiredResult {
                    input_requests,
                    request_state,
                    ..
                }) => {
                    let requests = input_requests.unwrap_or_default();
                    let given = answers(requests, self.asking.elicitor(), handler).await?;
                    params = first.clone().with_input_responses(given);
                    params.request_state = request_state;
                }
                ServerResult::CreateTaskResult(created) => {
                    let task = OpenTask::new(connection, handler, &created.task);
                    return task.result(created.task, self.limit, &self.asking).await;
                }
                result => return value_of(result),
            }
        }
        Err(RequestError::Refused(format!(
            "the server asked for input {} times without a result",
            limits::QUESTION_ROUNDS
        )))
    }
}

/// The answers to these questions, by their names.
pub(crate) async fn answers(
    requests: InputRequests,
    elicitor: Option<&Arc<dyn Elicitor>>,
    handler: &Handler,
) -> Result<InputResponses, RequestError> {
    let mut answers = InputResponses::new();
    for (name, request) in requests {
        let answer = match request {
            InputRequest::Elicitation(request) => {
                let answer = match elicitor {
                    Some(elicitor) => elicit(&handler.server, elicitor.as_ref(), request.params).await,
                    None => Ok(ElicitResult::new(ElicitationAction::Cancel)),
                };
                value_of(answer.map_err(RequestError::Refused)?)?
            }
            InputRequest::ListRoots(_) => {
                let roots = handler.roots();
                value_of(roots.map_err(|error| RequestError::Refused(error.message.to_string()))?)?
            }
            _ => {
                return Err(RequestError::Refused(
                    "the server asks for the answer of a model, which servers do not get here".to_owned(),
                ));
            }
        };
        answers.insert(name, answer);
    }
    Ok(answers)
}
