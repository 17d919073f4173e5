//! The doors of the packages for other languages: a program of the language calls the operations that it reads.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::door::Door;

/// A program that reads `{"operation", "context", "input"}` from each line, and writes `{"output"}` or `{"error"}`. With a body it
/// writes the bytes that would be sent, as the text `sent`.
pub(crate) struct ProgramDoor {
    child: Child,
    calls: ChildStdin,
    answers: BufReader<ChildStdout>,
    _folder: TempDir,
}

impl ProgramDoor {
    /// Starts the program with a data folder of its own.
    pub(crate) fn new(program: &Path, file: &Path) -> Self {
        let folder = TempDir::new().unwrap();
        let mut command = Command::new(program);
        command.arg(file).arg(folder.path()).env("HOME", folder.path());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (calls, answers) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { child, calls, answers: BufReader::new(answers), _folder: folder }
    }
}

impl Door for ProgramDoor {
    fn call(&mut self, operation: &str, context: &str, input: Value) -> Result<Value, Value> {
        let call = json!({ "operation": operation, "context": context, "input": input });
        writeln!(self.calls, "{call}").unwrap();
        let mut line = String::new();
        assert_ne!(self.answers.read_line(&mut line).unwrap(), 0, "the program has ended");
        let answer: Value = serde_json::from_str(&line).unwrap();
        if let Some(failed) = answer.get("error") {
            return Err(failed.clone());
        }
        let output = answer["output"].clone();
        if let Some(sent) = answer.get("sent") {
            assert_eq!(sent, &output["body"].to_string(), "{operation}: the bytes are those of the output");
        }
        Ok(output)
    }
}

impl Drop for ProgramDoor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
