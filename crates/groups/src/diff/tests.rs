//! What a compaction took away, over small logs.

use expect_test::expect;
use serde_json::json;
use throughline_conversation::{Action, ContentBlock, ExchangeId, Image, Mark, ResultRef, Span};
use throughline_testkit::{WordCounter, records};

use super::*;

const LOG: &str = "
user: read the file please
assistant: I will
  -> c1 read {\"path\":\"a.txt\"}
results:
  c1 = alpha beta gamma delta
assistant: done
user: and now
assistant: yes
";

fn add(log: &mut Vec<Record>, body: RecordBody) {
    let seq = log.last().map_or(Seq(1), |record| record.seq.next());
    log.push(Record { seq, at: Millis(7), exchange: ExchangeId(2), body });
}

fn edit(actions: Vec<Action>) -> RecordBody {
    RecordBody::Edit(Edit { reason: EditReason::Manual, actions, strategies: vec!["test".to_owned()] })
}

fn cover(first: u64, last: u64, summary: &str) -> Action {
    let span = Span { first: Seq(first), last: Seq(last) };
    Action::Cover { span, summary: Some(summary.to_owned()), note: None }
}

fn stub(text: &str) -> Action {
    let stored = ResultRef::from_text("r-0123456789abcdef");
    Action::ReplaceResult { call_id: "c1".to_owned(), text: text.to_owned(), stored }
}

/// A session with two compactions.
fn twice() -> Vec<Record> {
    let mut log = records(LOG);
    let stored = ResultRef::from_text("r-fedcba9876543210");
    let input = Action::ReplaceInput { call_id: "c1".to_owned(), input: json!({}), stored };
    add(&mut log, edit(vec![stub("[stub]"), input]));
    add(&mut log, edit(vec![cover(1, 4, "the file was read\nmore")]));
    log
}

// F-36
#[test]
fn what_became_a_reference_is_named_with_its_size_before_and_after() {
    let diff = compaction_diff(&twice(), Some(1), &WordCounter).unwrap();
    assert_eq!((diff.number, diff.of, diff.edit, diff.undone), (1, 2, Seq(7), false));
    assert_eq!((diff.before.messages, diff.after.messages), (6, 6));
    assert_eq!(diff.before.tokens - diff.after.tokens, 3, "four words became one");
    expect![[r#"
        [
            Replacement {
                part: Result,
                tool: "read",
                call_id: "c1",
                before_bytes: 22,
                after_bytes: 6,
                stored: ResultRef(
                    "r-0123456789abcdef",
                ),
            },
            Replacement {
                part: Arguments,
                tool: "read",
                call_id: "c1",
                before_bytes: 16,
                after_bytes: 2,
                stored: ResultRef(
                    "r-fedcba9876543210",
                ),
            },
        ]
    "#]]
    .assert_debug_eq(&diff.replaced);
    assert_eq!(diff.covers, []);
}

// F-36
#[test]
fn covered_messages_are_listed_as_seen_before() {
    let diff = compaction_diff(&twice(), None, &WordCounter).unwrap();
    assert_eq!((diff.number, diff.of), (2, 2));
    assert_eq!((diff.before.messages, diff.after.messages), (6, 3));
    let cover = &diff.covers[0];
    assert_eq!(cover.summary.as_deref(), Some("the file was read\nmore"));
    let lines: Vec<String> = cover
        .messages
        .iter()
        .map(|one| format!("{} {} {:?} {}", one.span.first, one.kind, one.first_line, one.tokens))
        .collect();
    expect![[r#"
        [
            "1 user \"read the file please\" 4",
            "2 assistant \"I will\" 4",
            "3 results \"<- read: [stub]\" 1",
            "4 assistant \"done\" 1",
        ]
    "#]]
    .assert_debug_eq(&lines);
}

#[test]
fn pictures_that_were_left_out_are_counted_by_message() {
    let mut log = records(LOG);
    let picture = || Image { media_type: "image/png".to_owned(), data: "AAAA".to_owned() };
    if let Some(RecordBody::Message(said)) = log.get_mut(2).map(|record| &mut record.body)
        && let Some(ContentBlock::ToolResult(result)) = said.message.content.first_mut()
    {
        result.images = vec![picture(), picture()];
    }
    let text = "[no picture]".to_owned();
    add(&mut log, edit(vec![Action::ReplacePictures { message: Seq(3), text }]));
    let diff = compaction_diff(&log, None, &WordCounter).unwrap();
    assert_eq!(diff.pictures, [PicturesLeft { message: Seq(3), pictures: 2 }]);
    assert_eq!((diff.covers.len(), diff.replaced.len()), (0, 0));
    assert_eq!((diff.before.messages, diff.after.messages), (6, 6));
}

#[test]
fn an_undone_compaction_is_marked_and_keeps_its_number() {
    let mut log = twice();
    add(&mut log, RecordBody::Mark(Mark::Compaction { edit: Seq(8), undone: true }));
    assert!(compaction_diff(&log, Some(2), &WordCounter).unwrap().undone);
    assert!(!compaction_diff(&log, Some(1), &WordCounter).unwrap().undone);
    assert_eq!(compaction_diff(&log, None, &WordCounter).unwrap().before.messages, 6);
}

#[test]
fn the_window_is_no_compaction() {
    let mut log = records(LOG);
    let span = Span { first: Seq(1), last: Seq(4) };
    let actions = vec![Action::Cover { span, summary: None, note: None }];
    let window = Edit { reason: EditReason::Window, actions, strategies: Vec::new() };
    add(&mut log, RecordBody::Edit(window));
    assert_eq!(compaction_diff(&log, None, &WordCounter), Err(DiffError::Never));
}

// F-35
#[test]
fn a_number_that_there_is_not_is_an_error_that_says_which_there_are() {
    let log = twice();
    for asked in [0, 3, u64::MAX] {
        let error = compaction_diff(&log, Some(asked), &WordCounter).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("there is no compaction {asked}; the session has compactions 1 to 2")
        );
    }
    let error = compaction_diff(&records(LOG), None, &WordCounter).unwrap_err();
    assert_eq!(error.to_string(), "the session was not compacted yet");
}
