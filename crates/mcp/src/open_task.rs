//! A call that its server turned into a task (the extension `io.modelcontextprotocol/tasks`): asked about until it has ended.

use std::time::Duration;

use rmcp::model::{
    CancelTaskParams, ClientRequest, GetTaskParams, Request, ServerResult, Task, TaskPayload,
    UpdateTaskParams,
};
use serde_json::Value;
use tokio::time::{sleep, timeout};

use crate::connection::{Connection, RequestError};
use crate::handler::Handler;
use crate::limits;
use crate::tool_request::{Asking, answers};

/// A task that has not ended. Dropping it asks the server to cancel it.
#[derive(Debug)]
pub(crate) struct OpenTask<'a> {
    connection: &'a Connection,
    handler: &'a Handler,
    id: String,
    ended: bool,
}

impl<'a> OpenTask<'a> {
    pub(crate) fn new(connection: &'a Connection, handler: &'a Handler, task: &Task) -> Self {
        Self { connection, handler, id: task.task_id.clone(), ended: false }
    }

    /// Waits for the result of the call, and shows what the server says of its work. `limit`: for a task without a lifetime.
    ///
    /// # Errors
    /// [`RequestError`] when the call has no result.
    pub(crate) async fn result(
        mut self,
        task: Task,
        limit: Duration,
        asking: &Asking<'_>,
    ) -> Result<Value, RequestError> {
        let lifetime = task.ttl_ms.map(Duration::from_millis);
        let limit = lifetime.map_or(limit, |lifetime| lifetime.clamp(limit, limits::TASK));
        let callers = self.handler.callers.clone();
        let result = callers.within(limit, self.poll(task, asking)).await;
        let result = result.unwrap_or(Err(RequestError::TimedOut(limit)));
        // A server that was asked in vain knows no such task, or is gone.
        self.ended |= matches!(result, Err(RequestError::Broken(_)));
        result
    }

    async fn poll(&mut self, first: Task, asking: &Asking<'_>) -> Result<Value, RequestError> {
        let mut task = first;
        let mut shown = None;
        loop {
            if task.status_message != shown {
                asking.show(task.status_message.as_deref().unwrap_or_default());
                shown.clone_from(&task.status_message);
            }
            let wait = task.poll_interval_ms.map_or(limits::POLL, Duration::from_millis);
            sleep(wait.clamp(limits::SHORTEST_POLL, limits::LONGEST_POLL)).await;
            let request = GetTaskParams::new(self.id.clone());
            let state = match self.send(ClientRequest::GetTaskRequest(Request::new(request))).await? {
                ServerResult::GetTaskResult(state) => state.task,
                _ => return Err(RequestError::Refused("its answer about the task is invalid".to_owned())),
            };
            match state.payload {
                TaskPayload::Working => {}
                TaskPayload::InputRequired { input_requests } => {
                    let open = self.handler.callers.ask();
                    let given = answers(input_requests, asking.elicitor(), self.handler).await?;
                    drop(open);
                    let update = UpdateTaskParams::new(self.id.clone(), given);
                    self.send(ClientRequest::UpdateTaskRequest(Request::new(update))).await?;
                }
                TaskPayload::Completed { result } => {
                    self.ended = true;
                    return Ok(Value::Object(result));
                }
                TaskPayload::Failed { error } => {
                    self.ended = true;
                    let why = error.get("message").and_then(Value::as_str);
                    return Err(RequestError::Refused(why.unwrap_or("the task failed").to_owned()));
                }
                TaskPayload::Cancelled => {
                    self.ended = true;
                    return Err(RequestError::Refused("the server cancelled the task".to_owned()));
                }
                _ => return Err(RequestError::Refused("the state of the task is not known".to_owned())),
            }
            task = state.task;
        }
    }

    async fn send(&self, request: ClientRequest) -> Result<ServerResult, RequestError> {
        let sent = timeout(limits::CALL, self.connection.send(request)).await;
        sent.unwrap_or(Err(RequestError::TimedOut(limits::CALL)))
    }
}

impl Drop for OpenTask<'_> {
    fn drop(&mut self) {
        if !self.ended {
            let cancel = CancelTaskParams::new(std::mem::take(&mut self.id));
            self.connection.send_and_forget(ClientRequest::CancelTaskRequest(Request::new(cancel)));
        }
    }
}
