//! Which items can be dropped and shown again.

use serde_json::json;
use throughline_conversation::{
    Image, Message, MessageRecord, Millis, Pin, PinnedText, ResultRef, Role, Source, ToolCall, ToolResult,
};

use super::*;

/// A picture of the user, two calls, and their results in message 3.
fn log() -> Vec<Record> {
    let call = |id: &str, name: &str| {
        ContentBlock::ToolCall(ToolCall { id: id.to_owned(), name: name.to_owned(), input: json!({}) })
    };
    let image = Image { media_type: "image/png".to_owned(), data: "AAAA".to_owned() };
    let text = ContentBlock::Text { text: "Look.".to_owned() };
    let result = |id: &str, text: &str| ContentBlock::ToolResult(ToolResult::text(id, text));
    let user = |content| Message { role: Role::User, content };
    let calls = vec![call("c1", "read"), call("c2", "shell")];
    let said = [
        (user(vec![text, ContentBlock::Image(image)]), Source::User),
        (Message { role: Role::Assistant, content: calls }, Source::Model("m".to_owned())),
        (user(vec![result("c1", "one"), result("c2", "two")]), Source::Tools),
    ];
    let mut log = Vec::new();
    for (message, source) in said {
        add(&mut log, RecordBody::Message(MessageRecord { message, source, usage: None }));
    }
    log
}

fn add(log: &mut Vec<Record>, body: RecordBody) {
    let seq = Seq(log.len() as u64 + 1);
    log.push(Record { seq, at: Millis(0), exchange: ExchangeId(4), body });
}

fn dropped(message: u64, part: usize, shown: Option<&str>) -> RecordBody {
    let shown = shown.map(str::to_owned);
    let stored = shown.as_ref().map(|_| ResultRef::from_text("r-1"));
    RecordBody::Mark(Mark::Item(DroppedItem {
        exchange: ExchangeId(4),
        message: Seq(message),
        part,
        shown,
        stored,
    }))
}

fn why<T: std::fmt::Debug>(found: Result<T, GroupError>) -> String {
    found.unwrap_err().to_string()
}

#[test]
fn a_result_and_a_picture_can_be_dropped_alone() {
    let log = log();
    let found = |message, part| item_to_drop(&log, Seq(message), part).map(|item| item.content);
    let result =
        |tool: &str, text: &str| ItemContent::Result { tool: tool.to_owned(), text: text.to_owned() };
    assert_eq!(found(3, 0), Ok(result("read", "one")));
    assert_eq!(found(3, 1), Ok(result("shell", "two")));
    assert_eq!(found(1, 1), Ok(ItemContent::Picture));
    let item = item_to_drop(&log, Seq(3), 1).unwrap();
    assert_eq!((item.exchange, item.message, item.part), (ExchangeId(4), Seq(3), 1));
    for (message, part) in [(1, 0), (2, 0)] {
        assert!(why(found(message, part)).contains("only the result of a call or a picture"));
    }
}

#[test]
fn an_item_that_is_no_part_of_a_message_is_not_found() {
    let mut log = log();
    add(&mut log, RecordBody::Mark(Mark::Window { groups: None }));
    for (message, part) in [(9, 0), (3, 2), (4, 0)] {
        assert!(why(item_to_drop(&log, Seq(message), part)).contains("no message has this id"));
        assert!(why(restore_item(&log, Seq(message), part)).contains("no message has this id"));
    }
}

#[test]
fn a_dropped_item_is_shown_again_and_no_other_is() {
    let mut log = log();
    assert!(why(restore_item(&log, Seq(3), 0)).contains("it is not dropped"));
    add(&mut log, dropped(3, 0, Some("[dropped]")));
    assert!(why(item_to_drop(&log, Seq(3), 0)).contains("it is dropped already"));
    // Neither another part nor another message.
    for (message, part) in [(3, 1), (1, 1)] {
        assert!(item_to_drop(&log, Seq(message), part).is_ok());
        assert!(why(restore_item(&log, Seq(message), part)).contains("it is not dropped"));
    }
    let mark = restore_item(&log, Seq(3), 0).unwrap();
    let shown = DroppedItem { exchange: ExchangeId(4), message: Seq(3), part: 0, shown: None, stored: None };
    assert_eq!(mark, Mark::Item(shown));
    add(&mut log, RecordBody::Mark(mark));
    assert!(item_to_drop(&log, Seq(3), 0).is_ok(), "the last mark counts");
    assert!(why(restore_item(&log, Seq(3), 0)).contains("it is not dropped"));
}

#[test]
fn an_item_of_a_message_with_a_pin_is_not_dropped() {
    let mut log = log();
    let texts = vec![PinnedText { message: Seq(3), text: "one".to_owned() }];
    add(&mut log, RecordBody::Mark(Mark::Pin(Pin { number: 1, exchange: ExchangeId(4), texts })));
    assert!(why(item_to_drop(&log, Seq(3), 1)).contains("is pinned; unpin it first"));
    assert!(item_to_drop(&log, Seq(1), 1).is_ok(), "another message");
}
