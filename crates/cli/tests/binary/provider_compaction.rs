//! Summaries by a provider's own compaction, through the binary.

use serde_json::{Value, json};
use throughline_conversation::{Action, RecordBody, Usage};
use throughline_testserver::{Answer, Received, Script, Server};

use crate::lived::Lived;
use crate::place::{Place, serve};
use crate::ran::{Ran, assert_says, last_object, run};

const ANTHROPIC: (&str, &str) = ("anthropic", "claude-sonnet-4-5");
const OPENAI: (&str, &str) = ("openai", "gpt-5");
const OTHER: (&str, &str) = ("openai", "gpt-5-mini");
/// What a summary must have.
const NOTES: &str = "### Now\nThe parser of the house is next.\n### Done\nFive stories were written.";
const SEALED: &str = "c2VhbGVkLWl0ZW0tb2YtdGhlLXByb3ZpZGVy";
const USED: Usage = Usage { input: 11, cache_read: 500, cache_write: 20, output: 70, searches: 0 };

/// A session of long answers at a server that says more in a moment.
pub(crate) struct Long {
    pub(crate) lived: Lived,
    pub(crate) server: Server,
    provider: (&'static str, &'static str),
}

impl Long {
    pub(crate) fn new(provider: (&'static str, &'static str)) -> Self {
        let story = "A long story of words that say very little. ".repeat(1_000);
        let script = (0..5).fold(Script::new(), |script, _| script.then(Answer::text(&story)));
        let (place, server) = (Place::new(), serve(script.then(Answer::text("Short."))));
        let first = run(&mut place.asks(&server, provider, &["-o", "json", "A story."]));
        let id = last_object(&first)["session"].as_str().unwrap().to_owned();
        let long = Self { lived: Lived { place, id }, server, provider };
        for prompt in ["Another.", "Another.", "Another.", "Another.", "A short one."] {
            assert_eq!(long.ask(prompt).code, Some(0));
        }
        long
    }

    /// Continues the session.
    fn ask(&self, prompt: &str) -> Ran {
        self.ask_of(self.provider, prompt)
    }

    fn ask_of(&self, provider: (&str, &str), prompt: &str) -> Ran {
        // A model writes every summary, so that none is made early because it costs nothing.
        let mut command = self.lived.place.asks(&self.server, provider, &["-c", prompt]);
        run(command.env("THROUGHLINE_COMPACTION_SUMMARY", "thorough"))
    }

