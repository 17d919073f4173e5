//! A home folder for the binary: nothing of the user's own is seen or used.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A home with a folder to work in. Both are gone with it.
#[derive(Debug)]
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        let home = Self(TempDir::new().unwrap());
        fs::create_dir(home.workspace()).unwrap();
        fs::write(home.workspace().join("note.txt"), "Remember: the colour is teal.\n").unwrap();
        home
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Where the binary works.
    pub(crate) fn workspace(&self) -> PathBuf {
        self.path().join("work")
    }

    /// The binary, in its folder, with a clean environment. No Ollama of this machine is found.
    pub(crate) fn throughline(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
        command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.env("HOME", self.path()).env("OLLAMA_HOST", UNREACHABLE);
        // A test that wants further tries asks for them.
        command.env("THROUGHLINE_MODEL_RETRIES", "0");
        for (variable, folder) in
            [("DATA", "data"), ("CONFIG", "config"), ("STATE", "state"), ("CACHE", "cache")]
        {
            command.env(format!("XDG_{variable}_HOME"), self.path().join(folder));
        }
        command.current_dir(self.workspace()).stdin(Stdio::null());
        command
    }

    /// Returns true if any file that the binary has written contains this text.
    pub(crate) fn keeps(&self, text: &str) -> bool {
        let mut folders = vec![self.path().join("data"), self.path().join("state"), self.workspace()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if fs::read(&path).unwrap().windows(text.len()).any(|part| part == text.as_bytes()) {
                    return true;
                }
            }
        }
        false
    }
}

/// An address without a listener: the port belongs to a service that no longer exists.
pub(crate) const UNREACHABLE: &str = "http://127.0.0.1:1";

/// Exit code and output of a process that has ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Runs a command to its end.
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// The same with something on its standard input.
    pub(crate) fn with_input(command: &mut Command, input: &str) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// It ended with this code, without a panic.
    #[track_caller]
    pub(crate) fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(!self.err.contains("panicked"), "{self:?}");
        self
    }

    /// What it printed is one JSON object on one line.
    #[track_caller]
    pub(crate) fn object(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "{self:?}");
        serde_json::from_str(&self.out).unwrap()
    }

    /// What it printed is one JSON object a line.
    #[track_caller]
    pub(crate) fn objects(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Everything that it printed.
    pub(crate) fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}
