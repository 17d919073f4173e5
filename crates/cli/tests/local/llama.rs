//! The server of llama.cpp, and the binary that asks it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::place::Place;

/// A running server; it ends with the test. One at a time: each uses all cores.
pub(crate) struct Llama {
    child: Child,
    url: String,
    _alone: MutexGuard<'static, ()>,
}

impl Llama {
    /// A server with a context of this many tokens.
    pub(crate) fn start(context: u64) -> Self {
        Self::with_slots(context, 1)
    }

    /// A server whose context is shared by this many slots.
    pub(crate) fn with_slots(context: u64, slots: u64) -> Self {
        static RUNNING: Mutex<()> = Mutex::new(());
        let alone = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let python = std::env::var_os("THROUGHLINE_LLAMA_PYTHON").map(PathBuf::from);
        let mut command = Command::new(python.expect("`cargo xtask integration local` sets the Python"));
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/local/server.py"));
        command.args([context.to_string(), slots.to_string()]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = lines
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("listening ").map(str::to_owned))
            .expect("the server says where it listens");
        Self { child, url, _alone: alone }
    }

    /// What is at a path of the server, with no place of this machine in it.
    pub(crate) fn described(&self, path: &str) -> Value {
        let host = self.url.trim_start_matches("http://");
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let mut described: Value =
            serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"));
        without_places(&mut described);
        described
    }

    /// `command` with this server and its model.
    pub(crate) fn asked(&self, place: &Place, command: &str, args: &[&str]) -> Command {
        let url = format!("{}/v1", self.url);
        let given = [command, "--base-url", &url, "--model", "smollm2"];
        let mut command = place.bare(&[&given[..], args].concat());
        // It writes a few tokens a second, and nothing of use.
        command.env("THROUGHLINE_AGENT_MAX_OUTPUT_TOKENS", "24");
        command
    }

    /// A turn of a session; the outcome as `-o json` prints it. The server may take minutes.
    pub(crate) fn turn(&self, place: &Place, args: &[&str], prompt: &str) -> Value {
        let mut command = self.asked(place, "run", &[&["-o", "json"][..], args, &[prompt]].concat());
        let output = command.stdin(Stdio::null()).output().unwrap();
        // 5: the answer was cut off at its limit.
        assert!(matches!(output.status.code(), Some(0 | 5)), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
    }
}

/// Replaces the path of the weights, and what is another one in each run.
fn without_places(value: &mut Value) {
    match value {
        Value::String(text) if text.ends_with(".gguf") => {
            "/weights/SmolLM2-135M-Instruct.Q4_1.gguf".clone_into(text);
        }
        Value::String(text) if text.starts_with("<__media_") => "<__media__>".clone_into(text),
        Value::Array(all) => all.iter_mut().for_each(without_places),
        Value::Object(fields) => {
            for (name, value) in fields {
                if name == "created" {
                    *value = 1_764_230_000.into();
                }
                without_places(value);
            }
        }
        _ => {}
    }
}

impl Drop for Llama {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
