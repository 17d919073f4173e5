//! The newest messages of a resumed session.

use throughline_continuity::stop_note;
use throughline_conversation::{
    Message, MessageRecord, Millis, Record, RecordBody, ResultRef, Source, ToolResult,
};
use throughline_resultstore::{InMemoryResultRepository, StoredResult};
use throughline_testkit::{WordCounter, view};

use super::*;

#[test]
fn a_stopped_turn_shows_its_text_and_where_it_stopped() {
    let mut view = view("user: Go.\nassistant: First I wri");
    for message in [stop_note(), Message::user("[continue]")] {
        let record = MessageRecord { message, source: Source::Engine, usage: None };
        let (seq, exchange) = (view.last().next(), view.entries()[0].exchange);
        let record = Record { seq, at: Millis(0), exchange, body: RecordBody::Message(record) };
        view.apply(&record, &WordCounter).unwrap();
    }
    expect_test::expect![[r#"
        [User("Go."), Assistant("First I wri"), Notice("the turn was stopped here")]"#]]
    .assert_eq(&format!("{:?}", restored(&view, &StoredResults::new(), &PromptCommands::default())));
}

#[test]
fn a_call_that_a_crash_cut_off_is_interrupted_and_the_turn_can_be_continued() {
    let cut_off = view("user: Count.\nassistant: Counting.\n  -> c1 shell {\"command\":\"sleep 40\"}");
    assert!(is_interrupted(&cut_off));
    expect_test::expect![[r#"
        [User("Count."), Assistant("Counting."), Tool { name: "shell", input: Object {"command": String("sleep 40")}, is_error: true, result: ResultExcerpt { head: "interrupted: it has no result", left_out: 0, tail: "" }, stored: None }]"#]]
    .assert_eq(&format!("{:?}", restored(&cut_off, &StoredResults::new(), &PromptCommands::default())));
}

#[test]
fn a_finished_turn_is_not_interrupted() {
    assert!(!is_interrupted(&view("user: Go.\nassistant: Done.")));
    assert!(is_interrupted(&view("user: Go.\nassistant: Done.\nuser: And again.")));
}

#[test]
fn a_long_input_counts_all_of_its_lines() {
    let text = (1..=3_000).map(|line| format!("pasted line {line}\n")).collect::<String>();
    let mut view = view("user: Go.\nassistant: Done.");
    let record = MessageRecord { message: Message::user(&text), source: Source::User, usage: None };
    let (seq, exchange) = (view.last().next(), view.entries()[0].exchange);
    view.apply(&Record { seq, at: Millis(0), exchange, body: RecordBody::Message(record) }, &WordCounter)
        .unwrap();
    let shown = restored(&view, &StoredResults::new(), &PromptCommands::default());
    let Some(Earlier::User(shown)) = shown.last() else { panic!("{shown:?}") };
    assert_eq!(shown.lines().count(), 3_000);
}

#[test]
fn a_long_answer_shows_its_end_and_how_much_is_before_it() {
    let text = (1..=5_000).map(|line| format!("line {line}\n")).collect::<String>();
    let (left_out, end) = end_of(&text, TEXT);
    assert_eq!(left_out + end.lines().count(), 5_000);
    assert!(end.starts_with("line ") && end.ends_with("line 5000\n") && end.len() <= TEXT, "{left_out}");
    assert_eq!(end_of("All.", TEXT), (0, "All.".to_owned()));
    let words = "calculator ".repeat(1_000);
    assert!(end_of(&words, 100).1.starts_with("calculator"));
}

#[test]
fn the_end_of_an_answer_that_is_code_is_code() {
    let code = "fn main() {}\n".repeat(100);
    let (_, end) = end_of(&format!("Here:\n```rust\n{code}```\nDone.\n"), 200);
    assert!(end.starts_with("```rust\nfn main() {}\n") && end.ends_with("```\nDone.\n"), "{end}");
}

#[test]
fn a_long_session_shows_its_newest_messages_within_a_bound() {
    let turns = |count: usize, words: usize| {
        let turn = format!("user: Go.\nassistant: {}\n", "word ".repeat(words));
        view(turn.repeat(count).trim_end())
    };
    assert_eq!(restored(&turns(40, 3), &StoredResults::new(), &PromptCommands::default()).len(), MESSAGES);
    let many = restored(&turns(50, 3), &StoredResults::new(), &PromptCommands::default());
    assert_eq!(many.len(), MESSAGES + 1);
    assert!(format!("{:?}", many[0]).contains("20 earlier messages: Ctrl+O shows all"), "{:?}", many[0]);
    let large = restored(&turns(40, 3_000), &StoredResults::new(), &PromptCommands::default());
    assert!((4..=20).contains(&large.len()), "{}", large.len());
    let huge = restored(
        &view(&format!("user: Go.\nassistant: {}", "word ".repeat(40_000))),
        &StoredResults::new(),
        &PromptCommands::default(),
    );
    assert!(huge.len() >= 2, "{huge:?}");
}

#[tokio::test]
async fn a_stored_result_is_shown_as_before() {
    let id = ResultRef::from_text("r-0123456789abcdef");
    let full = (1..=5_000).map(|line| format!("line {line}\n")).collect::<String>();
    let results = InMemoryResultRepository::default();
    let session = SessionId::new("s").unwrap();
    let stored = StoredResult {
        session: session.clone(),
        id: id.clone(),
        tool: "shell".to_owned(),
        content: full.clone().into_bytes(),
        at: Millis(0),
    };
    results.put(&stored).await.unwrap();
    let preview = format!(
        "[Tool result stored — 9 bytes from \"shell\".\nline 1]\nUse it with ref_id=\"{id}\" to read."
    );
    let mut view = view("user: Go.\nassistant: Counting.\n  -> c1 shell {}");
    let result =
        ToolResult { call_id: "c1".to_owned(), content: preview, images: Vec::new(), is_error: false };
    let record =
        MessageRecord { message: Message::results(vec![result]), source: Source::Tools, usage: None };
    let (seq, exchange) = (view.last().next(), view.entries()[0].exchange);
    view.apply(&Record { seq, at: Millis(0), exchange, body: RecordBody::Message(record) }, &WordCounter)
        .unwrap();

    let found = stored_results(&view, &results, &session).await;
    let shown = restored(&view, &found, &PromptCommands::default());
    let Earlier::Tool { result, stored, .. } = &shown[2] else { panic!("{shown:?}") };
    assert_eq!((result, *stored), (&ResultExcerpt::of(&full), Some(full.len() as u64)));
}
