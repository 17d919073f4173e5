//! A home folder with a project, and a model that answers by a script.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use tempfile::TempDir;
use throughline_testserver::{Received, Script, Server};
use tokio::process::{Child, Command};

/// A home folder, and the server of its model.
pub(crate) struct Home {
    folder: TempDir,
    pub(crate) model: Server,
}

impl Home {
    pub(crate) async fn new(script: Script) -> Self {
        let folder = TempDir::new().unwrap();
        std::fs::create_dir(folder.path().join("work")).unwrap();
        std::fs::write(folder.path().join("work/a.txt"), "alpha\nbeta\n").unwrap();
        std::fs::write(folder.path().join("key"), "sk-test-canary").unwrap();
        Self { folder, model: Server::start(script).await.unwrap() }
    }

    /// The folder of the project, with all links followed.
    pub(crate) fn work(&self) -> PathBuf {
        self.folder.path().join("work").canonicalize().unwrap()
    }

    pub(crate) fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.work().join(file)).unwrap()
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The requests that asked the model for something.
    pub(crate) fn requests(&self) -> Vec<Received> {
        self.model.received().into_iter().filter(|one| one.path.ends_with("/messages")).collect()
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.env_clear().env("PATH", path).env("HOME", self.path()).env("OLLAMA_HOST", "127.0.0.1:9");
        command.current_dir(self.path()).args(words).kill_on_drop(true);
        command
    }

    /// A command with the model of the script.
    fn with_model(&self, words: &[&str]) -> Command {
        let (name, rest) = words.split_first().unwrap();
        let mut command = self.command(&[name]);
        let options =
            ["--provider", "anthropic", "--model", "claude-sonnet-4-5", "--key-file", "key", "--base-url"];
        command.args(options).arg(self.model.url()).args(rest);
        command
    }

    /// `throughline acp`, with these options.
    pub(crate) fn agent(&self, options: &[&str]) -> Child {
        piped(self.with_model(&[&["acp"], options].concat()))
    }

    /// `throughline acp` with this folder of the project at the start of `PATH`.
    pub(crate) fn agent_with_programs_in(&self, folder: &str) -> Child {
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", self.work().join(folder).display());
        let mut command = self.with_model(&["acp"]);
        command.env("PATH", path);
        piped(command)
    }

    /// The same without a provider, a model and a key.
    pub(crate) fn agent_without_key(&self) -> Child {
        piped(self.command(&["acp"]))
    }

    /// `throughline run` in the project.
    pub(crate) fn run(&self, words: &[&str]) -> Command {
        self.with_model(&[&["run", "--workspace", "work"], words].concat())
    }

    /// What a command prints.
    pub(crate) async fn printed(&self, words: &[&str]) -> String {
        let ran = self.command(words).stdin(Stdio::null()).output().await.unwrap();
        assert!(ran.status.success(), "{words:?}: {}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap()
    }
}

fn piped(mut command: Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}
