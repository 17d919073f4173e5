//! Token figures, and what a counter gives without saying more than how it counts text.

use proptest::prelude::*;
use serde_json::json;
use throughline_conversation::{
    Components, ContentBlock, FigureSource, Image, Message, Thinking, TokenCounter, ToolCall, ToolDefinition,
    ToolOrigin, ToolResult, Usage,
};

/// One token a byte, and nothing else overridden.
#[derive(Debug)]
struct Bytes;

impl TokenCounter for Bytes {
    fn text(&self, text: &str) -> u64 {
        text.len() as u64
    }
}

#[test]
fn blocks_without_a_rule_of_their_own_are_their_texts_and_a_frame() {
    let image = Image { media_type: "image/png".to_owned(), data: "A".repeat(99_999) };
    let call = ToolCall { id: "c1".to_owned(), name: "read".to_owned(), input: json!({"a": 1}) };
    let thinking = Thinking { text: "hmm".to_owned(), signature: None, redacted: Some("x".repeat(10)) };
    let result = ToolResult { images: vec![image.clone()], ..ToolResult::text("c1", "four") };
    assert_eq!(Bytes.block(&ContentBlock::Image(image)), 1_600);
    assert_eq!(Bytes.block(&ContentBlock::ToolCall(call)), 4 + 7 + 8);
    assert_eq!(Bytes.block(&ContentBlock::Thinking(thinking)), 3 + 5);
    assert_eq!(Bytes.block(&ContentBlock::ToolResult(result)), 4 + 1_600 + 8);
    assert_eq!(Bytes.message(&Message::user("hello")), 5 + 4);
    assert_eq!(Bytes.source(), FigureSource::Estimated);
    let tool = ToolDefinition {
        name: "read".to_owned(),
        description: "Reads.".to_owned(),
        input_schema: json!({"type": "object"}),
        origin: ToolOrigin::Builtin,
    };
    assert_eq!(Bytes.tool(&tool), 4 + 6 + 17 + 12);
}

#[test]
fn the_prompt_of_a_report_is_all_its_input() {
    let usage = Usage { input: 5, cache_read: 100, cache_write: 20, output: 9, searches: 0 };
    assert_eq!(usage.prompt(), 125);
    assert_eq!(Usage { input: u64::MAX, cache_read: 1, ..usage }.prompt(), u64::MAX);
}

proptest! {
    #[test]
    fn components_sum_to_the_whole(parts in prop::array::uniform4(0u64..1 << 60)) {
        let [system, skills, tools, conversation] = parts;
        let components = Components { system, skills, tools, conversation };
        prop_assert_eq!(components.total(), parts.iter().sum::<u64>());
        prop_assert_eq!(components.fixed(), components.total() - conversation);
    }
}
