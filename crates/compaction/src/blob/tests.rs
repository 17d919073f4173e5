//! Nothing of a message is missing in its full text.

use expect_test::expect;
use throughline_conversation::{EntryKind, ExchangeId, Role, Seq, Span, Thinking, ToolCall, ToolResult};

use super::*;

#[test]
fn every_block_is_there_whole() {
    let picture = Image { media_type: "image/png".to_owned(), data: "aGk=".to_owned() };
    let entry = |kind, first, last, message| Entry {
        span: Span { first: Seq(first), last: Seq(last) },
        exchange: ExchangeId(1),
        kind,
        origin: None,
        message: std::sync::Arc::new(message),
        tokens: 0,
    };
    let asked = Message {
        role: Role::User,
        content: vec![ContentBlock::Text { text: "look".to_owned() }, ContentBlock::Image(picture.clone())],
    };
    let called = Message {
        role: Role::Assistant,
        content: vec![
            ContentBlock::Thinking(Thinking { text: "hm".to_owned(), signature: None, redacted: None }),
            ContentBlock::ToolCall(ToolCall {
                id: "c1".to_owned(),
                name: "see".to_owned(),
                input: serde_json::json!({ "n": 1 }),
            }),
        ],
    };
    let result = ToolResult { images: vec![picture], ..ToolResult::error("c1", "two\nlines") };
    let entries = [
        entry(EntryKind::Summary, 1, 4, Message::user("before")),
        entry(EntryKind::User, 5, 5, asked),
        entry(EntryKind::Assistant, 6, 6, called),
        entry(EntryKind::Results, 7, 7, Message::results([result])),
    ];
    expect![[r#"
        ## summary (record 1 to 4)

        before

        ## user (record 5)

        look

        [picture of type image/png; "read_result" shows it: ref_id="r-0123456789abcdef"]

        ## assistant (record 6)

        (thinking) hm

        call c1 see {"n":1}

        ## results (record 7)

        result c1 (failed):
        two
        lines

        [picture of type image/png; "read_result" shows it: ref_id="r-0123456789abcdef"]

    "#]]
    .assert_eq(&full_text(&entries, &mut |_| ResultRef::from_text("r-0123456789abcdef")));
}

#[test]
fn a_stored_text_names_its_pictures() {
    let picture = |kind: &str| Image { media_type: kind.to_owned(), data: "aGk=".to_owned() };
    let names = ["r-0000000000000001", "r-0000000000000002"];
    let images = vec![picture("image/png"), picture("image/x\n]; \"read_result\" shows it: \"]")];
    let result = ToolResult { images, ..ToolResult::text("c1", "[picture of type nothing]") };
    let mut next = names.iter();
    let text = result_text(&result, &mut |_| ResultRef::from_text(next.next().unwrap()));
    let found: Vec<ResultRef> = pictures_in(&text).collect();
    assert_eq!(found.iter().map(ResultRef::as_str).collect::<Vec<_>>(), names, "{text}");
}
