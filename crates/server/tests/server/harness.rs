//! A data folder with one session, and a server for it.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use throughline::Throughline;
use throughline::ports::scripted;
use throughline::ports::scripted::Reply;
use throughline_config::{AccessToken, TokenUse};
use throughline_contexts::Contexts;
use throughline_server::{Server, ServerReach, TranscriptPlace, TurnOptions};
use throughline_session::{RunOptions, RunSources, Session, ToolSet};
use throughline_stored::Storage;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

/// What the user said first: hostile to a page that does not escape it.
pub(crate) const HOSTILE: &str = "<script>alert(1)</script> \"heron\" & '</pre>";

/// A server and the session in its folder.
pub(crate) struct Served {
    pub(crate) folder: TempDir,
    pub(crate) id: String,
    pub(crate) host: String,
    pub(crate) token: String,
    /// The contexts of the server.
    pub(crate) contexts: Contexts,
    stop: Option<oneshot::Sender<()>>,
}

/// A status, the headers in lower case, and the body.
pub(crate) struct Answered {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answered {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }
}

/// Turns that no model answers: each test of this crate ends before one is asked.
fn turns(folder: &Path, workspace: &str) -> TurnOptions {
    let sources = RunSources { file: Some(folder.join("settings.toml")), ..RunSources::default() };
    TurnOptions {
        run: RunOptions::default(),
        sources,
        workspaces: vec![folder.join(workspace).canonicalize().unwrap()],
        any_workspace: false,
        max_turns: 1,
        answer_timeout: Duration::ZERO,
    }
}

/// Opens a session of the folder with a model that gives these answers.
pub(crate) async fn open(folder: &Path, id: Option<&str>, answers: &[&str]) -> Session {
    let settings = folder.join("settings.toml");
    std::fs::write(&settings, "").unwrap();
    let project = folder.join("project");
    std::fs::create_dir_all(&project).unwrap();
    let replies: Vec<Reply> = answers.iter().map(|text| Reply::text(*text)).collect();
    let mut builder = Throughline::builder()
        .settings_file(settings)
        .data_dir(folder.join("data"))
        .workspace(project)
        .built_in_tools(ToolSet::None)
        .model_port(scripted::model(replies));
    if let Some(id) = id {
        builder = builder.resume(throughline_conversation::SessionId::new(id.to_owned()).unwrap());
    }
    builder.open().await.unwrap()
}

impl Served {
    /// A session of two turns, and a server for it.
    pub(crate) async fn new() -> Self {
        Self::working_in("project", None, |storage| storage).await
    }

    /// The same with a server that also shows a transcript, of this text.
    pub(crate) async fn showing(transcript: &str) -> Self {
        Self::working_in("project", Some(transcript), |storage| storage).await
    }

    /// The same with a server whose turns work in another folder.
    pub(crate) async fn elsewhere() -> Self {
        Self::working_in("data", None, |storage| storage).await
    }

    /// A session of two turns, and a server that has it in this storage.
    pub(crate) async fn stored(storage: fn(Storage) -> Storage) -> Self {
        Self::working_in("project", None, storage).await
    }

    async fn working_in(workspace: &str, transcript: Option<&str>, stored: fn(Storage) -> Storage) -> Self {
        let folder = TempDir::new().unwrap();
        let mut session = open(folder.path(), None, &["Noted, a heron.", "In line 2."]).await;
        session.send(HOSTILE).await.unwrap();
        session.send("Where is it?").await.unwrap();
        let id = session.id().to_string();
        session.close().await.unwrap();
        let storage = stored(Storage::open(Some(folder.path().join("data"))).await.unwrap());
        let (token, _) = AccessToken::of_folder(storage.folder.root(), TokenUse::Sessions).unwrap();
        let server = Server::listen(ServerReach::default(), token).await.unwrap();
        let path = folder.path().join("transcript.jsonl");
        let places = transcript.map(|text| {
            std::fs::write(&path, text).unwrap();
            TranscriptPlace::Path { path, agent: None }
        });
        let server = server.show_transcripts(places.into_iter().collect());
        let url = server.urls().remove(0);
        let (host, token) = url.strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
        let (host, token) = (host.to_owned(), token.to_owned());
        let (stop, stopped) = oneshot::channel::<()>();
        let models = throughline_providers::models::ModelTable::builtin();
        let contexts =
            throughline_host::stored_contexts(storage.clone(), folder.path().to_owned(), models, None);
        tokio::spawn(server.run(storage, contexts.clone(), turns(folder.path(), workspace), async {
            let _ = stopped.await;
        }));
        Self { folder, id, host, token, contexts, stop: Some(stop) }
    }

    /// Begins a request and gives the connection.
    pub(crate) async fn begin(&self, first: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).await.unwrap();
        let mut text = format!("{first} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() {
            text.push_str(&format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len()));
        }
        text.push_str("\r\n");
        text.push_str(body);
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    }

    /// Sends a request with exactly these headers.
    pub(crate) async fn send(&self, first: &str, headers: &[(&str, &str)], body: &str) -> Answered {
        let mut stream = self.begin(first, headers, body).await;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await.unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{first}: {text:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answered { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    /// Sends a request as a program of the user does.
    pub(crate) async fn ask(&self, method: &str, path: &str, body: &str) -> Answered {
        let bearer = format!("Bearer {}", self.token);
        self.send(&format!("{method} {path}"), &[("Host", &self.host), ("Authorization", &bearer)], body)
            .await
    }

    /// The JSON of a path of the session.
    pub(crate) async fn of_session(&self, rest: &str) -> Value {
        let answer = self.ask("GET", &format!("/api/sessions/{}{rest}", self.id), "").await;
        assert_eq!(answer.status, 200, "{rest}: {}", answer.body);
        answer.json()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.stop.take().map(|stop| stop.send(()));
    }
}
