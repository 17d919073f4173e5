//! A server that runs turns with a model of a script, and the events of its turns.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use throughline_testserver::{Script, Server};

use crate::served::Served;

/// A server, its model, and the folder in which its turns work.
pub(crate) struct Hosted {
    pub(crate) served: Served,
    pub(crate) model: Server,
}

/// The options that lead to a model.
pub(crate) fn model_options(url: &str) -> Vec<String> {
    let options =
        ["--provider", "anthropic", "--model", "claude-sonnet-4-5", "--key-file", "key", "--base-url", url];
    options.map(str::to_owned).to_vec()
}

impl Hosted {
    pub(crate) fn new(script: Script, args: &[&str]) -> Self {
        let home = Arc::new(TempDir::new().unwrap());
        std::fs::create_dir(home.path().join("work")).unwrap();
        std::fs::write(home.path().join("work/a.txt"), "alpha\nbeta\n").unwrap();
        std::fs::write(home.path().join("key"), "sk-test-canary").unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let model = runtime.block_on(Server::start(script)).unwrap();
        Self { served: begin(home, &model, args), model }
    }

    /// Ends the server as `kill -9` does, and starts another one for the same sessions.
    pub(crate) fn killed(mut self, args: &[&str]) -> Self {
        let home = self.served.shared_home();
        assert_eq!(self.served.end_by("-KILL"), None);
        Self { served: begin(home, &self.model, args), model: self.model }
    }

    /// Begins a session with this prompt.
    pub(crate) fn new_session(&self, prompt: &str) -> EventReader {
        self.events("POST", "/api/sessions", "", &json!({ "prompt": prompt }).to_string())
    }

    /// Begins a session and waits for its end.
    pub(crate) fn done(&self, prompt: &str) -> String {
        let events = self.new_session(prompt).rest();
        assert_eq!(events.last().unwrap()["outcome"], "done", "{events:?}");
        events[0]["session"].as_str().unwrap().to_owned()
    }

    /// Begins a turn of a session.
    pub(crate) fn turn(&self, id: &str, prompt: &str) -> EventReader {
        let body = json!({ "prompt": prompt }).to_string();
        self.events("POST", &format!("/api/sessions/{id}/turns"), "", &body)
    }

    pub(crate) fn events(&self, method: &str, path: &str, headers: &str, body: &str) -> EventReader {
        EventReader::of(self.served.open(method, path, headers, body))
    }

    /// Waits until this many turns run.
    pub(crate) fn wait_for_turns(&self, wanted: u64) {
        let begin = Instant::now();
        while self.served.get("/api/turns").json()["total"] != wanted {
            assert!(begin.elapsed() < Duration::from_secs(60), "{}", self.served.get("/api/turns").body);
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn begin(home: Arc<TempDir>, model: &Server, args: &[&str]) -> Served {
    let options = model_options(&model.url());
    let mut all: Vec<&str> = options.iter().map(String::as_str).collect();
    if !args.contains(&"--workspace") {
        all.extend(["--workspace", "work"]);
    }
    all.extend(args);
    Served::begin(home, &all)
}

/// The answer to a request for events.
pub(crate) struct EventReader {
    reader: BufReader<TcpStream>,
    pub(crate) status: u16,
    /// In lower case.
    pub(crate) head: String,
    /// The id of the last event.
    pub(crate) id: String,
}

impl EventReader {
    pub(crate) fn of(stream: TcpStream) -> Self {
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(reader.read_line(&mut head).unwrap(), 0, "{head:?}");
        }
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Self { reader, status, head: head.to_lowercase(), id: String::new() }
    }

    /// The body of an error.
    pub(crate) fn error(mut self) -> String {
        let mut body = String::new();
        self.reader.read_to_string(&mut body).unwrap();
        let value: Value = serde_json::from_str(&body).unwrap_or_else(|_| panic!("{body:?}"));
        value["error"]["message"].as_str().unwrap().to_owned()
    }

    /// The events up to the first of this type.
    pub(crate) fn until(&mut self, kind: &str) -> Vec<Value> {
        let mut all = Vec::new();
        for event in self.by_ref() {
            let found = event["type"] == kind;
            all.push(event);
            if found {
                return all;
            }
        }
        panic!("no {kind} in {all:?}");
    }

    /// Reads up to the end, whatever comes.
    pub(crate) fn skip_to_end(&mut self) {
        self.reader.read_to_end(&mut Vec::new()).unwrap();
    }

    /// Reads for a while, and returns true if the stream has not ended.
    pub(crate) fn has_more_within(&mut self, time: Duration) -> bool {
        self.reader.get_ref().set_read_timeout(Some(time)).unwrap();
        // A stream that is silent for longer than the timeout is an error.
        self.reader.read_to_end(&mut Vec::new()).is_err()
    }

    /// The events up to the end.
    pub(crate) fn rest(self) -> Vec<Value> {
        self.collect()
    }
}

impl Iterator for EventReader {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        let (mut kind, mut value) = (String::new(), None);
        loop {
            let mut line = String::new();
            // A server that was killed resets the connection.
            if self.reader.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            match line.trim_end_matches('\n').split_once(": ") {
                Some(("event", text)) => kind = text.to_owned(),
                Some(("id", text)) => self.id = text.to_owned(),
                Some(("data", text)) => value = Some(serde_json::from_str::<Value>(text).unwrap()),
                _ if line == "\n" => {
                    let Some(value) = value.take() else { continue };
                    assert_eq!(value["type"], kind.as_str());
                    return Some(value);
                }
                _ => {}
            }
        }
    }
}
