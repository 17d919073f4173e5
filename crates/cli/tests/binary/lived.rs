//! A session that `run` has made: three groups, one of them with a result that is stored.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use throughline_continuity::MessageLog;
use throughline_conversation::{Record, RecordBody, Usage};
use throughline_store::Store;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::{Ran, run};

/// The model that answers.
pub(crate) const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");

/// A place with a session in it.
pub(crate) struct Lived {
    pub(crate) place: Place,
    pub(crate) id: String,
}

impl Lived {
    /// Three groups: a question whose answer takes a tool with a long result, and two short ones.
    pub(crate) fn new() -> Self {
        Self::with("MARK")
    }

    /// The same, with a word in the first message, in the long result, in the call that gave it, and in the answer.
    pub(crate) fn with(mark: &str) -> Self {
        let print = format!("seq 1 2000; echo {mark}");
        let usage = |input| Usage { input, cache_read: 200, cache_write: 30, output: 4, searches: 0 };
        let script = Script::new()
            .then(Answer::call("call_1", "shell", json!({"command": print})).usage(usage(1_000)))
            .then(Answer::text(&format!("It ends with {mark}.")).usage(usage(2_000)))
            .then(Answer::text("Two it is.").usage(usage(3_000)))
            .then(Answer::text("Three it is.").usage(usage(12_111)));
        let (place, server) = (Place::new(), serve(script));
        let ask = |args: &[&str]| {
            let mut all = vec!["--policy", "rubichan", "-o", "json"];
            all.extend(args);
            let ran = run(&mut place.asks(&server, MODEL, &all));
            assert_eq!(ran.code, Some(0), "{ran:?}");
            serde_json::from_str::<Value>(&ran.out).unwrap()
        };
        let first = ask(&[&format!("What does {mark} end with?")]);
        ask(&["-c", "Say two."]);
        ask(&["-c", "Say three."]);
        let id = first.get("session").and_then(Value::as_str).unwrap().to_owned();
        Self { place, id }
    }

    /// The data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.place.folder.path().join(".local/share/throughline")
    }

    /// A copy of the data folder, by another name.
    pub(crate) fn copied(&self, name: &str) -> PathBuf {
        let to = self.place.folder.path().join(name);
        fs::create_dir(&to).unwrap();
        for entry in fs::read_dir(self.data()).unwrap().flatten() {
            if entry.file_type().unwrap().is_file() {
                fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
            }
        }
        to
    }

    /// A command line of the binary, in the place's own environment.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        self.place.bare(args)
    }

    /// Runs a command on the session's own data folder.
    #[track_caller]
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        run(&mut self.command(args))
    }

    /// Runs a command on another data folder.
    #[track_caller]
    pub(crate) fn run_in(&self, data: &Path, args: &[&str]) -> Ran {
        run(self.command(args).arg("--data-dir").arg(data))
    }

    /// The body of the next request, when the user continues in this data folder.
    #[track_caller]
    pub(crate) fn next_body(&self, data: &Path) -> String {
        next_body(&self.place, data, &self.id)
    }

    /// Appends a record to the log.
    pub(crate) fn append(&self, exchange: u64, body: RecordBody) {
        append_to(&self.place, &self.id, exchange, body);
    }

    /// The log.
    pub(crate) fn records(&self) -> Vec<Record> {
        let log = self.run(&["export", &self.id]).done();
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// Appends a record to the log of a session.
pub(crate) fn append_to(place: &Place, session: &str, exchange: u64, body: RecordBody) {
    wait(async {
        let file = place.folder.path().join(".local/share/throughline/throughline.db");
        let store = Store::open(&file).await.unwrap();
        let session = throughline_conversation::SessionId::new(session).unwrap();
        let seq = store.message_log().last(&session).await.unwrap().next();
        let at = throughline_conversation::Millis(1);
        let exchange = throughline_conversation::ExchangeId(exchange);
        store.message_log().append(&session, &[Record { seq, at, exchange, body }]).await.unwrap();
        store.close().await.unwrap();
    });
}

/// The body of the next request of a session, when the user continues in this data folder.
#[track_caller]
pub(crate) fn next_body(place: &Place, data: &Path, session: &str) -> String {
    let server = serve(Script::new().then(Answer::text("Fine.")));
    let mut command = place.asks(&server, MODEL, &["--resume", session, "And what now?"]);
    let ran = run(command.arg("--data-dir").arg(data));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Fine.\n"), "{ran:?}");
    let received = server.received();
    let last = received.last().unwrap();
    assert!(last.faults.is_empty(), "{:?}", last.faults);
    last.body.to_string()
}

/// Waits for what is done in a runtime of its own.
pub(crate) fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(work)
}
