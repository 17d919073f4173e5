//! A session that is played, to look at the screen without a model: `cargo run -p throughline-tui --example scripted_session`.
//!
//! What is typed chooses what happens: `text`, `tools`, `ask`, `edit`, `evil`, `long`, `flood`, `/pick`, `/page`, `/shell`, `/quit`.

use std::sync::Arc;

use std::time::Duration;

use serde_json::{Value, json};
use throughline_agent::Event;
use throughline_conversation::{AnswerIdentity, Degradation, ToolCall, Usage};
use throughline_permission::{Approval, ApprovalRequest};
use throughline_tools::{Access, Effect};
use throughline_tui::{
    Act, CommandInfo, Options, Picker, PickerRow, ScreenError, Show, StatusLine, TurnState, run,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

const TEXT: &str = "# A heading\n\nSome *prose* with **weight**, `code` and a [link](https://example.org/a).\n\n\
    - one\n- two, which is longer than the others are and must be wrapped somewhere at the edge\n  \
    - nested\n- three\n\n```rust\nfn main() {\n    println!(\"hello\");\n}\n```\n\n> a quote\n\n\
    | name | size |\n|---|---:|\n| a.rs | 12 |\n| 日本語.rs | 3,400 |\n\n1. first\n2. second\n\nThe end.\n";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), ScreenError> {
    let (show, shows) = unbounded_channel();
    let (act, acts) = unbounded_channel();
    let mut options = Options::of_environment();
    options.first = std::env::args().nth(1);
    let session = tokio::spawn(Played { show, acts }.play());
    let result = run(shows, act, options).await;
    session.abort();
    result.map(drop)
}

struct Played {
    show: UnboundedSender<Show>,
    acts: UnboundedReceiver<Act>,
}

impl Played {
    fn tell(&self, show: Show) {
        // If the screen has ended, the channel is closed.
        let _ = self.show.send(show);
    }

    fn event(&self, event: Event) {
        self.tell(Show::Event(event));
    }

    async fn play(mut self) {
        self.tell(Show::Commands(
            [("/pick", "", "choose a session"), ("/page", "[N]", "a long text"), ("/quit", "", "leave")]
                .map(|(name, arguments, about)| CommandInfo {
                    name: name.to_owned(),
                    arguments: arguments.to_owned(),
                    about: about.to_owned(),
                    group: String::new(),
                    anytime: name == "/page",
                })
                .into(),
        ));
        self.tell(Show::Status(StatusLine {
            model: "anthropic/claude-sonnet-4-5".to_owned(),
            branch: Some("main".to_owned()),
            mode: "default".to_owned(),
            unguarded: false,
            context_percent: Some(43),
            context_tokens: Some(79_000),
            window_tokens: Some(184_000),
            compacts_at: Some(172_224),
            cached_percent: Some(96),
            dollars: Some(0.84),
            dollars_at_least: false,
            title: "look at the screen".to_owned(),
            ..StatusLine::default()
        }));
        self.tell(Show::Turn(TurnState::Idle));
        let mut mode = 0;
        while let Some(act) = self.acts.recv().await {
            match act {
                Act::Submit(text) => {
                    if self.submitted(text.trim()).await {
                        return;
                    }
                    self.tell(Show::Turn(TurnState::Idle));
                }
                Act::Quit => return self.tell(Show::End),
                Act::NextMode => {
                    mode = (mode + 1) % 2;
                    let mode = if mode == 0 { "default" } else { "plan" }.to_owned();
                    self.tell(Show::Status(StatusLine { mode, ..StatusLine::default() }));
                }
                Act::NeedFiles(query) => {
                    let paths = ["src/main.rs", "src/lib.rs", "a b.txt"].map(str::to_owned).into();
                    self.tell(Show::Files { query, paths });
                }
                Act::Preview { picker, row } => {
                    let text = format!("the preview of {row}\nwith two lines");
                    self.tell(Show::Preview { picker, row, text });
                }
                other => self.tell(Show::Notice(format!("{other:?}"))),
            }
        }
    }

    async fn submitted(&mut self, text: &str) -> bool {
        match text {
            "/quit" => {
                self.tell(Show::End);
                return true;
            }
            "/pick" => self.pick(),
            "/shell" => {
                let ((ready, free), (done, back)) = (oneshot::channel(), oneshot::channel());
                self.tell(Show::Lend { ready, back });
                if free.await.is_ok() {
                    let ended = std::process::Command::new("sh")
                        .arg("-c")
                        .arg("stty -a | grep -c ' icanon'; read line; echo \"$line\"")
                        .status();
                    self.tell(Show::Notice(format!("the shell ended: {ended:?}")));
                }
                drop(done);
            }
            "/page" => {
                let text = (1..=30).map(|line| format!("line {line}\n")).collect();
                self.tell(Show::Page { title: "A page".to_owned(), text });
            }
            _ => {
                self.tell(Show::Turn(TurnState::Working));
                self.turn(text).await;
            }
        }
        false
    }

