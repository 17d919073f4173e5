//! The binary as a door: by lines, and by HTTP over one connection.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};

fn command(binary: &Path, home: &Path) -> anyhow::Result<Command> {
    std::fs::create_dir_all(home)?;
    let mut command = Command::new(binary);
    command.env_clear().env("HOME", home).current_dir(home).stdout(Stdio::piped());
    Ok(command)
}

/// The input with the id of the context.
pub(crate) fn in_context(mut input: Value) -> Value {
    if let Some(fields) = input.as_object_mut() {
        fields.insert("context".to_owned(), json!("bench"));
    }
    input
}

/// `throughline engine`.
pub(crate) struct Lines {
    child: Child,
    calls: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Lines {
    pub(crate) fn start(binary: &Path, home: &Path) -> anyhow::Result<Self> {
        let mut child = command(binary, home)?.arg("engine").stdin(Stdio::piped()).spawn()?;
        let calls = child.stdin.take().context("no stdin")?;
        let answers = BufReader::with_capacity(1 << 16, child.stdout.take().context("no stdout")?);
        Ok(Self { child, calls, answers })
    }

    /// The line of the answer.
    pub(crate) fn send(&mut self, operation: &str, input: &Value) -> anyhow::Result<Vec<u8>> {
        let params = in_context(input.clone());
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": operation, "params": params });
        self.calls.write_all(format!("{call}\n").as_bytes())?;
        loop {
            let mut line = Vec::new();
            ensure!(self.answers.read_until(b'\n', &mut line)? > 0, "the process has ended");
            if !line.starts_with(br#"{"jsonrpc":"2.0","method""#) {
                return Ok(line);
            }
        }
    }

    pub(crate) fn call(&mut self, operation: &str, input: &Value) -> anyhow::Result<()> {
        let answer: Value = serde_json::from_slice(&self.send(operation, input)?)?;
        ensure!(answer.get("error").is_none(), "{operation}: {answer}");
        Ok(())
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `throughline serve`.
pub(crate) struct Http {
    child: Child,
    stream: BufReader<TcpStream>,
    host: String,
    token: String,
}

impl Http {
    pub(crate) fn start(binary: &Path, home: &Path) -> anyhow::Result<Self> {
        let mut serving = command(binary, home)?;
        let mut child = serving.args(["serve", "--port", "0"]).stdin(Stdio::null()).spawn()?;
        let mut said = String::new();
        BufReader::new(child.stdout.take().context("no stdout")?).read_line(&mut said)?;
        let address = said.trim().strip_prefix("Listening on http://").context("no address")?;
        let (host, token) = address.split_once("/?token=").context("no token")?;
        let stream = TcpStream::connect(host)?;
        stream.set_nodelay(true)?;
        let (host, token) = (host.to_owned(), token.to_owned());
        Ok(Self { child, stream: BufReader::with_capacity(1 << 16, stream), host, token })
    }

    /// The body of the answer.
    pub(crate) fn send(&mut self, operation: &str, input: &Value) -> anyhow::Result<Vec<u8>> {
        let (host, token, body) = (&self.host, &self.token, input.to_string());
        let request = format!(
            "POST /api/contexts/bench/{operation} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut length = None;
        loop {
            let mut line = String::new();
            ensure!(self.stream.read_line(&mut line)? > 0, "the server has closed the connection");
            if line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = Some(value.trim().parse()?);
            }
        }
        let Some(length) = length else { bail!("the answer has no length") };
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok(body)
    }

    pub(crate) fn call(&mut self, operation: &str, input: &Value) -> anyhow::Result<()> {
        let answer: Value = serde_json::from_slice(&self.send(operation, input)?)?;
        ensure!(answer.get("error").is_none(), "{operation}: {answer}");
        Ok(())
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
