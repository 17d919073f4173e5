//! `scratchpad`: the plan of a client, or that of a session.

use std::time::{Duration, Instant};

use serde_json::Value;
use throughline_continuity::SessionInfo;
use throughline_conversation::{DocumentName, DocumentRecord, RecordBody, Seq, Source};
use throughline_documents::{SCRATCHPAD_CAP, Scratchpad, manage};
use throughline_stored::{SessionHandle, SessionWriter, Storage, new_session_id, now};
use throughline_text::{error_chain, headline};

use crate::arguments;
use crate::error::CallError;
use crate::sessions::Sessions;
use crate::workspace::Workspace;

/// How long a call waits for a session that another client writes.
const PATIENCE: Duration = Duration::from_secs(1);

/// Between two tries.
const PAUSE: Duration = Duration::from_millis(20);

/// Maximum characters of a client's name in a title.
const CLIENT: usize = 40;

/// The name of the client, for the title of its plan and as its author.
#[derive(Debug, Clone)]
pub(crate) struct Client(String);

impl Client {
    /// The client by the name that it gave itself.
    pub(crate) fn new(name: &str) -> Self {
        let name = headline(name, CLIENT);
        Self(if name.is_empty() { "an MCP client".to_owned() } else { name })
    }

    /// Title of the session that holds its plan.
    fn title(&self) -> String {
        format!("Scratchpad of {}", self.0)
    }
}

/// Runs a call. The client's own plan gets a session when it is first written.
pub(crate) async fn scratchpad(
    storage: &Storage,
    sessions: &Sessions,
    workspace: &Workspace,
    client: &Client,
    input: &Value,
) -> Result<String, CallError> {
    let handle = match arguments::session(input)? {
        Some(name) => Some(sessions.handle(sessions.named(name)?)),
        None => own(sessions, workspace, client),
    };
    match handle {
        Some(handle) => manage_in(&handle, client, input).await,
        None => {
            let managed = manage(input, &Scratchpad::restored("", SCRATCHPAD_CAP), Seq(0))
                .map_err(|error| named(&error))?;
            match managed.new_text {
                None => Ok(managed.answer),
                Some(_) => manage_in(&create(storage, workspace, client).await?, client, input).await,
            }
        }
    }
}

/// The text of the client's own plan; empty: it has none.
pub(crate) async fn plan(
    sessions: &Sessions,
    workspace: &Workspace,
    client: &Client,
) -> Result<String, CallError> {
    let Some(handle) = own(sessions, workspace, client) else { return Ok(String::new()) };
    let view = handle.storage.view(&handle.session, handle.counter.as_ref(), |_| {}).await?;
    Ok(view.documents().text(DocumentName::Scratchpad).to_owned())
}

/// The session that holds the client's plan: it has the plan's title and no message.
fn own(sessions: &Sessions, workspace: &Workspace, client: &Client) -> Option<SessionHandle> {
    let title = client.title();
    let own = sessions.all().iter().find(|session| {
        session.exchanges == 0 && session.info.title == title && session.info.workspace == workspace.home
    });
    own.map(|session| sessions.handle(session))
}

async fn create(
    storage: &Storage,
    workspace: &Workspace,
    client: &Client,
) -> Result<SessionHandle, CallError> {
    let created = now();
    let info = SessionInfo {
        id: new_session_id("mcp", created)?,
        title: client.title(),
        workspace: workspace.home.clone(),
        model: String::new(),
        created,
    };
    storage.create_session(&info).await?;
    Ok(SessionHandle::new(storage.clone(), info.id))
}

/// An error of a call, with the name that clients know the tool by.
fn named(error: &dyn std::error::Error) -> CallError {
    CallError::input(error_chain(error).replace("manage_scratchpad", "scratchpad"))
}

/// Takes the session's lock. Another client that writes has it for milliseconds.
async fn locked(handle: &SessionHandle) -> Result<Option<impl Sized + use<>>, CallError> {
    let until = Instant::now() + PATIENCE;
    loop {
        match handle.lock(&SessionWriter::Handle).await {
            Err(refused) if refused.is_refusal() && Instant::now() < until => tokio::time::sleep(PAUSE).await,
            locked => return Ok(locked?),
        }
    }
}

/// Runs a call on a session. A call that writes holds the session's lock from before it reads.
async fn manage_in(handle: &SessionHandle, client: &Client, input: &Value) -> Result<String, CallError> {
    let reads = input.get("action").and_then(Value::as_str).is_some_and(|action| action.trim() == "read");
    let _lock = if reads { None } else { locked(handle).await? };
    let log = handle.log().await?;
    let documents = log.view.documents();
    let current = Scratchpad::restored(documents.text(DocumentName::Scratchpad), SCRATCHPAD_CAP);
    let managed = manage(input, &current, documents.revision(DocumentName::Scratchpad))
        .map_err(|error| named(&error))?;
    let Some(text) = managed.new_text.clone() else { return Ok(managed.answer) };
    let by = Source::Model(client.0.clone());
    let document = DocumentRecord { name: DocumentName::Scratchpad, text, by };
    let record = handle.append(&log, RecordBody::Document(document)).await?;
    Ok(managed.answer_at(record.seq))
}
