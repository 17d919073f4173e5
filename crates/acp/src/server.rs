//! The sessions of a client, and the answers to its requests.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agent_client_protocol::v1::schema::{ClientNotification, ClientRequest};
use agent_client_protocol::v1::{ConnectionTo, Responder};
use agent_client_protocol::{Client, Error, JsonRpcResponse, Result};
use serde_json::Value;
use throughline_connect::offered_models;
use throughline_conversation::SessionId;
use throughline_permission::Mode;
use throughline_stored::SessionStart;
use tokio::sync::OnceCell;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::auth::authenticate;
use crate::editor::{Capabilities, Editor};
use crate::failure::{missing, refused, session_id};
use crate::list::list;
use crate::opening::{Place, open};
use crate::options::AcpOptions;
use crate::prompt::Prompt;
use crate::session::LiveSession;

/// How long the end waits for work that runs.
const LAST_WORK: Duration = Duration::from_secs(10);

/// The sessions of a client.
pub(crate) struct Server {
    pub(crate) options: AcpOptions,
    pub(crate) capabilities: Capabilities,
    sessions: Mutex<BTreeMap<SessionId, Arc<LiveSession>>>,
    /// The modes of sessions when they were closed: one that is opened again has its mode. They end with this process, so that what one
    /// editor allowed holds for no other.
    closed_modes: Mutex<BTreeMap<SessionId, Mode>>,
    /// The requests that are being answered.
    tasks: Mutex<JoinSet<()>>,
    stopping: AtomicBool,
    /// The models of all providers that answer, once one of the sessions has asked.
    models: OnceCell<Vec<String>>,
}

/// A session that was opened, what the client is answered, and notices for its user.
pub(crate) struct Opened<T> {
    pub(crate) session: Arc<LiveSession>,
    notices: Vec<String>,
    response: T,
}

impl Opened<()> {
    pub(crate) fn with<T>(self, response: impl FnOnce(&LiveSession) -> T) -> Opened<T> {
        let response = response(&self.session);
        Opened { session: self.session, notices: self.notices, response }
    }
}

impl Server {
    pub(crate) fn new(options: AcpOptions) -> Self {
        Self {
            options,
            capabilities: Capabilities::default(),
            sessions: Mutex::default(),
            closed_modes: Mutex::default(),
            tasks: Mutex::default(),
            stopping: AtomicBool::new(false),
            models: OnceCell::new(),
        }
    }

    /// Answers a request, most of them in a task of its own: the next message is not delayed.
    pub(crate) fn receive(
        self: &Arc<Self>,
        request: ClientRequest,
        responder: Responder<Value>,
        connection: ConnectionTo<Client>,
    ) -> Result<()> {
        let editor =
            Editor { connection, capabilities: Arc::clone(&self.capabilities), log: self.options.log };
        let server = Arc::clone(self);
        match request {
            ClientRequest::InitializeRequest(request) => responder.cast().respond(self.initialize(request)),
            ClientRequest::SetSessionModeRequest(request) => {
                responder.cast().respond_with_result(self.set_mode(&request))
            }
            _ if self.stopping.load(Ordering::Acquire) => Err(refused("this agent is being stopped")),
            ClientRequest::PromptRequest(request) => {
                let session = self.session(&request.session_id.0)?;
                let prompt = Prompt::read(&request.prompt, &session.link().workspace)?;
                self.prompt(&session, prompt, responder)
            }
            ClientRequest::AuthenticateRequest(request) => {
                self.answer(responder.cast(), async move { authenticate(&server.options, &request).await })
            }
            ClientRequest::NewSessionRequest(request) => {
                self.opening(responder.cast(), async move { server.new_session(editor, request).await })
            }
            ClientRequest::LoadSessionRequest(request) => {
                self.opening(responder.cast(), async move { server.load(editor, request).await })
            }
            ClientRequest::ResumeSessionRequest(request) => {
                self.opening(responder.cast(), async move { server.resume(editor, request).await })
            }
            ClientRequest::ForkSessionRequest(request) => {
                self.opening(responder.cast(), async move { server.fork(editor, request).await })
            }
            ClientRequest::ListSessionsRequest(request) => {
                self.answer(responder.cast(), async move { list(&server.options.storage, &request).await })
            }
            ClientRequest::CloseSessionRequest(request) => {
                self.answer(responder.cast(), async move { server.close(request).await })
            }
            ClientRequest::DeleteSessionRequest(request) => {
                self.answer(responder.cast(), async move { server.delete(request).await })
            }
            ClientRequest::SetSessionConfigOptionRequest(request) => {
                self.answer(responder.cast(), async move { server.set_option(request).await })
            }
            _ => Err(Error::method_not_found()),
        }
    }

    pub(crate) fn hear(&self, notification: &ClientNotification) {
        if let ClientNotification::CancelNotification(cancel) = notification
            && let Ok(session) = self.session(&cancel.session_id.0)
        {
            session.link().cancel();
        }
    }

