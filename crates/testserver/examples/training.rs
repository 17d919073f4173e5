//! The work that a release is trained with: `cargo xtask dist` runs a program with counters through it.
//!
//! `training PROGRAM` does with the program what its users do most: turns with each provider and each kind of tool, the demo, and the
//! commands that show a session. The model is a [`Server`]. A command that fails ends the training.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script, Server};

/// A provider of `--provider`, a model that the program knows, and what stands behind the server's address.
const PROVIDERS: [(&str, &str, &str); 5] = [
    ("anthropic", "claude-sonnet-4-5", ""),
    ("openai", "gpt-5.5", "/v1"),
    ("compatible", "local", "/v1"),
    ("gemini", "gemini-3-pro-preview", ""),
    ("ollama", "local", ""),
];

/// Commands on the sessions that the turns leave, and those that need none.
const COMMANDS: [&[&str]; 12] = [
    &["--version"],
    &["--help"],
    &["run", "--help"],
    &["demo"],
    &["sessions"],
    &["sessions", "--json"],
    &["context", "last"],
    &["context", "last", "--json"],
    &["messages", "list", "last"],
    &["show", "last"],
    &["export", "last", "-o", "session.jsonl"],
    &["memos"],
];

/// An answer with a table and code, as a person gets it.
const TEXT: &str =
    "It prints a greeting.\n\n| file | lines |\n|---|---|\n| main.rs | 3 |\n\n```rust\nfn main() {}\n```\n";

/// The tools of a turn, in this order.
fn calls() -> [(&'static str, Value); 7] {
    [
        ("list_files", json!({"path": "."})),
        ("read_file", json!({"path": "main.rs"})),
        ("grep", json!({"pattern": "println"})),
        ("edit_file", json!({"path": "main.rs", "old_string": "hello", "new_string": "hello!"})),
        ("write_file", json!({"path": "notes.md", "content": "# Notes\n\nIt greets.\n"})),
        ("shell", json!({"command": "ls -l && git status --short"})),
        ("shell", json!({"command": "seq 1 20000"})),
    ]
}

/// A home and a project of their own.
struct Place {
    program: PathBuf,
    folder: tempfile::TempDir,
}

impl Place {
    fn new(program: PathBuf) -> Result<Self, Box<dyn Error>> {
        let place = Self { program, folder: tempfile::tempdir()? };
        std::fs::create_dir_all(place.project())?;
        std::fs::write(place.project().join("main.rs"), "fn main() {\n    println!(\"hello\");\n}\n")?;
        ended_well(Command::new("git").args(["init", "--quiet"]).current_dir(place.project()))?;
        Ok(place)
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn run(&self, args: &[&str]) -> Result<(), Box<dyn Error>> {
        let mut command = Command::new(&self.program);
        command.args(args).current_dir(self.project()).env("HOME", self.folder.path());
        for key in ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"] {
            command.env(key, "no-key");
        }
        ended_well(&mut command)
    }

    /// One request for each tool and one for the answer; then a turn of text alone.
    fn turns(
        &self,
        server: &Server,
        (provider, model, path): (&str, &str, &str),
    ) -> Result<(), Box<dyn Error>> {
        for (number, (tool, input)) in calls().into_iter().enumerate() {
            server.push(Answer::call(&format!("call_{number}"), tool, input));
        }
        server.push(Answer::text(TEXT));
        server.push(Answer::text(TEXT));
        let address = format!("{}{path}", server.url());
        let model = ["--provider", provider, "--model", model, "--base-url", &address];
        self.run(&[&["run", "-o", "json"], model.as_slice(), &["What does it do?"]].concat())?;
        self.run(&[&["run", "-c"], model.as_slice(), &["Thank you."]].concat())
    }
}

/// Runs it without a terminal; an error names the command and has what it printed.
fn ended_well(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let output = command.stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(());
    }
    let printed = [output.stdout, output.stderr].concat();
    Err(format!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&printed)).into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let program = std::env::args_os().nth(1).ok_or("name the program: training PROGRAM")?;
    let place = Place::new(Path::new(&program).canonicalize()?)?;
    // The bodies are not judged here: the suites do that.
    let known = |script: Script, (_, model, _): &(&str, &str, &str)| script.model(model, 32_768);
    let server = Server::start_at(PROVIDERS.iter().fold(Script::new().lenient(), known), 0)?;
    for provider in PROVIDERS {
        place.turns(&server, provider)?;
    }
    for command in COMMANDS {
        place.run(command)?;
    }
    Ok(())
}
