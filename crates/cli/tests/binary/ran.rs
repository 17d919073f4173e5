//! A command that has ended, and what a test expects of it.

use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

/// How long a command may take. Long, because the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(180);

/// Exit code and output.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs a command to its end, without input.
#[track_caller]
pub(crate) fn run(command: &mut Command) -> Ran {
    run_with(command, Stdio::null())
}

/// Runs a command to its end, with this input.
#[track_caller]
pub(crate) fn run_with(command: &mut Command, input: Stdio) -> Ran {
    let output = ended(command.stdin(input));
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// What it printed and how it ended. One that never ends fails the test that waits for it.
#[track_caller]
fn ended(command: &mut Command) -> Output {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = child.id().to_string();
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    receiver.recv_timeout(PATIENCE).map_or_else(
        |_| {
            let _ = Command::new("kill").args(["-KILL", &pid]).status();
            panic!("never ended: {command:?}");
        },
        Result::unwrap,
    )
}

impl Ran {
    /// It did what was asked and had nothing to complain about. Gives what it printed.
    #[track_caller]
    pub(crate) fn done(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "it printed: {}", self.out);
        self.out
    }

    /// The same; what it printed is one JSON value.
    #[track_caller]
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.done()).unwrap()
    }

    /// It failed with one line. Returns that line without its prefix.
    #[track_caller]
    pub(crate) fn failed(self) -> String {
        assert_eq!(self.code, Some(1), "{self:?}");
        let line = self.err.strip_suffix('\n').unwrap_or_else(|| panic!("no whole line: {self:?}"));
        assert!(!line.contains('\n'), "more than one line: {line}");
        assert!(!line.contains("panicked"), "{line}");
        let text = line.strip_prefix("error: ").unwrap_or_else(|| panic!("no error: {line}"));
        text.to_owned()
    }

    /// It was called in a wrong way. Gives what it said about that.
    #[track_caller]
    pub(crate) fn misused(self) -> String {
        assert_eq!((self.code, self.out.as_str()), (Some(2), ""), "{self:?}");
        assert!(!self.err.contains("panicked"), "{self:?}");
        self.err
    }
}

/// The last line that it printed, which is an object.
#[track_caller]
pub(crate) fn last_object(ran: &Ran) -> Value {
    serde_json::from_str(ran.out.lines().last().unwrap_or_default()).unwrap_or_else(|_| panic!("{ran:?}"))
}

/// The text contains all of these.
#[track_caller]
pub(crate) fn assert_says(text: &str, expected: &[&str]) {
    for part in expected {
        assert!(text.contains(part), "{part:?} is missing in: {text}");
    }
}
