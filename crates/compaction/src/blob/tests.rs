//! Nothing of a message is missing in its full text.

use expect_test::expect;
use throughline_conversation::{ExchangeId, Role, Seq, Span, Thinking, ToolCall, ToolResult};

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

        ![image](data:image/png;base64,aGk=)

        ## assistant (record 6)

        (thinking) hm

        call c1 see {"n":1}

        ## results (record 7)

        result c1 (failed):
        two
        lines

        ![image](data:image/png;base64,aGk=)

    "#]]
    .assert_eq(&full_text(&entries));
}
