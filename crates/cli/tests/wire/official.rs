//! The providers' own clients for Python read what our test server speaks.

use std::path::Path;
use std::process::{Command, Stdio};

use throughline_testserver::{Script, Server};

/// Checks in the program, so that none of them is lost in silence.
const CHECKS: usize = 46;

#[tokio::test]
async fn the_official_clients_read_our_test_server() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testserver/python");
    let script = std::fs::read_to_string(folder.join("check_clients.json")).unwrap();
    let server = Server::start(Script::from_json(&script).unwrap()).await.unwrap();
    let python = std::env::var_os("THROUGHLINE_PYTHON")
        .expect("THROUGHLINE_PYTHON names no Python; `cargo xtask integration wire` sets it");
    let mut command = Command::new(python);
    command.arg(folder.join("check_clients.py")).arg(server.url()).stdin(Stdio::null());
    // It must not use a proxy or a key of the user.
    command.env_clear().env("PYTHONDONTWRITEBYTECODE", "1");
    let output = command.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    let passed = out.lines().filter(|line| line.starts_with("ok ")).count();
    assert_eq!((passed, out.lines().count()), (CHECKS, CHECKS), "{out}\n{err}");
}