    /// Compacts by the provider, which answers so; the requests of it.
    fn compact(&self, answers: impl IntoIterator<Item = Answer>) -> (Ran, Vec<Received>) {
        answers.into_iter().for_each(|answer| self.server.push(answer));
        let before = self.server.received().len();
        let mut command = self.lived.place.asks(&self.server, self.provider, &["-c", "/compact"]);
        let ran = run(command.env("THROUGHLINE_COMPACTION_SUMMARIZER", "provider"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        (ran, self.server.received().split_off(before))
    }

    /// The body of the next request.
    fn next(&self, provider: (&str, &str)) -> Value {
        self.server.push(Answer::text("Fine."));
        let ran = self.ask_of(provider, "And what now?");
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let received = self.server.received().pop().unwrap();
        assert!(received.faults.is_empty(), "{:?}", received.faults);
        received.body
    }

    fn command(&self, args: &[&str]) -> String {
        let mut all = vec![args[0], self.lived.id.as_str()];
        all.extend(&args[1..]);
        self.lived.run(&all).done()
    }

    /// The note of the newest summary in the log.
    fn recorded(&self) -> Value {
        let notes = self.lived.records().into_iter().rev().filter_map(|record| match record.body {
            RecordBody::Edit(edit) => edit.actions.into_iter().find_map(|action| match action {
                Action::Cover { note, .. } => note,
                _ => None,
            }),
            _ => None,
        });
        serde_json::to_value(notes.into_iter().next().unwrap()).unwrap()
    }
}

fn is_compaction(received: &Received) -> bool {
    received.body.get("compaction").is_some() || received.path.ends_with("/compact")
}

#[test]
fn anthropics_summary_is_checked_stored_shown_and_undone() {
    let long = Long::new(ANTHROPIC);
    let (ran, asked) = long.compact([Answer::text(NOTES).usage(USED)]);
    let [asked] = asked.try_into().unwrap_or_else(|asked| panic!("one request: {asked:?}"));
    assert!(is_compaction(&asked) && asked.faults.is_empty(), "{asked:?}");
    assert_eq!(asked.header("anthropic-beta"), Some("compact-2026-09-04"));
    assert!(asked.body["compaction"]["instructions"].as_str().unwrap().contains("Now"));
    assert_says(&ran.out, &["Compacted ", "compaction of anthropic", "531 tokens of input and 70 of output"]);
    assert!(!ran.err.contains("by the provider"), "{ran:?}");

    let body = long.next(ANTHROPIC).to_string();
    assert_says(&body, &["The parser of the house is next.", "read_result"]);
    assert!(!body.contains("\"compaction\""), "the summary is text: {body}");
    let note = long.recorded();
    assert_eq!(note["provider"], json!({"origin": {"provider": "anthropic", "model": ANTHROPIC.1}}));
    for command in [&["context"][..], &["diff"], &["summaries"]] {
        assert_says(&long.command(command), &["compaction of anthropic"]);
    }

    long.command(&["undo", "--compaction"]);
    let rows: Value = serde_json::from_str(&long.command(&["summaries", "--json"])).unwrap();
    assert_eq!(rows[0]["status"], "undone", "{rows}");
    assert!(!long.command(&["context"]).contains("compaction of anthropic"));
}

#[test]
fn openais_item_goes_to_its_own_model_and_the_summary_to_every_other() {
    let long = Long::new(OPENAI);
    let (ran, asked) = long.compact([Answer::text(SEALED).usage(USED), Answer::text(NOTES).usage(USED)]);
    assert_eq!(asked.len(), 2, "{asked:?}");
    assert_eq!(asked[0].path, "/v1/responses/compact");
    assert!(asked.iter().all(|received| received.faults.is_empty()), "{asked:?}");
    assert_says(&ran.out, &["an opaque item of openai", "1,062 tokens of input and 140 of output"]);

    let body = long.next(OPENAI);
    let items = body["input"].as_array().unwrap();
    let sealed: Vec<&Value> = items.iter().filter(|item| item["type"] == "compaction").collect();
    assert_eq!(sealed.len(), 1, "{body}");
    assert_eq!(sealed[0]["encrypted_content"], SEALED);
    assert_says(&body.to_string(), &["The parser of the house is next.", "read_result"]);
    let note = long.recorded();
    assert_eq!(note["provider"]["item"]["encrypted_content"], SEALED);
    assert_says(&long.command(&["context"]), &["with an opaque item of openai"]);

    // Another model of the provider, and another provider, get what can be read; the way back loses nothing.
    for other in [OTHER, ANTHROPIC] {
        let body = long.next(other).to_string();
        assert!(!body.contains(SEALED), "{body}");
        assert_says(&body, &["The parser of the house is next."]);
    }
    assert!(long.next(OPENAI).to_string().contains(SEALED));

    // A compaction by the provider again: its own item is part of what it compacts.
    long.command(&["undo", "--compaction"]);
    assert!(!long.next(OPENAI).to_string().contains(SEALED));
    long.command(&["redo", "--compaction"]);
    assert!(long.next(OPENAI).to_string().contains(SEALED));
}

#[test]
fn a_server_without_it_is_named_and_the_model_writes_the_summary() {
    let unknown = "Unexpected value(s) `compact-2026-09-04` for the `anthropic-beta` header";
    let refused = json!({"type": "error", "error": {"type": "invalid_request_error", "message": unknown}});
    let missing = json!({"error": {"message": "Invalid URL (POST /v1/responses/compact)"}});
    for (provider, status, body, why) in
        [(ANTHROPIC, 400, refused, "anthropic-beta"), (OPENAI, 404, missing, "Invalid URL")]
    {
        let long = Long::new(provider);
        let (ran, asked) = long.compact([Answer::status(status, body), Answer::text(NOTES)]);
        assert_eq!(asked.iter().filter(|received| is_compaction(received)).count(), 1);
        assert_eq!(asked.len(), 2, "{asked:?}");
        assert_eq!(ran.err.matches(why).count(), 1, "{ran:?}");
        assert_says(&ran.err, &["compaction by the provider", "a summary by the session's model"]);
        let note = long.recorded();
        assert_eq!((note.get("provider"), &note["model"]), (None, &json!(provider.1)));
        assert_says(&long.next(provider).to_string(), &["The parser of the house is next."]);
    }
}

#[test]
fn an_answer_of_no_use_is_replaced() {
    let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "stop_reason": "end_turn",
        "content": [{"type": "text", "text": "I ignore that."}], "usage": {"input_tokens": 1, "output_tokens": 1}});
    let ignored = Answer::raw("application/json", message.to_string().into_bytes());
    for answer in [Answer::text(""), Answer::text("I'm sorry, I cannot."), ignored] {
        let long = Long::new(ANTHROPIC);
        let (ran, asked) = long.compact([answer, Answer::text(NOTES)]);
        assert_eq!(asked.len(), 2, "{asked:?}");
        assert_says(&ran.err, &["compaction by the provider", "a summary by the session's model"]);
        assert_says(&long.next(ANTHROPIC).to_string(), &["The parser of the house is next."]);
        assert_eq!(long.recorded().get("provider"), None);
    }
}

#[test]
fn without_the_setting_no_provider_is_asked_for_a_compaction() {
    for provider in [ANTHROPIC, OPENAI] {
        let long = Long::new(provider);
        long.server.push(Answer::text(NOTES));
        let ran = run(&mut long.lived.place.asks(&long.server, provider, &["-c", "/compact"]));
        assert!(ran.code == Some(0) && !ran.err.contains("by the provider"), "{ran:?}");
        long.next(provider);
        for received in long.server.received() {
            assert!(!is_compaction(&received), "{received:?}");
            assert_eq!(received.header("anthropic-beta"), None);
            assert!(!received.body.to_string().contains("\"type\":\"compaction\""));
        }
        assert_says(&long.command(&["context"]), &[&format!("are a summary by {}.", provider.1)]);
    }
}
