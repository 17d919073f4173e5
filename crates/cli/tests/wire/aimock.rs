//! The mock of others: one process for all tests that run at the time.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use serde_json::Value;

/// The key that it asks for.
pub(crate) const KEY: &str = "mock-key-4711";

/// The header that tells the tests apart: each has a journal and a place in every sequence of answers of its own.
pub(crate) const TEST_ID: &str = "x-test-id";

/// Longest wait for it to start, and for an answer about its journal.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running aimock. It is killed with the last test that uses it.
#[derive(Debug)]
pub(crate) struct Aimock {
    child: Child,
    address: String,
}

impl Aimock {
    /// The one that runs, or a new one.
    pub(crate) fn running() -> Arc<Self> {
        static RUNNING: Mutex<Weak<Aimock>> = Mutex::new(Weak::new());
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mock) = running.upgrade() {
            return mock;
        }
        let mock = Arc::new(Self::start());
        *running = Arc::downgrade(&mock);
        mock
    }

    fn start() -> Self {
        let mut command = program("llmock");
        command.args(["--port", "0", "--strict", "--validate-on-load"]);
        // What comes first wins.
        command
            .arg("--fixtures")
            .arg(fixtures().join("next.json"))
            .arg("--fixtures")
            .arg(fixtures().join("turns"));
        command.env("AIMOCK_API_KEYS", KEY);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        let said = lines(child.stdout.take().unwrap());
        let address = loop {
            let line = said.recv_timeout(PATIENCE).expect("aimock says where it listens");
            if let Some((_, address)) = line.split_once("listening on http://") {
                break address.trim().to_owned();
            }
        };
        Self { child, address }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it noted of the requests of one test, in order.
    pub(crate) fn journal(&self, test: &str) -> Vec<Value> {
        let (status, body) = self.send(&format!("GET /__aimock/journal?testId={test}"), &[], "");
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    /// A request that none of our clients makes. Gives status and body.
    pub(crate) fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> (u16, String) {
        self.send(&format!("POST {path}"), headers, &body.to_string())
    }

    /// By the older version of HTTP, whose answers end with the connection.
    fn send(&self, what: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut connection = TcpStream::connect(&self.address).unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        let more: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = body.len();
        write!(
            connection,
            "{what} HTTP/1.0\r\nhost: aimock\r\nx-api-key: {KEY}\r\n{more}content-length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or_else(|| panic!("no status: {head}")), body.to_owned())
    }
}

impl Drop for Aimock {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The answers, as aimock's own files.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire/fixtures")
}

/// One of its programs, without anything of the user's environment.
pub(crate) fn program(name: &str) -> Command {
    let folder = std::env::var_os("THROUGHLINE_AIMOCK")
        .expect("THROUGHLINE_AIMOCK names no folder; `cargo xtask integration wire` sets it");
    let mut command = Command::new(Path::new(&folder).join(name));
    command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command
}

/// The lines of an output, read to its end whether somebody listens or not: a full pipe would stop the program.
fn lines(output: impl Read + Send + 'static) -> Receiver<String> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let _ = send.send(line);
        }
    });
    receive
}
