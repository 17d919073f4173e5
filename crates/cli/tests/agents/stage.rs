//! An agent with a home folder of its own, under `throughline watch`, and a provider that a test speaks for.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::Value;
use throughline_testserver::{Answer, Received, Script, Server};

use crate::bodies::text_of;
use crate::installed::Installed;
use crate::place::{Place, serve};
use crate::ran::run;
use crate::tmux::Tmux;

/// Longer than any test: an answer that never comes.
pub(crate) const LONG: Duration = Duration::from_secs(600);

/// How long something may take. Long, because the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// Time between two looks.
const LOOK: Duration = Duration::from_millis(50);

/// How long a summary takes where a test looks at the screen meanwhile.
pub(crate) const SLOW: Duration = Duration::from_secs(3);

/// The size of the terminals.
const SIZE: (u16, u16) = (110, 36);

/// What a test has to know of an agent.
#[derive(Clone, Copy)]
pub(crate) struct Habits {
    pub(crate) installed: Installed,
    /// Answers requests that are no part of the conversation, such as those for titles and summaries.
    pub(crate) unscripted: fn(&Value) -> Option<Answer>,
    /// The field of a body that has the conversation.
    pub(crate) messages: &'static str,
    /// The folder of its transcripts, below the home folder.
    pub(crate) transcripts: &'static str,
    /// What a transcript has once for each compaction.
    pub(crate) compacted: &'static str,
}

/// An agent, ready to be started.
pub(crate) struct Stage {
    pub(crate) place: Place,
    pub(crate) server: Server,
    habits: Habits,
    environment: Vec<(String, String)>,
}

impl Stage {
    /// The agent with a server for it. `None`: it is not installed.
    pub(crate) fn new(habits: Habits) -> Option<Self> {
        let program = habits.installed.program()?;
        let place = Place::new();
        let server = serve(Script::new().lenient().unscripted(habits.unscripted));
        let bin = place.folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        symlink(program.canonicalize().unwrap(), bin.join(habits.installed.name)).unwrap();
        let temporary = place.folder.path().join("tmp");
        fs::create_dir(&temporary).unwrap();
        let environment = [
            ("PATH", format!("{}:{}", bin.display(), std::env::var("PATH").unwrap())),
            ("HOME", place.folder.path().display().to_string()),
            ("TMPDIR", temporary.display().to_string()),
            ("TERM", "xterm-256color".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            // Nothing listens there: what an agent asks of others than our server stays on this machine.
            ("OLLAMA_HOST", "127.0.0.1:9".to_owned()),
            ("HTTP_PROXY", "http://127.0.0.1:9".to_owned()),
            ("HTTPS_PROXY", "http://127.0.0.1:9".to_owned()),
            ("NO_PROXY", "127.0.0.1,localhost".to_owned()),
        ];
        let environment = environment.map(|(name, value)| (name.to_owned(), value)).to_vec();
        Some(Self { place, server, habits, environment })
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

    /// The agent itself with these arguments, not watched.
    pub(crate) fn program(&self, args: &[&str]) -> Command {
        let mut command = Command::new(self.place.folder.path().join("bin").join(self.habits.installed.name));
        command.env_clear().envs(self.environment.iter().cloned()).current_dir(self.work()).args(args);
        command
    }

    /// The agent, watched, without a terminal.
    pub(crate) fn watched(&self, options: &[&str], args: &[&str]) -> Command {
        let mut command = self.throughline(&["watch"]);
        command.args(options).arg("--").arg(self.habits.installed.name).args(args);
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

    /// The texts of the requests of the conversation so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        let asks = |one: &Received| one.method == "POST" && !one.body[self.habits.messages].is_null();
        let all = self.server.received().into_iter().filter(asks).map(|one| one.body);
        let scripted = all.filter(|body| (self.habits.unscripted)(body).is_none());
        scripted.map(|body| text_of(&body[self.habits.messages])).collect()
    }

    /// The text of the last request.
    pub(crate) fn last_request(&self) -> String {
        self.requests().pop().unwrap()
    }

    /// All that the agent has written down.
    pub(crate) fn transcripts(&self) -> String {
        let files = self.files(self.habits.transcripts, "jsonl").into_iter();
        files.map(|file| fs::read_to_string(file).unwrap()).collect()
    }

    /// Waits until the transcripts have this many compactions.
    #[track_caller]
    pub(crate) fn compacted(&self, times: usize) {
        let wanted = || self.transcripts().matches(self.habits.compacted).count() == times;
        self.wait(&format!("no compaction {times}"), wanted);
    }

    /// The file of the only session, without its extension.
    #[track_caller]
    pub(crate) fn session(&self) -> String {
        let files = self.files(self.habits.transcripts, "jsonl");
        let [file] = files.as_slice() else { panic!("{files:?}") };
        file.file_stem().unwrap().to_str().unwrap().to_owned()
    }

    /// Stores what an agent has shown or written, for the tests that run without it. With `UPDATE_EXPECT` set; else nothing.
    pub(crate) fn record(&self, name: &str, text: &str) {
        if std::env::var_os("UPDATE_EXPECT").is_none() {
            return;
        }
        let home = self.place.folder.path().canonicalize().unwrap().display().to_string();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../watch/recordings");
        fs::create_dir_all(&folder).unwrap();
        let text = text.trim_end().replace(&home, "/home/user");
        fs::write(folder.join(name), format!("{text}\n")).unwrap();
    }

    /// The compactions that were seen on the screen, by the patterns that showed them.
    #[track_caller]
    pub(crate) fn seen(&self) -> Vec<String> {
        let events = run(&mut self.throughline(&["watch", "--events"])).done();
        let rows = events.lines().filter_map(|row| row.split_once(" compaction "));
        rows.map(|(_, pattern)| pattern.trim().to_owned()).collect()
    }

    /// What `watch --status` says, when every context has arrived.
    #[track_caller]
    pub(crate) fn status(&self) -> String {
        run(&mut self.throughline(&["watch", "--status"])).done()
    }
}

/// The variable that names a folder in which a failed test leaves its home folder, and the requests that its agent has sent.
const KEPT: &str = "THROUGHLINE_AGENTS_KEPT";

impl Drop for Stage {
    fn drop(&mut self) {
        let Some(kept) = std::env::var_os(KEPT).filter(|_| std::thread::panicking()) else { return };
        let name = std::thread::current().name().unwrap_or_default().replace("::", "-");
        let folder = Path::new(&kept).join(format!("{name}-{}", std::process::id()));
        let all: Vec<Value> = self.server.received().into_iter().map(|one| one.body).collect();
        let copied = Command::new("cp").arg("-r").arg(self.place.folder.path()).arg(&folder).status();
        let requests = fs::write(folder.join("requests.json"), Value::from(all).to_string());
        println!("kept in {}: {copied:?}, {requests:?}", folder.display());
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
