//! The two programs, and how each is called.
//!
//! Each has a home of its own that it keeps from run to run, an empty environment but for what it needs, and a folder
//! to work in. Both keep the session on disk and print JSON. Where they differ the peer is spared: its native program
//! is called without the launcher that needs Node, without its sandbox, and without what it would ask of servers
//! elsewhere (plugins, apps, analytics, updates), which cost it time and this bench its independence of the network.
//! All else is as it comes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use crate::scenario::PROMPT;

/// Known to both, with the same window.
pub(crate) const MODEL: &str = "gpt-5.5";
/// Any will do: the server takes none.
const KEY: &str = "no-key";

/// A program that answers a prompt.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    /// Version and file.
    pub(crate) about: String,
    program: PathBuf,
    call: Call,
    /// The tool that runs a shell command.
    pub(crate) shell: &'static str,
    /// And the name of its argument.
    pub(crate) argument: &'static str,
}

/// Fills in a command. Gets the folder of the peer and the server's URL.
type Call = fn(&mut Command, &Path, &str) -> anyhow::Result<()>;

/// This project's binary.
pub(crate) fn throughline(program: &Path) -> anyhow::Result<Peer> {
    let about = format!("{} ({})", version(program)?, program.display());
    let call: Call = |command, folder, url| {
        command.arg("--data-dir").arg(folder.join("home")).args(["run", "-o", "json"]);
        command.args(["--provider", "openai", "--base-url"]).arg(format!("{url}/v1"));
        command.args(["--model", MODEL, PROMPT]).env("OPENAI_API_KEY", KEY);
        Ok(())
    };
    let program = program.to_path_buf();
    Ok(Peer { name: "throughline", about, program, call, shell: "shell", argument: "command" })
}

/// Codex, from the folder `.bin` of the packages in which it was installed.
pub(crate) fn codex(bin: &Path) -> anyhow::Result<Peer> {
    let native = native_codex(bin);
    let how = if native.is_some() {
        "its native program"
    } else {
        "its launcher for Node, no native program found"
    };
    let program = native.unwrap_or_else(|| bin.join("codex"));
    let about = format!("{} (npm @openai/codex, {how}, {})", version(&program)?, program.display());
    let call: Call = |command, folder, url| {
        let home = folder.join("home");
        fs::write(home.join("config.toml"), config(&folder.join("work"), url))?;
        command.args(["exec", "--json", "--strict-config", "--skip-git-repo-check"]);
        command.args(["--dangerously-bypass-approvals-and-sandbox", PROMPT]);
        command.env("CODEX_HOME", home).env("MOCK_KEY", KEY);
        Ok(())
    };
    Ok(Peer { name: "codex", about, program, call, shell: "exec_command", argument: "cmd" })
}

impl Peer {
    /// The command of one turn in a folder of its own, which keeps what it keeps.
    pub(crate) fn command(&self, folder: &Path, url: &str) -> anyhow::Result<Command> {
        for part in ["home", "work", "tmp"] {
            fs::create_dir_all(folder.join(part))?;
        }
        let mut command = Command::new(&self.program);
        (self.call)(&mut command, folder, url)?;
        command.env("HOME", folder.join("home")).env("TMPDIR", folder.join("tmp"));
        // The shells that they start are the machine's.
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("LANG", "C.UTF-8");
        command.current_dir(folder.join("work"));
        Ok(command)
    }

    /// The call of the shell in the words of this program.
    pub(crate) fn shell_input(&self, line: &str) -> Value {
        json!({ self.argument: line })
    }
}

/// The program that the launcher would start: it lies in a package of its own, by system and processor.
fn native_codex(bin: &Path) -> Option<PathBuf> {
    let packages = bin.parent()?.join("@openai");
    let mut found = Vec::new();
    for package in fs::read_dir(packages).ok()?.flatten() {
        for target in fs::read_dir(package.path().join("vendor")).into_iter().flatten().flatten() {
            found.push(target.path().join("bin").join("codex"));
        }
    }
    found.retain(|file| file.is_file());
    found.sort();
    found.into_iter().next()
}

fn config(work: &Path, url: &str) -> String {
    let work = Value::from(work.display().to_string()).to_string();
    let form = include_str!("codex.toml");
    form.replace("%MODEL%", MODEL).replace("%URL%", url).replace("%WORK%", &work)
}

fn version(program: &Path) -> anyhow::Result<String> {
    let said = Command::new(program)
        .arg("--version")
        .output()
        .with_context(|| format!("could not start {}", program.display()))?;
    ensure!(said.status.success(), "{} --version failed", program.display());
    Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned())
}
