//! Requests against the types of the providers' own clients.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::exchange::Kind;
use crate::turn::Turn;

/// What the types say against the next request of each turn; nothing without one.
pub(crate) fn faults(kind: Kind, turns: &[Turn]) -> Vec<Vec<String>> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testserver/python/check_requests.py");
    let python = std::env::var_os("THROUGHLINE_PYTHON")
        .expect("THROUGHLINE_PYTHON names no Python; `cargo xtask integration recorded` sets it");
    let mut command = Command::new(python);
    command.arg(program).arg(kind.name()).env_clear().env("PYTHONDONTWRITEBYTECODE", "1");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let bodies: Vec<Value> = turns.iter().map(|turn| json!(turn.next)).collect();
    std::thread::spawn(move || {
        for body in bodies {
            writeln!(input, "{body}").unwrap();
        }
    });
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).unwrap();
    let faults: Vec<Vec<String>> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(faults.len(), turns.len());
    faults
}
