//! The server as a program.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_throughline-testserver");

/// A file that is removed at the end.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("testserver-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).unwrap();
    }
}

/// A program that is ended whatever the test does.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        self.0.wait().unwrap();
    }
}

fn run(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn it_prints_its_url_and_serves_until_stdin_is_closed() {
    let file = File::new("serves.json", r#"[{"text": "hello"}]"#);
    let child = Command::new(PROGRAM)
        .args(["--script", file.0.to_str().unwrap(), "--port", "0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut running = Running(child);
    let mut line = String::new();
    BufReader::new(running.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let body = r#"{"model": "m", "messages": [{"role": "user", "content": "hi"}]}"#;
    let head = "POST /v1/chat/completions HTTP/1.1\r\nConnection: close";
    stream.write_all(format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains(r#""content":"hello""#), "{answer}");
    drop(running.0.stdin.take());
    assert!(running.0.wait().unwrap().success());
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn bad_arguments_and_scripts_are_told_with_the_line() {
    let bad = File::new("bad.json", "[\n  {\"text\": \"a\"},\n  {\"txt\": \"b\"}\n]\n");
    let bad = bad.0.to_str().unwrap();
    for (arguments, words) in [
        (&["--script", bad][..], ":3: the script cannot be read: unknown field `txt`"),
        (&["--script", "/nowhere/x.json"], "/nowhere/x.json: No such file or directory"),
        (&[], "--script is missing"),
        (&["--script"], "--script needs a value"),
        (&["--script", bad, "--port", "many"], "--port many: must be a number from 0 to 65535"),
        (&["--verbose"], "--verbose is not known"),
    ] {
        let output = run(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{said}");
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn help_describes_the_script_and_a_taken_port_is_an_error_of_the_system() {
    let help = String::from_utf8(run(&["--help"]).stdout).unwrap();
    assert!(help.contains("--script FILE.json") && help.contains("\"cut_after\": 4"));
    let file = File::new("port.json", "[]");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = run(&["--script", file.0.to_str().unwrap(), "--port", &port]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains(&format!("port {port} of 127.0.0.1")));
}
