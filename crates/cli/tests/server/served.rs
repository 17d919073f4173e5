//! The binary as a server in a home folder of its own.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

/// A server in a home folder of its own. It ends with the test.
pub(crate) struct Served {
    child: Child,
    home: Arc<TempDir>,
    /// The printed address, with the token.
    pub(crate) url: String,
    host: String,
    token: String,
    /// The session of the demo.
    pub(crate) id: String,
}

/// A status and a body.
pub(crate) struct Answered {
    pub(crate) status: u16,
    /// In lower case.
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answered {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }
}

fn command(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    command.env_clear().env("PATH", path).env("HOME", home).env("OLLAMA_HOST", "127.0.0.1:9");
    command.current_dir(home).args(args);
    command
}

impl Served {
    /// Runs the demo and serves its session.
    pub(crate) fn demo() -> Self {
        let home = TempDir::new().unwrap();
        let ran = command(
            home.path(),
            &["demo", "--pace", "0", "--workspace", "demo", "--data-dir", ".local/share/throughline"],
        )
        .output()
        .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let mut served = Self::begin(Arc::new(home), &[]);
        let sessions = served.get("/api/sessions").json();
        served.id = sessions["sessions"][0]["session"].as_str().unwrap().to_owned();
        served
    }

    /// Serves the sessions of a home folder, with these arguments.
    pub(crate) fn begin(home: Arc<TempDir>, args: &[&str]) -> Self {
        let mut serving = command(home.path(), &[&["serve", "--port", "0"], args].concat());
        let mut child = serving.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let url = said.trim().strip_prefix("Listening on ").unwrap_or_else(|| panic!("{said:?}")).to_owned();
        let (_, place) = url.split_once("://").unwrap();
        let (host, token) = place.split_once("/?token=").unwrap();
        let (host, token) = (host.to_owned(), token.to_owned());
        Self { child, home, url, host, token, id: String::new() }
    }

    /// Sends the server a signal, and gives the exit code; `None`: the signal ended it.
    pub(crate) fn end_by(&mut self, signal: &str) -> Option<i32> {
        self.signal(signal);
        self.ended()
    }

    /// Sends the server a signal.
    pub(crate) fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }

    /// Waits for the end of the server, and gives the exit code; `None`: a signal ended it.
    pub(crate) fn ended(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }

    /// The home folder, for another server.
    pub(crate) fn shared_home(&self) -> Arc<TempDir> {
        Arc::clone(&self.home)
    }

    /// A command in the home folder.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        command(self.home.path(), args)
    }

    /// Sends a request whose answer is read event by event. HTTP/1.0: the answer is not cut into chunks.
    pub(crate) fn open(&self, method: &str, path: &str, headers: &str, body: &str) -> TcpStream {
        self.open_as(&self.token, method, path, headers, body)
    }

    /// The same with this token.
    pub(crate) fn open_as(
        &self,
        token: &str,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let (host, length) = (&self.host, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.0\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n{headers}\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        stream
    }

    /// The address and port, as a header names them.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.home.path().join(".local/share/throughline")
    }

    /// The name of the demo's first stored result.
    pub(crate) fn result(&self) -> String {
        let results = self.get(&format!("/api/sessions/{}/results", self.id)).json();
        results["results"][0]["ref"].as_str().unwrap().to_owned()
    }

    /// What a command prints.
    pub(crate) fn run(&self, args: &[&str]) -> String {
        let ran = command(self.home.path(), args).output().unwrap();
        assert!(ran.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8_lossy(&ran.stdout).into_owned()
    }

    pub(crate) fn get(&self, path: &str) -> Answered {
        self.send("GET", path, "")
    }

    /// Sends a request with the token of the server.
    pub(crate) fn send(&self, method: &str, path: &str, body: &str) -> Answered {
        self.send_as(&self.token, method, path, body)
    }

    /// Sends a request with this token.
    pub(crate) fn send_as(&self, token: &str, method: &str, path: &str, body: &str) -> Answered {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let (host, length) = (&self.host, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nConnection: close\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{path}: {text:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answered { status, head: head.to_lowercase(), body: body.to_owned() }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
