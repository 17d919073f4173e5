//! An agent with a home folder of its own, under `throughline watch`, and a provider that a test speaks for.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::Value;
use throughline_testserver::{Answer, Received, Script, Server};

use crate::installed::Installed;
use crate::place::{Place, serve};
use crate::tmux::Tmux;

/// Longer than any test: an answer that never comes.
pub(crate) const LONG: Duration = Duration::from_secs(600);

/// How long something may take. Long, because the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// Time between two looks.
const LOOK: Duration = Duration::from_millis(50);

/// The size of the terminals.
const SIZE: (u16, u16) = (110, 36);

/// An agent, ready to be started.
pub(crate) struct Stage {
    pub(crate) place: Place,
    pub(crate) server: Server,
    program: PathBuf,
    environment: Vec<(String, String)>,
}

impl Stage {
    /// The agent with a server that answers some requests by itself. `None`: it is not installed.
    pub(crate) fn new(
        agent: Installed,
        unscripted: impl Fn(&Value) -> Option<Answer> + Send + Sync + 'static,
    ) -> Option<Self> {
        let program = agent.program()?;
        let place = Place::new();
        let server = serve(Script::new().lenient().unscripted(unscripted));
        let environment = [
            ("PATH", std::env::var("PATH").unwrap()),
            ("HOME", place.folder.path().display().to_string()),
            ("TERM", "xterm-256color".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("OLLAMA_HOST", "127.0.0.1:9".to_owned()),
        ];
        let environment = environment.map(|(name, value)| (name.to_owned(), value)).to_vec();
        Some(Self { place, server, program, environment })
    }

    /// One more variable of the agent.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    /// Writes a file below the home folder.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.place.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The folder that the agent works in, as it names it.
    pub(crate) fn work(&self) -> PathBuf {
        self.place.work().canonicalize().unwrap()
    }

    /// The binary with these arguments, in the environment of the agent.
    pub(crate) fn throughline(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
        command.env_clear().envs(self.environment.iter().cloned()).current_dir(self.work()).args(args);
        command
    }

    /// The agent, watched, without a terminal.
    pub(crate) fn watched(&self, options: &[&str], args: &[&str]) -> Command {
        let mut command = self.throughline(&["watch"]);
        command.args(options).arg("--").arg(&self.program).args(args);
        command
    }

    /// The agent, watched, in a terminal.
    pub(crate) fn terminal(&self, options: &[&str], args: &[&str]) -> Tmux {
        let mut words: Vec<OsString> = vec!["env".into(), "-i".into()];
        words.extend(self.environment.iter().map(|(name, value)| format!("{name}={value}").into()));
        let command = self.watched(options, args);
        words.push(command.get_program().to_owned());
        words.extend(command.get_args().map(ToOwned::to_owned));
        let words: Vec<String> = words.into_iter().map(|word| word.into_string().unwrap()).collect();
        Tmux::open(&self.work(), SIZE, &words)
    }

    /// Waits until something has become true.
    #[track_caller]
    pub(crate) fn wait(&self, what: &str, mut good: impl FnMut() -> bool) {
        let begun = Instant::now();
        while !good() {
            assert!(begun.elapsed() < PATIENCE, "{what}; requests: {}", self.server.received().len());
            std::thread::sleep(LOOK);
        }
    }

    /// The files below a folder of the home folder that end so.
    pub(crate) fn files(&self, folder: &str, end: &str) -> Vec<PathBuf> {
        let mut folders = vec![self.place.folder.path().join(folder)];
        let mut found = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == end) {
                    found.push(path);
                }
            }
        }
        found
    }

    /// The bodies of the requests so far, those with unscripted answers included.
    pub(crate) fn bodies(&self) -> Vec<Value> {
        let asks = |one: &Received| one.method == "POST" && !one.body.is_null();
        self.server.received().into_iter().filter(asks).map(|one| one.body).collect()
    }
}

/// Ends a process as the system does when it has no memory left.
pub(crate) fn kill(pid: i32) {
    kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
}

/// The processes that this one has started.
pub(crate) fn children(pid: i32) -> Vec<i32> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let children = tasks.map(|task| fs::read_to_string(task.unwrap().path().join("children")).unwrap());
    children
        .flat_map(|pids| pids.split_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<_>>())
        .collect()
}

pub(crate) fn is_running(pid: i32) -> bool {
    test_kill_process(Pid::from_raw(pid).unwrap()).is_ok()
}
