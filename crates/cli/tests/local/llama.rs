//! The server of llama.cpp, and the binary that asks it.

use std::io::{BufRead, BufReader};
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
        static RUNNING: Mutex<()> = Mutex::new(());
        let alone = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let python = std::env::var_os("THROUGHLINE_LLAMA_PYTHON").map(PathBuf::from);
        let mut command = Command::new(python.expect("`cargo xtask integration local` sets the Python"));
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/local/server.py"));
        command.arg(context.to_string());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = lines
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("listening ").map(str::to_owned))
            .expect("the server says where it listens");
        Self { child, url, _alone: alone }
    }

    /// `command` with this server and its model.
    pub(crate) fn asked(&self, place: &Place, command: &str, args: &[&str]) -> Command {
        let url = format!("{}/v1", self.url);
        let given = [command, "--base-url", &url, "--model", "smollm2"];
        let mut command = place.bare(&[&given[..], args].concat());
        // It writes a few tokens a second, and nothing of use.
        command.env("THROUGHLINE_AGENT_MAX_OUTPUT_TOKENS", "64");
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

impl Drop for Llama {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
