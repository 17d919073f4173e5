//! Pins and hidden groups, and what a view says of them.

use serde_json::json;
use throughline_conversation::{
    ContentBlock, ExchangeId, GroupStatus, Groups, Image, Mark, Message, MessageRecord, Millis, Pin,
    PinnedText, Record, RecordBody, Role, Seq, Source, ToolCall, ToolResult, project,
};
use throughline_testkit::WordCounter;

fn text(text: &str) -> ContentBlock {
    ContentBlock::Text { text: text.to_owned() }
}

fn record(seq: u64, exchange: u64, body: RecordBody) -> Record {
    Record { seq: Seq(seq), at: Millis(0), exchange: ExchangeId(exchange), body }
}

fn said(seq: u64, role: Role, content: Vec<ContentBlock>, source: Source) -> Record {
    let message = MessageRecord { message: Message { role, content }, source, usage: None };
    record(seq, 1, RecordBody::Message(message))
}

/// A request, two calls and their results.
fn worked() -> Vec<Record> {
    let call = |id: &str| {
        ContentBlock::ToolCall(ToolCall { id: id.to_owned(), name: "read".to_owned(), input: json!({}) })
    };
    let result = |id: &str, said: &str| ContentBlock::ToolResult(ToolResult::text(id, said));
    let results = vec![result("c1", "the port is 8080"), result("c2", "the host is alpha")];
    vec![
        said(1, Role::User, vec![text("Read both.")], Source::User),
        said(2, Role::Assistant, vec![call("c1"), call("c2")], Source::Model("m".to_owned())),
        said(3, Role::User, results, Source::Tools),
    ]
}

fn pin(number: u32, message: u64, pinned: &str) -> Mark {
    let texts = vec![PinnedText { message: Seq(message), text: pinned.to_owned() }];
    Mark::Pin(Pin { number, exchange: ExchangeId(1), texts })
}

fn with(marks: impl IntoIterator<Item = Mark>) -> Vec<Record> {
    let mut records = worked();
    for mark in marks {
        records.push(record(records.len() as u64 + 1, 1, RecordBody::Mark(mark)));
    }
    records
}

#[test]
fn texts_and_results_of_a_message_can_be_pinned() {
    let image = Image { media_type: "image/png".to_owned(), data: "AAAA".to_owned() };
    let result = ContentBlock::ToolResult(ToolResult::text("c1", "found"));
    let content = vec![text("Look."), text(" \n"), ContentBlock::Image(image), result];
    let message = Message { role: Role::User, content };
    let texts = Pin::texts_of(Seq(7), &MessageRecord { message, source: Source::User, usage: None });
    let expected = ["Look.", "found"].map(|text| PinnedText { message: Seq(7), text: text.to_owned() });
    assert_eq!(texts, expected);
}

#[test]
fn a_result_that_is_pinned_whole_is_known_by_its_call() {
    let pins = |mark: Option<Mark>| {
        let view = project(&with(mark), &WordCounter).unwrap();
        ["c1", "c2", "c3"].map(|call| view.pins_result(call))
    };
    assert_eq!(pins(None), [false; 3]);
    assert_eq!(pins(Some(pin(1, 3, "the port is 8080"))), [true, false, false]);
    assert_eq!(pins(Some(pin(1, 3, "8080"))), [false; 3], "a part of it");
    assert_eq!(pins(Some(pin(1, 2, "the port is 8080"))), [false; 3], "of another message");
}

#[test]
fn a_call_in_view_is_known_by_its_id() {
    let view = project(&worked(), &WordCounter).unwrap();
    assert_eq!(["c1", "c2", "c3"].map(|id| view.has_call(id)), [true, true, false]);
}

#[test]
fn the_own_texts_of_an_entry_are_without_its_note_of_pinned_texts() {
    let mark = Mark::Group { exchange: ExchangeId(1), status: GroupStatus::Live };
    let plain = project(&with([mark]), &WordCounter).unwrap();
    let own = |view: &throughline_conversation::View| {
        let entries = view.entries().iter();
        entries.flat_map(|entry| entry.own_texts().map(str::to_owned).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    assert_eq!(own(&plain), ["Read both."]);
    // A note has the pinned text, which is no longer in its message.
    let gone = project(&with([pin(1, 1, "words that the message lacks")]), &WordCounter).unwrap();
    let all: Vec<&str> = gone.entries().iter().flat_map(|entry| entry.message.texts()).collect();
    assert!(all.iter().any(|text| text.contains("words that the message lacks")), "{all:?}");
    assert_eq!(own(&gone), ["Read both."]);
}

#[test]
fn marks_make_the_groups() {
    let hide = |exchange, status| Mark::Group { exchange: ExchangeId(exchange), status };
    assert!(Groups::from_marks([]).is_plain());
    let marks = [
        hide(2, GroupStatus::Dropped),
        hide(4, GroupStatus::Undone),
        hide(5, GroupStatus::Dropped),
        hide(5, GroupStatus::Live),
        Mark::Window { groups: Some(2) },
        pin(1, 1, "Read both."),
        pin(2, 3, "8080"),
        Mark::Unpin { number: 1 },
    ];
    let groups = Groups::from_marks(&marks);
    assert!(!groups.is_plain());
    let hidden: Vec<_> = groups.hidden().map(|(exchange, status)| (exchange.0, status)).collect();
    assert_eq!(hidden, [(2, GroupStatus::Dropped), (4, GroupStatus::Undone)]);
    assert_eq!(groups.pins().iter().map(|pin| pin.number).collect::<Vec<_>>(), [2]);
    assert_eq!(groups.open_group(ExchangeId(3)), ExchangeId(3));
    assert_eq!(groups.open_group(ExchangeId(4)), ExchangeId(5), "no record is written into a hidden group");
}

#[test]
fn the_window_counts_groups_that_are_not_hidden() {
    let hidden = Mark::Group { exchange: ExchangeId(4), status: GroupStatus::Dropped };
    let shown = |groups| Groups::from_marks(&[hidden.clone(), Mark::Window { groups }]);
    assert_eq!((shown(None).window(), shown(None).oldest_shown(ExchangeId(5))), (None, None));
    assert_eq!(shown(Some(0)).window(), None, "all");
    assert_eq!(
        (shown(Some(2)).window(), shown(Some(2)).oldest_shown(ExchangeId(5))),
        (Some(2), Some(ExchangeId(3)))
    );
    assert_eq!(shown(Some(9)).oldest_shown(ExchangeId(5)), Some(ExchangeId(1)));
}
