//! An editor: the protocol's own client library, and the agent that it has started.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    CancelNotification, ClientCapabilities, ClientSessionCapabilities, CompactionCapabilities, ContentBlock,
    CreateElicitationRequest, CreateElicitationResponse, ElicitationAction, InitializeRequest,
    InitializeResponse, LoadSessionRequest, NewSessionRequest, NoticeCapabilities, PromptRequest,
    PromptResponse, ReadTextFileRequest, ReadTextFileResponse, RequestPermissionOutcome,
    RequestPermissionRequest, RequestPermissionResponse, SelectedPermissionOutcome, SessionNotification,
    SessionUpdate, TextContent, ToolCallStatus, WriteTextFileRequest, WriteTextFileResponse,
};
use agent_client_protocol::{Agent, Client, Error, ErrorCode, JsonRpcRequest, Lines};
use futures_util::{sink, stream};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStderr};
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::home::Home;

/// How long anything may take.
pub(crate) const LONGEST: Duration = Duration::from_secs(60);

/// What an editor has received.
#[derive(Default)]
struct Received {
    updates: Mutex<Vec<(String, SessionUpdate)>>,
    asked: Mutex<Vec<RequestPermissionRequest>>,
    /// Ids of the options that are chosen next; `cancelled`, or nothing: no answer comes.
    answers: Mutex<VecDeque<&'static str>>,
    elicited: Mutex<Vec<CreateElicitationRequest>>,
    /// The answers to the next forms; nothing: the form is closed.
    filled: Mutex<VecDeque<ElicitationAction>>,
    files: Mutex<Files>,
    changed: Notify,
}

/// The files of an editor.
#[derive(Default)]
pub(crate) struct Files {
    /// Texts of buffers.
    pub(crate) buffers: BTreeMap<PathBuf, String>,
    /// What was asked, as `read` or `write` and the path.
    pub(crate) asked: Vec<String>,
    /// The error that each request gets.
    pub(crate) refusal: Option<Error>,
    /// Whether a written text is saved.
    pub(crate) saves: bool,
}

impl Files {
    /// The text of a buffer, or of the file.
    fn read(&mut self, path: &Path) -> Result<String, Error> {
        self.asked.push(format!("read {}", path.display()));
        self.refused()?;
        if let Some(text) = self.buffers.get(path) {
            return Ok(text.clone());
        }
        std::fs::read_to_string(path).map_err(|_| Error::from(ErrorCode::RESOURCE_NOT_FOUND))
    }

    fn write(&mut self, path: PathBuf, text: String) -> Result<(), Error> {
        self.asked.push(format!("write {}", path.display()));
        self.refused()?;
        if self.saves {
            std::fs::write(&path, &text).unwrap();
        }
        self.buffers.insert(path, text);
        Ok(())
    }

    fn refused(&self) -> Result<(), Error> {
        self.refusal.clone().map_or(Ok(()), Err)
    }
}

/// An editor that is connected to its agent.
pub(crate) struct Editor {
    pub(crate) agent: ConnectionTo<Agent>,
    pub(crate) about: InitializeResponse,
    received: Arc<Received>,
    child: Child,
    stderr: ChildStderr,
    driver: JoinHandle<Result<(), Error>>,
    leave: oneshot::Sender<()>,
}

impl Editor {
    /// Starts the agent and initializes the connection. The editor shows notices and compactions.
    pub(crate) async fn start(home: &Home, options: &[&str]) -> Self {
        let session = ClientSessionCapabilities::new()
            .notices(NoticeCapabilities::new())
            .compaction(CompactionCapabilities::new());
        Self::start_with(home, options, ClientCapabilities::new().session(session)).await
    }

    pub(crate) async fn start_with(home: &Home, options: &[&str], capabilities: ClientCapabilities) -> Self {
        Self::connect(home.agent(options), capabilities).await
    }

