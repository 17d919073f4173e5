//! A server with the demo's session and a replayed recording, and a browser on it.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use crate::driven::DrivenPage;
use crate::recording::write_recording;
use crate::served::Served;
use crate::transcript::{FIRST, ID, write_transcript};

/// The two sizes in which pages are looked at: of a desktop and of a phone.
pub(crate) const SIZES: [(u32, u32); 2] = [(1280, 900), (390, 844)];

/// The two themes.
pub(crate) const THEMES: [&str; 2] = ["light", "dark"];

/// The server, and the session of the recording.
pub(crate) struct Stage {
    pub(crate) served: Served,
    pub(crate) replayed: String,
}

impl Stage {
    /// The demo's session, a generated recording of 250 requests with two revisions of its scratchpad and a stored context, and
    /// two memos.
    pub(crate) fn new() -> Self {
        let demo = Served::demo();
        let transcripts = demo.home().join("transcripts");
        write_transcript(&transcripts, demo.home(), FIRST);
        write_recording(&transcripts.join("ledger.jsonl"));
        let mut served = Served::begin(demo.shared_home(), &["--claude", transcripts.to_str().unwrap()]);
        served.id.clone_from(&demo.id);
        let file = served.home().join("recording.jsonl");
        write_recording(&file);
        let replayed = replay(&served, &file, "64k");
        for text in
            ["1. Read the parts.\n2. Sum the ledger.\n", "1. Read the parts.\n2. Compare the ledgers.\n"]
        {
            set_scratchpad(&served, &replayed, text);
        }
        served.run(&["memos", "add", "The ledger is summed in cents.", "--tag", "gotcha", "--all"]);
        served.run(&["memos", "add", "Totals are checked by part.", "--tag", "api-design", "--all"]);
        assert_eq!(served.send("POST", &format!("/api/sessions/{replayed}/contexts"), "{}").status, 200);
        Self { served, replayed }
    }

    /// A browser on a path.
    pub(crate) fn browse(&self, path: &str) -> DrivenPage {
        DrivenPage::open(self.served.home(), &address(&self.served, path))
    }

    /// The path of a page of the session of Claude Code.
    pub(crate) fn transcript(&self, rest: &str) -> String {
        format!("/transcripts/{}{rest}", transcript_key(&self.served, ID))
    }

    /// Every page, with a name for its pictures.
    pub(crate) fn pages(&self) -> Vec<(&'static str, String)> {
        let (demo, replayed) =
            (format!("/sessions/{}", self.served.id), format!("/sessions/{}", self.replayed));
        let of = |own: &str, rest: &str| format!("{own}{rest}");
        vec![
            ("sessions", "/".to_owned()),
            ("session", of(&replayed, "")),
            ("session-demo", of(&demo, "")),
            ("conversation", of(&replayed, "/conversation")),
            ("conversation-demo", of(&demo, "/conversation")),
            ("requests", of(&replayed, "/requests")),
            ("cost", of(&replayed, "/cost")),
            ("transcript", self.transcript("")),
            ("transcript-conversation", self.transcript("/conversation")),
            ("transcript-requests", self.transcript("/requests")),
            ("transcript-cost", self.transcript("/cost")),
            ("transcript-compaction", self.transcript("/compactions/2")),
            ("transcript-record", self.transcript("/records/3")),
            ("search-whole", "/search?q=ledger&whole=true&kind=result".to_owned()),
            ("request", of(&replayed, "/requests/200")),
            ("request-demo", of(&demo, "/requests/9")),
            ("diff", of(&replayed, "/requests/200/diff")),
            ("compaction", of(&replayed, "/compactions/2")),
            ("record", of(&replayed, "/records/40")),
            ("turns", of(&replayed, "/turns")),
            ("results", of(&demo, "/results")),
            ("result", of(&demo, &format!("/results/{}", self.served.result()))),
            ("documents", of(&replayed, "/documents")),
            ("documents-none", of(&demo, "/documents")),
            ("summaries", of(&replayed, "/summaries")),
            ("contexts", of(&replayed, "/contexts")),
            ("checkpoints", of(&demo, "/checkpoints")),
            ("search", "/search?q=ledger".to_owned()),
            ("search-none", "/search?q=aardvark".to_owned()),
            ("memos", "/memos".to_owned()),
            ("preferences", "/preferences".to_owned()),
        ]
    }
}

/// Replays a recording into the storage of a server, as users do, and gives the id of its session.
pub(crate) fn replay(served: &Served, file: &Path, window: &str) -> String {
    let data = served.data();
    served.run(&["replay", "--data-dir", data.to_str().unwrap(), "--window", window, file.to_str().unwrap()]);
    let sessions = served.get("/api/sessions").json();
    let mut ids = sessions["sessions"].as_array().unwrap().iter().map(|one| one["session"].as_str().unwrap());
    ids.find(|id| id.starts_with("replay-")).unwrap().to_owned()
}

fn set_scratchpad(served: &Served, id: &str, text: &str) {
    let mut setting = served.command(&["scratchpad", id, "set", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    setting.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(setting.wait().unwrap().success());
}

/// The name of a transcript in paths, by the id of its session.
pub(crate) fn transcript_key(served: &Served, id: &str) -> String {
    let listed = served.get("/api/transcripts").json();
    let listed = listed["transcripts"].as_array().unwrap();
    let one = listed.iter().find(|one| one["session"] == id).unwrap_or_else(|| panic!("{listed:?}"));
    one["transcript"].as_str().unwrap().to_owned()
}

/// The address of a path with the token.
pub(crate) fn address(served: &Served, path: &str) -> String {
    let (origin, token) = served.url.split_once("/?").unwrap();
    let join = if path.contains('?') { '&' } else { '?' };
    format!("{origin}{path}{join}{token}")
}

/// The origin of a server.
pub(crate) fn origin(served: &Served) -> &str {
    served.url.split_once("/?").unwrap().0
}