    async fn turn(&mut self, text: &str) {
        match text {
            "tools" => self.tools().await,
            "ask" => self.ask("shell", json!({ "command": "cargo test --workspace && rm -rf target" })).await,
            "edit" => {
                let old = "fn main() {\n    old();\n    same();\n}\n";
                let new = "fn main() {\n    new();\n    newer();\n    same();\n}\n";
                self.ask("edit_file", json!({ "path": "src/main.rs", "old_string": old, "new_string": new }))
                    .await;
            }
            "evil" => {
                let evil = "a\u{1b}]0;title\u{7}b\u{1b}[2Jc\u{9b}31md\u{1b}]52;c;aGk=\u{1b}\\e\u{202e}f\u{1b}Pq\u{1b}\\g\n";
                self.event(Event::Text(evil.to_owned()));
                self.tell(Show::Notice(evil.to_owned()));
                self.call("1", "shell", json!({ "command": evil }), evil, false).await;
            }
            "flood" => {
                for line in 0..20_000 {
                    self.event(Event::Text(format!("line {line} of a text with *words* and `code` in it\n")));
                    if line % 40 == 39 {
                        self.event(Event::Text("\n".to_owned()));
                    }
                }
            }
            "long" => {
                for line in 0..200 {
                    self.event(Event::Text(format!("line {line} of a text that is long.  \n")));
                    if self.pause(20).await {
                        return;
                    }
                }
            }
            _ => {
                for piece in TEXT.split_inclusive(' ') {
                    self.event(Event::Text(piece.to_owned()));
                    if self.pause(15).await {
                        return;
                    }
                }
                self.event(Event::Degraded(Degradation {
                    subsystem: "result store".to_owned(),
                    fallback: "bounded inline result".to_owned(),
                    cause: "disk full".to_owned(),
                }));
            }
        }
        let usage = Some(Usage { input: 10, cache_read: 90, cache_write: 0, output: 1_234, searches: 0 });
        self.event(Event::Answered {
            usage,
            stop: "end_turn".to_owned(),
            identity: AnswerIdentity::default(),
        });
    }

    /// Waits; `true`: the user stops the turn.
    async fn pause(&mut self, milliseconds: u64) -> bool {
        tokio::select! {
            act = self.acts.recv() => match act {
                Some(Act::Interrupt) => {
                    self.tell(Show::Notice("interrupted".to_owned()));
                    true
                }
                Some(Act::Quit) | None => {
                    self.tell(Show::End);
                    true
                }
                _ => false,
            },
            () = tokio::time::sleep(Duration::from_millis(milliseconds)) => false,
        }
    }

    async fn tools(&mut self) {
        self.event(Event::Thinking("**Looking** at the files first.\n".to_owned()));
        if self.pause(800).await {
            return;
        }
        self.call("1", "read_file", json!({ "path": "src/main.rs" }), "fn main() {}\n", false).await;
        let shell = json!({ "command": "cargo test" });
        let started =
            Event::ToolStarted { call_id: "2".to_owned(), name: "shell".to_owned(), input: shell.clone() };
        self.event(started);
        let mut output = String::new();
        for line in 1..=20 {
            let text = format!("\u{1b}[32mtest case_{line} ... ok\u{1b}[0m\n");
            output.push_str(&text);
            self.tell(Show::ToolOutput { call_id: "2".to_owned(), text, waits: Arc::default() });
            if self.pause(100).await {
                return;
            }
        }
        self.end_call("2", "shell", &output, false);
        self.call("3", "shell", json!({ "command": "false" }), "exit status 1", true).await;
    }

    async fn call(&mut self, id: &str, name: &str, input: Value, result: &str, is_error: bool) {
        self.event(Event::ToolStarted { call_id: id.to_owned(), name: name.to_owned(), input });
        self.pause(300).await;
        self.end_call(id, name, result, is_error);
    }

    fn end_call(&self, id: &str, name: &str, result: &str, is_error: bool) {
        self.tell(Show::ToolResult { call_id: id.to_owned(), result: result.into() });
        self.event(Event::ToolFinished {
            call_id: id.to_owned(),
            name: name.to_owned(),
            bytes: result.len() as u64,
            is_error,
            output: String::new(),
            offloaded: None,
        });
    }

    async fn ask(&mut self, name: &str, input: Value) {
        let (reply, answer) = oneshot::channel();
        let call = ToolCall { id: "9".to_owned(), name: name.to_owned(), input: input.clone() };
        let request = ApprovalRequest {
            call,
            access: Access::unnamed(Effect::Other),
            why: "no rule allows it".to_owned(),
            rule: Some("shell(cargo test *)".to_owned()),
        };
        self.tell(Show::Approval { request, excerpt: None, reply });
        match answer.await {
            Ok(Approval::Deny { feedback }) => self.tell(Show::Problem(format!("denied: {feedback:?}"))),
            Ok(_) => self.call("9", name, input, "done", false).await,
            Err(_) => self.tell(Show::Problem("no answer".to_owned())),
        }
    }

    fn pick(&self) {
        let row = |number: usize| PickerRow {
            id: format!("id{number}"),
            cells: vec![
                format!("session number {number}"),
                format!("{number}h ago"),
                "main".to_owned(),
                format!("{number}k"),
            ],
            notes: Vec::new(),
            preview: (number == 1).then(|| "the first message".to_owned()),
        };
        self.tell(Show::Picker(Picker {
            id: "resume".to_owned(),
            title: "Sessions".to_owned(),
            columns: ["TITLE", "AGE", "BRANCH", "SIZE"].map(str::to_owned).into(),
            rows: (1..=40).map(row).collect(),
            more: Vec::new(),
            letters: Vec::new(),
            figures: vec![1, 3],
            renames: true,
            previews: true,
            search: String::new(),
            unasked: false,
        }));
    }
}