    /// Initializes the connection to an agent.
    pub(crate) async fn connect(mut child: Child, capabilities: ClientCapabilities) -> Self {
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let stderr = child.stderr.take().unwrap();
        let outgoing = sink::unfold(stdin, async |mut stdin, line: String| {
            stdin.write_all(format!("{line}\n").as_bytes()).await?;
            stdin.flush().await?;
            Ok::<_, io::Error>(stdin)
        });
        let incoming = stream::unfold(BufReader::new(stdout).lines(), async |mut lines| {
            Some((lines.next_line().await.transpose()?, lines))
        });
        let received = Arc::new(Received::default());
        let (connected, connection) = oneshot::channel();
        let (leave, left) = oneshot::channel();
        let driver =
            tokio::spawn(drive(Lines::new(outgoing, incoming), Arc::clone(&received), connected, left));
        let agent = timeout(LONGEST, connection).await.unwrap().unwrap();
        let request = InitializeRequest::new(ProtocolVersion::V1).client_capabilities(capabilities);
        let about = timeout(LONGEST, agent.send_request(request).block_task()).await.unwrap().unwrap();
        Self { agent, about, received, child, stderr, driver, leave }
    }

    /// Sends a request.
    pub(crate) async fn ask<R: JsonRpcRequest>(&self, request: R) -> Result<R::Response, Error>
    where
        R::Response: Send,
    {
        timeout(LONGEST, self.agent.send_request(request).block_task()).await.expect("an answer in time")
    }

    /// Opens a new session in the project.
    pub(crate) async fn open(&self, home: &Home) -> String {
        let opened = self.ask(NewSessionRequest::new(home.work())).await.unwrap();
        opened.session_id.to_string()
    }

    /// Opens a stored session, and returns the updates that came before the answer.
    pub(crate) async fn load(&self, home: &Home, id: &str) -> Vec<SessionUpdate> {
        let before = self.updates(id).len();
        self.ask(LoadSessionRequest::new(id.to_owned(), home.work())).await.unwrap();
        self.updates(id).split_off(before)
    }

    /// Sends a text and waits for the end of the turn.
    pub(crate) async fn prompt(&self, id: &str, text: &str) -> Result<PromptResponse, Error> {
        self.ask(prompt(id, text)).await
    }

    /// Cancels the turn that runs.
    pub(crate) fn cancel(&self, id: &str) {
        self.agent.send_notification(CancelNotification::new(id.to_owned())).unwrap();
    }

    /// Chooses these options in the next questions.
    pub(crate) fn answer(&self, options: &[&'static str]) {
        self.received.answers.lock().unwrap().extend(options);
    }

    /// Answers the next forms of servers.
    pub(crate) fn fill_in(&self, answers: Vec<ElicitationAction>) {
        self.received.filled.lock().unwrap().extend(answers);
    }

    /// The forms of servers so far.
    pub(crate) fn elicited(&self) -> Vec<CreateElicitationRequest> {
        self.received.elicited.lock().unwrap().clone()
    }

    /// The files of this editor.
    pub(crate) fn files(&self) -> MutexGuard<'_, Files> {
        self.received.files.lock().unwrap()
    }

    /// The questions so far.
    pub(crate) fn asked(&self) -> Vec<RequestPermissionRequest> {
        self.received.asked.lock().unwrap().clone()
    }

    /// The updates of a session so far.
    pub(crate) fn updates(&self, id: &str) -> Vec<SessionUpdate> {
        let updates = self.received.updates.lock().unwrap();
        updates.iter().filter(|(session, _)| session == id).map(|(_, update)| update.clone()).collect()
    }

    /// The sessions of all updates in their order, and which of them are text of the model.
    pub(crate) fn order(&self) -> Vec<(String, bool)> {
        let is_text = |update: &SessionUpdate| matches!(update, SessionUpdate::AgentMessageChunk(_));
        let updates = self.received.updates.lock().unwrap();
        updates.iter().map(|(id, update)| (id.clone(), is_text(update))).collect()
    }

    /// Waits for an update of a session.
    pub(crate) async fn wait(&self, id: &str, wanted: impl Fn(&SessionUpdate) -> bool) {
        self.until(|| self.updates(id).iter().any(&wanted)).await;
    }