    /// Runs a turn. The turn begins before the next message is read, so that a cancel finds it.
    fn prompt(
        self: &Arc<Self>,
        session: &Arc<LiveSession>,
        prompt: Prompt,
        responder: Responder<Value>,
    ) -> Result<()> {
        let turn = session.begin()?;
        let (server, cancel, withdrawn) = (Arc::clone(self), turn.cancel.clone(), responder.cancellation());
        self.answer(responder.cast(), async move {
            let ended = turn.run(&server.options, prompt);
            let withdrawn = async {
                withdrawn.cancelled().await;
                cancel.cancel();
                std::future::pending::<()>().await;
            };
            tokio::select! {
                ended = ended => ended,
                () = withdrawn => Err(Error::request_cancelled()),
            }
        })
    }

    /// Answers in a task.
    fn answer<T: JsonRpcResponse + Send + 'static>(
        &self,
        responder: Responder<T>,
        work: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<()> {
        self.spawn(async move {
            // A client that is gone is seen where it is served.
            let _ = responder.respond_with_result(work.await);
        });
        Ok(())
    }

    /// Answers in a task with a session that was opened; what else the client gets about it follows the answer.
    fn opening<T: JsonRpcResponse + Send + 'static>(
        self: &Arc<Self>,
        responder: Responder<T>,
        work: impl Future<Output = Result<Opened<T>>> + Send + 'static,
    ) -> Result<()> {
        let server = Arc::clone(self);
        self.spawn(async move {
            match work.await {
                Ok(Opened { session, notices, response }) => {
                    let _ = responder.respond(response);
                    server.greet(&session, &notices).await;
                }
                Err(error) => drop(responder.respond_with_error(error)),
            }
        });
        Ok(())
    }

    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks();
        while tasks.try_join_next().is_some() {}
        tasks.spawn(work);
    }

    /// Opens a session. One that is open here already is closed first.
    pub(crate) async fn open(&self, editor: Editor, start: SessionStart, place: Place) -> Result<Opened<()>> {
        if let SessionStart::Existing(id) = &start
            && let Ok(session) = self.session(id.as_str())
        {
            drop(session.begin()?);
            self.remove(id);
            session.close().await?;
        }
        let mode = match &start {
            SessionStart::Existing(id) | SessionStart::Fork(id) => self.mode_of(id),
            SessionStart::New => None,
        };
        let (session, notices) = open(&self.options, editor, start, place).await?;
        if let Some(mode) = mode {
            session.continue_in(mode);
        }
        let session = Arc::new(session);
        self.sessions().insert(session.id.clone(), Arc::clone(&session));
        Ok(Opened { session, notices, response: () })
    }

    /// The session of this name that is open here.
    pub(crate) fn session(&self, name: &str) -> Result<Arc<LiveSession>> {
        let id = session_id(name)?;
        let found = self.sessions().get(&id).cloned();
        found.ok_or_else(|| missing(name, format!("session {id} is not open here; session/load opens it")))
    }

    /// Forgets an open session except for its mode, and returns it.
    pub(crate) fn remove(&self, id: &SessionId) -> Option<Arc<LiveSession>> {
        let session = self.sessions().remove(id)?;
        self.closed_modes().insert(id.clone(), session.mode());
        Some(session)
    }

    /// Forgets the mode of a session that is deleted.
    pub(crate) fn forget_mode(&self, id: &SessionId) {
        self.closed_modes().remove(id);
    }

    /// The mode of a session, open or closed; `None`: it was never open here.
    fn mode_of(&self, id: &SessionId) -> Option<Mode> {
        let open = self.sessions().get(id).map(|session| session.mode());
        open.or_else(|| self.closed_modes().get(id).copied())
    }

    fn closed_modes(&self) -> MutexGuard<'_, BTreeMap<SessionId, Mode>> {
        self.closed_modes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the providers for their models, once for all sessions, and offers them.
    pub(crate) fn offer_models(self: &Arc<Self>, session: &Arc<LiveSession>) {
        let (server, session) = (Arc::clone(self), Arc::clone(session));
        // Nothing waits for it, not even the end.
        tokio::spawn(async move {
            let Some(choice) = session.model_choice().await else { return };
            let models = server.models.get_or_init(|| async {
                let rows = offered_models(&choice).await;
                rows.iter().map(|row| format!("{}/{}", row.info.provider, row.info.name)).collect()
            });
            session.offer(models.await);
        });
    }

    /// Cancels every turn, waits for what runs, and closes every session.
    pub(crate) async fn end(&self) {
        self.stopping.store(true, Ordering::Release);
        self.sessions().values().for_each(|session| session.link().cancel());
        let mut tasks = std::mem::take(&mut *self.tasks());
        let all = async { while tasks.join_next().await.is_some() {} };
        if timeout(LAST_WORK, all).await.is_err() {
            (self.options.log)("a turn did not end in time; what it had done so far is in its log");
        }
        drop(tasks);
        let sessions = std::mem::take(&mut *self.sessions());
        for session in sessions.into_values() {
            if let Err(error) = session.close().await {
                (self.options.log)(&format!("session {} could not be closed: {}", session.id, error.message));
            }
        }
    }

    fn sessions(&self) -> MutexGuard<'_, BTreeMap<SessionId, Arc<LiveSession>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tasks(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
