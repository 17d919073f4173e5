//! The doors, each with a data folder of its own.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;
use throughline_contexts::Contexts;
use throughline_host::HostOptions;
use tokio::runtime::Runtime;

use crate::served::Served;

/// A way to call the operations of contexts.
pub(crate) trait Door {
    /// Runs an operation. An error is `code`, `message` and the `data` of the message.
    fn call(&mut self, operation: &str, context: &str, input: Value) -> Result<Value, Value>;
}

fn with_context(context: &str, mut input: Value) -> Value {
    input["context"] = json!(context);
    input
}

/// An error in the same form for every door.
fn error(code: &Value, message: &Value, data: Option<&Value>) -> Value {
    let mut data = data.and_then(Value::as_object).cloned().unwrap_or_default();
    data.remove("code");
    json!({ "code": code, "message": message, "data": data })
}

/// The crate itself.
pub(crate) struct RustDoor {
    runtime: Runtime,
    contexts: Contexts,
    _folder: TempDir,
}

impl RustDoor {
    pub(crate) fn new() -> Self {
        let (runtime, folder) = (Runtime::new().unwrap(), TempDir::new().unwrap());
        let options = HostOptions { data_dir: Some(folder.path().to_owned()), ..HostOptions::default() };
        let contexts = runtime.block_on(options.open(None)).unwrap();
        Self { runtime, contexts, _folder: folder }
    }
}

impl Door for RustDoor {
    fn call(&mut self, operation: &str, context: &str, input: Value) -> Result<Value, Value> {
        let called = self.runtime.block_on(self.contexts.call(operation, with_context(context, input)));
        called.map_err(|failed| {
            let failed = json!(failed);
            error(&failed["code"], &failed["message"], failed.get("data"))
        })
    }
}

/// `throughline engine`.
pub(crate) struct LineDoor {
    child: Child,
    calls: ChildStdin,
    answers: BufReader<ChildStdout>,
    number: u64,
    folder: Option<TempDir>,
}

impl LineDoor {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let mut door = Self::in_folder(folder.path());
        door.folder = Some(folder);
        door
    }

    pub(crate) fn in_folder(folder: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
        command.env_clear().env("HOME", folder).current_dir(folder).arg("engine");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (calls, answers) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { child, calls, answers: BufReader::new(answers), number: 0, folder: None }
    }

    /// Ends the process as nothing can prevent.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Door for LineDoor {
    fn call(&mut self, operation: &str, context: &str, input: Value) -> Result<Value, Value> {
        self.number += 1;
        let params = with_context(context, input);
        let call = json!({ "jsonrpc": "2.0", "id": self.number, "method": operation, "params": params });
        writeln!(self.calls, "{call}").unwrap();
        loop {
            let mut line = String::new();
            assert_ne!(self.answers.read_line(&mut line).unwrap(), 0, "the process has ended");
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] != self.number {
                assert_eq!(answer["method"], "notice", "{answer}");
                continue;
            }
            let Some(failed) = answer.get("error") else { return Ok(answer["result"].clone()) };
            return Err(error(&failed["data"]["code"], &failed["message"], failed.get("data")));
        }
    }
}

impl Drop for LineDoor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The HTTP server.
pub(crate) struct HttpDoor(pub(crate) Served);

impl HttpDoor {
    pub(crate) fn new() -> Self {
        Self(Served::begin(Arc::new(TempDir::new().unwrap()), &[]))
    }
}

impl Door for HttpDoor {
    fn call(&mut self, operation: &str, context: &str, input: Value) -> Result<Value, Value> {
        let answered =
            self.0.send("POST", &format!("/api/contexts/{context}/{operation}"), &input.to_string());
        let body = answered.json();
        if answered.status == 200 {
            return Ok(body);
        }
        let failed = &body["error"];
        Err(error(&failed["code"], &failed["message"], failed.get("data")))
    }
}
