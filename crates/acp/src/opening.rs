//! Opening a session for a client.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_client_protocol::Error;
use agent_client_protocol::v1::schema::{McpServer, NoticeSeverity, SystemPrompt};
use throughline_config::workspace;
use throughline_connect::{ConnectError, model_table};
use throughline_continuity::SessionDirectory as _;
use throughline_conversation::{Seq, SessionId};
use throughline_mcp::{ServerConfig as McpServerConfig, Transport as McpTransport};
use throughline_session::{RunTally, Session, SessionModels, SessionOptions, open as open_session};
use throughline_stored::{SessionStart, recorded_model};

use crate::approver::EditorUser;
use crate::editor::Editor;
use crate::failure::{input, missing, of_library};
use crate::link::Link;
use crate::options::AcpOptions;
use crate::session::{LiveSession, Work};
use crate::sink::SessionSink;

/// The word that the ids of new sessions begin with.
const ID: &str = "acp";

/// Where a session works, and with which servers of the client.
#[derive(Debug)]
pub(crate) struct Place {
    workspace: PathBuf,
    servers: Vec<McpServerConfig>,
}

impl Place {
    /// Reads what the requests that open a session have in common.
    ///
    /// # Errors
    /// A value cannot be used, or is one that this agent has not offered to take.
    pub(crate) fn read(
        cwd: &Path,
        more_folders: &[PathBuf],
        servers: Vec<McpServer>,
        prompt: Option<&SystemPrompt>,
    ) -> Result<Self, Error> {
        if !cwd.is_absolute() {
            return Err(input("`cwd` must be an absolute path"));
        }
        if !more_folders.is_empty() {
            return Err(input(
                "`additionalDirectories` is not supported; name more folders in the setting tools.writable",
            ));
        }
        if prompt.is_some() {
            return Err(input("`systemPrompt` is not supported; write AGENTS.md in the project"));
        }
        let workspace = workspace(Some(cwd)).map_err(|error| of_library(&error.into()))?;
        let servers = servers.into_iter().map(mcp_server).collect::<Result<_, _>>()?;
        Ok(Self { workspace, servers })
    }
}

fn mcp_server(server: McpServer) -> Result<McpServerConfig, Error> {
    match server {
        McpServer::Stdio(server) => {
            let command = server.command.into_os_string().into_string();
            let command = command.map_err(|_| input("the command of an MCP server is not UTF-8"))?;
            let env: BTreeMap<_, _> = server.env.into_iter().map(|one| (one.name, one.value)).collect();
            let transport = McpTransport::Stdio { command, args: server.args, env, cwd: None };
            Ok(McpServerConfig::new(server.name, transport))
        }
        McpServer::Http(server) => {
            let headers: BTreeMap<_, _> =
                server.headers.into_iter().map(|one| (one.name, one.value)).collect();
            Ok(McpServerConfig::new(server.name, McpTransport::Http { url: server.url, headers }))
        }
        McpServer::Sse(server) => Err(input(format!(
            "the MCP server {:?} has the transport `sse`, which is not supported; use `http` or `stdio`",
            server.name
        ))),
        _ => Err(input("the transport of an MCP server is not supported; use `http` or `stdio`")),
    }
}

/// Fails if there is no such session.
pub(crate) async fn known(options: &AcpOptions, id: &SessionId) -> Result<String, Error> {
    let found = options.storage.store.sessions().get(id).await.map_err(|error| of_library(&error.into()))?;
    let gone = || missing(id.as_str(), format!("there is no session {id}; session/list has the sessions"));
    found.map(|info| info.title).ok_or_else(gone)
}

/// Opens a session. Returns it with notices for its user.
pub(crate) async fn open(
    options: &AcpOptions,
    editor: Editor,
    start: SessionStart,
    place: Place,
) -> Result<(LiveSession, Vec<String>), Error> {
    let title = match &start {
        SessionStart::New => String::new(),
        SessionStart::Existing(id) | SessionStart::Fork(id) => known(options, id).await?,
    };
    let opened = opened(options, editor, start, place).await;
    let (sink, work, notices) = opened.map_err(|error| of_library(&error))?;
    Ok((LiveSession::new(sink, work, title), notices))
}

async fn opened(
    options: &AcpOptions,
    editor: Editor,
    start: SessionStart,
    place: Place,
) -> throughline_stored::Result<(SessionSink, Work, Vec<String>)> {
    let storage = &options.storage;
    let link = Arc::new(Link::new(editor, &place.workspace));
    let config = Arc::new(options.sources.load(Some(&place.workspace))?);
    let recorded = recorded_model(storage, &start).await?;
    let models = SessionModels::connect(&options.run, &config, recorded.as_ref()).await?;
    let mut run = open_session(SessionOptions {
        user: Arc::new(EditorUser { link: Arc::clone(&link) }),
        start,
        id_prefix: ID,
        more_servers: place.servers,
        ..SessionOptions::new(Arc::clone(&config), storage.clone(), place.workspace.clone(), models.clone())
    })
    .await?;
    link.name(run.agent.session().to_string().into());
    let mut notices = models.notices(&config);
    notices.append(&mut run.notices);
    let sink = SessionSink::new(link, tally(options, &run).await?);
    Ok((sink, Work { run, models, config }, notices))
}

/// A tally that begins with what the session has cost before.
async fn tally(options: &AcpOptions, run: &Session) -> throughline_stored::Result<RunTally> {
    let mut tally = run.tally()?;
    let table = model_table().map_err(ConnectError::from)?;
    let before = options.storage.session_cost(run.agent.session(), Seq(u64::MAX), &table).await?;
    tally.meter.add(&before.own);
    Ok(tally)
}

impl LiveSession {
    /// Shows what the user should know of the opened session.
    pub(crate) fn send_notices(&self, notices: &[String]) {
        notices.iter().for_each(|text| self.link().notice(NoticeSeverity::Info, text));
    }
}