    /// Waits until something has been received.
    pub(crate) async fn until(&self, done: impl Fn() -> bool) {
        let waiting = async {
            loop {
                let changed = self.received.changed.notified();
                if done() {
                    return;
                }
                changed.await;
            }
        };
        if timeout(LONGEST, waiting).await.is_err() {
            panic!("not received: {:#?}", self.received.updates.lock().unwrap());
        }
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// Kills the agent as `kill -9` does.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// Closes standard input, and returns the exit code and what the agent wrote to standard error.
    pub(crate) async fn leave(self) -> (Option<i32>, String) {
        let Self { mut child, mut stderr, driver, leave, .. } = self;
        leave.send(()).unwrap();
        timeout(LONGEST, driver).await.unwrap().unwrap().unwrap();
        let status = timeout(LONGEST, child.wait()).await.expect("the agent ends").unwrap();
        let mut said = String::new();
        stderr.read_to_string(&mut said).await.unwrap();
        (status.code(), said)
    }
}

async fn drive(
    transport: impl agent_client_protocol::ConnectTo<Client> + 'static,
    received: Arc<Received>,
    connected: oneshot::Sender<ConnectionTo<Agent>>,
    left: oneshot::Receiver<()>,
) -> Result<(), Error> {
    let (updates, questions) = (Arc::clone(&received), Arc::clone(&received));
    let (forms, read, written) = (Arc::clone(&received), Arc::clone(&received), received);
    Client
        .v1()
        .on_receive_notification(
            async move |notification: SessionNotification, _agent| {
                let SessionNotification { session_id, update, .. } = notification;
                updates.updates.lock().unwrap().push((session_id.to_string(), update));
                updates.changed.notify_waiters();
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: RequestPermissionRequest, responder, agent: ConnectionTo<Agent>| {
                questions.asked.lock().unwrap().push(request);
                let answer = questions.answers.lock().unwrap().pop_front();
                questions.changed.notify_waiters();
                let outcome = match answer {
                    Some("cancelled") => RequestPermissionOutcome::Cancelled,
                    Some(id) => RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(id)),
                    None => {
                        // A user who does not answer until the question is withdrawn.
                        return agent.spawn(async move {
                            responder.cancellation().cancelled().await;
                            responder
                                .respond(RequestPermissionResponse::new(RequestPermissionOutcome::Cancelled))
                        });
                    }
                };
                responder.respond(RequestPermissionResponse::new(outcome))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async move |request: CreateElicitationRequest, responder, _agent: ConnectionTo<Agent>| {
                forms.elicited.lock().unwrap().push(request);
                let filled = forms.filled.lock().unwrap().pop_front();
                let action = filled.unwrap_or(ElicitationAction::Cancel);
                responder.respond(CreateElicitationResponse::new(action))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async move |request: ReadTextFileRequest, responder, _agent: ConnectionTo<Agent>| {
                let text = read.files.lock().unwrap().read(&request.path);
                responder.respond_with_result(text.map(ReadTextFileResponse::new))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async move |request: WriteTextFileRequest, responder, _agent: ConnectionTo<Agent>| {
                let done = written.files.lock().unwrap().write(request.path, request.content);
                responder.respond_with_result(done.map(|()| WriteTextFileResponse::new()))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .connect_with(transport, async |agent: ConnectionTo<Agent>| {
            connected.send(agent).ok();
            let _ = left.await;
            Ok(())
        })
        .await
}

/// The texts of the model's messages, joined.
pub(crate) fn said(updates: &[SessionUpdate]) -> String {
    let text = |update: &SessionUpdate| match update {
        SessionUpdate::AgentMessageChunk(chunk) => match &chunk.content {
            ContentBlock::Text(text) => Some(text.text.clone()),
            _ => None,
        },
        _ => None,
    };
    updates.iter().filter_map(text).collect()
}

/// The status that a call has in the end.
pub(crate) fn status_of(updates: &[SessionUpdate], call: &str) -> Option<ToolCallStatus> {
    updates.iter().rev().find_map(|update| match update {
        SessionUpdate::ToolCallUpdate(update) if &*update.tool_call_id.0 == call => update.fields.status,
        SessionUpdate::ToolCall(shown) if &*shown.tool_call_id.0 == call => Some(shown.status),
        _ => None,
    })
}

/// A prompt of one text.
pub(crate) fn prompt(id: &str, text: &str) -> PromptRequest {
    PromptRequest::new(id.to_owned(), vec![ContentBlock::Text(TextContent::new(text))])
}
