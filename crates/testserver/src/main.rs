//! The server as a program.

use std::io::{self, Write};
use std::process::ExitCode;

use throughline_testserver::{FORMAT, Script, Server};

/// How to call it.
const USAGE: &str = include_str!("../USAGE.md");

/// Why it does not run.
enum Failure {
    /// The user can mend it: exit 2.
    Input(String),
    /// The system: exit 1.
    System(String),
}

/// What is asked for.
enum Asked {
    Help,
    Serve { script: String, port: u16 },
}

fn main() -> ExitCode {
    let (code, message) = match run(std::env::args().skip(1)) {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Input(message)) => (2, message),
        Err(Failure::System(message)) => (1, message),
    };
    // Nobody is left to tell when stderr is closed.
    let _ = writeln!(io::stderr(), "throughline-testserver: {message}");
    ExitCode::from(code)
}

fn run(arguments: impl Iterator<Item = String>) -> Result<(), Failure> {
    let (path, port) = match read(arguments)? {
        Asked::Help => return say(&format!("{USAGE}\n{FORMAT}")),
        Asked::Serve { script, port } => (script, port),
    };
    let text = std::fs::read_to_string(&path).map_err(|error| Failure::Input(format!("{path}: {error}")))?;
    let script = Script::from_json(&text).map_err(|error| {
        let source = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        Failure::Input(format!("{path}:{}: {error}: {source}", error.line()))
    })?;
    let server = Server::start_at(script, port)
        .map_err(|error| Failure::System(format!("port {port} of 127.0.0.1: {error}")))?;
    say(&format!("{}\n", server.url()))?;
    // What comes is of no interest, only that it ends.
    match io::copy(&mut io::stdin().lock(), &mut io::sink()) {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::System(format!("stdin: {error}"))),
    }
}

fn read(mut arguments: impl Iterator<Item = String>) -> Result<Asked, Failure> {
    let (mut script, mut port) = (None, 0);
    while let Some(name) = arguments.next() {
        let mut value =
            || arguments.next().ok_or_else(|| Failure::Input(format!("{name} needs a value\n\n{USAGE}")));
        match name.as_str() {
            "-h" | "--help" => return Ok(Asked::Help),
            "--script" => script = Some(value()?),
            "--port" => {
                let given = value()?;
                port = given.parse().map_err(|_| {
                    Failure::Input(format!("--port {given}: must be a number from 0 to 65535"))
                })?;
            }
            other => return Err(Failure::Input(format!("{other} is not known\n\n{USAGE}"))),
        }
    }
    match script {
        Some(script) => Ok(Asked::Serve { script, port }),
        None => Err(Failure::Input(format!("--script is missing\n\n{USAGE}"))),
    }
}

fn say(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::System(format!("stdout: {error}")))
}
