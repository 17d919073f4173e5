//! A home folder for the binary, and a server that it can ask.

use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;
use throughline_testserver::{Script, Server};

/// The key that the binary finds in its environment.
pub(crate) const KEY: &str = "sk-test-5f2a9c-canary";

/// A server with this script.
pub(crate) fn serve(script: Script) -> Server {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(Server::start(script)).unwrap()
}

/// A folder for the user's data and one to work in.
pub(crate) struct Place {
    pub(crate) folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("work")).unwrap();
        std::fs::write(folder.path().join("work/a.txt"), "alpha\nbeta\n").unwrap();
        Self { folder }
    }

    /// Where the binary works.
    pub(crate) fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// The binary in an environment of its own: no key, no provider, no file of the user's.
    pub(crate) fn bare(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.folder.path())
            // Nothing listens there: a test must not use the Ollama of its machine.
            .env("OLLAMA_HOST", "127.0.0.1:9")
            .current_dir(self.work())
            .args(args);
        command
    }

    /// `run` with a provider at this server.
    pub(crate) fn asks(&self, server: &Server, provider: (&str, &str), args: &[&str]) -> Command {
        let url = server.url();
        let mut all = vec!["run", "--provider", provider.0, "--model", provider.1, "--base-url", &url];
        all.extend(args);
        let mut command = self.bare(&all);
        command.env("ANTHROPIC_API_KEY", KEY).env("OPENAI_API_KEY", KEY);
        command
    }
}
