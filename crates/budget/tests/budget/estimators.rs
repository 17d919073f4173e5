//! The two estimators that need nothing but the text.

use proptest::prelude::*;
use serde_json::json;
use throughline_budget::{Chars4Estimator, ScriptAwareEstimator};
use throughline_conversation::{
    ContentBlock, FigureSource, Image, Message, Role, Thinking, TokenCounter, ToolCall, ToolDefinition,
    ToolOrigin, ToolResult,
};
use throughline_testkit::parse;

/// The estimate must be within `percent` of a figure that a tokenizer gave.
fn near(text: &str, tokens: u64, percent: u64) {
    let estimate = ScriptAwareEstimator.text(text);
    let slack = (tokens * percent).div_ceil(100);
    assert!(
        estimate.abs_diff(tokens) <= slack,
        "{estimate} is not within {percent} % of {tokens}: {text:.60}"
    );
}

// S0-19
#[test]
fn chars4_is_a_quarter_of_the_bytes_and_fifty_for_each_call() {
    let counter = Chars4Estimator;
    assert_eq!(counter.text("1234567"), 1);
    assert_eq!(counter.text("12345678"), 2);
    let call = ToolCall { id: "c1".to_owned(), name: "read".to_owned(), input: json!({"path": "main.rs"}) };
    // {"path":"main.rs"} has 18 bytes.
    assert_eq!(counter.block(&ContentBlock::ToolCall(call)), 4 + 50);
    assert_eq!(counter.block(&ContentBlock::ToolResult(ToolResult::text("c1", "x".repeat(399)))), 99);

    let messages = parse(
        "user: please read the file
         assistant: I will
           -> c1 read {\"path\":\"main.rs\"}
         results:
           c1 = fn main() {}",
    );
    let counts: Vec<u64> = messages.iter().map(|message| counter.message(message)).collect();
    // 20/4; 6/4 + 18/4 + 50; 12/4
    assert_eq!(counts, [5, 55, 3]);
    assert_eq!(counter.source(), FigureSource::Estimated);
}

#[test]
fn chars4_counts_what_its_rule_does_not_name() {
    let counter = Chars4Estimator;
    let image = Image { media_type: "image/png".to_owned(), data: "A".repeat(80_000) };
    let shown = ToolResult { images: vec![image.clone()], ..ToolResult::text("c1", "12345678") };
    assert_eq!(counter.block(&ContentBlock::Image(image)), 1_600);
    assert_eq!(counter.block(&ContentBlock::ToolResult(shown)), 1_602);
    let thought =
        Thinking { text: "12345678".to_owned(), signature: None, redacted: Some("1234".to_owned()) };
    assert_eq!(counter.block(&ContentBlock::Thinking(thought)), 3);
    let tool = ToolDefinition {
        name: "read".to_owned(),
        description: "Reads a file.".to_owned(),
        input_schema: json!({"type": "object"}),
        origin: ToolOrigin::Builtin,
    };
    assert_eq!(counter.tool(&tool), 1 + 3 + 4);
}

#[test]
fn code_prose_and_data_are_near_what_a_tokenizer_counts() {
    for (text, tokens, percent) in SAMPLES {
        near(text, *tokens, *percent);
    }
}

#[test]
fn each_script_has_its_price() {
    let per_char = |text: &str| ScriptAwareEstimator.text(text) as f64 / text.chars().count() as f64;
    let chinese = per_char("今天天气很好，我们决定去公园散步，然后在湖边喝茶聊天。");
    assert!((0.6..=1.1).contains(&chinese), "{chinese}");
    let japanese = per_char("今日は天気がいいので、公園を散歩してから湖のほとりでお茶を飲みました。");
    assert!((0.6..=1.1).contains(&japanese), "{japanese}");
    let korean = per_char("오늘은 날씨가 좋아서 공원을 산책하고 호숫가에서 차를 마셨습니다.");
    assert!((0.5..=1.1).contains(&korean), "{korean}");
    let russian = per_char("Сегодня хорошая погода, и мы решили прогуляться по парку.");
    assert!((0.3..=0.55).contains(&russian), "{russian}");
    let emoji = per_char("🎉🚀🔥🙂🐛");
    assert!((1.5..=2.5).contains(&emoji), "{emoji}");
    let english = per_char("The weather is fine today, so we decided to take a walk in the park.");
    assert!((0.18..=0.28).contains(&english), "{english}");
}

#[test]
fn blanks_in_a_row_are_cheap_and_nothing_is_free() {
    assert_eq!(ScriptAwareEstimator.text(""), 0);
    assert_eq!(ScriptAwareEstimator.text("a"), 1);
    assert_eq!(ScriptAwareEstimator.text(" "), 1);
    let wide = ScriptAwareEstimator.text(&format!("a{}b", " ".repeat(1_000)));
    assert!(wide < 20, "{wide}");
}

#[test]
fn messages_have_frames_and_calls_count_their_arguments() {
    let counter = ScriptAwareEstimator;
    let words = counter.text("hello there");
    assert_eq!(counter.message(&Message::user("hello there")), words + 4);
    let call = ToolCall { id: "c".to_owned(), name: "read".to_owned(), input: json!({"path": "a.rs"}) };
    let said = Message { role: Role::Assistant, content: vec![ContentBlock::ToolCall(call)] };
    assert_eq!(counter.message(&said), counter.text("read") + counter.text(r#"{"path":"a.rs"}"#) + 8 + 4);
}

proptest! {
    #[test]
    fn more_text_never_counts_less(a in "\\PC{0,60}", b in "\\PC{0,60}") {
        let joined = ScriptAwareEstimator.text(&format!("{a}{b}"));
        prop_assert!(joined >= ScriptAwareEstimator.text(&a));
        // Where the two meet a token may begin; nothing else changes.
        let parts = ScriptAwareEstimator.text(&a) + ScriptAwareEstimator.text(&b);
        prop_assert!(joined.abs_diff(parts) <= 4, "{joined} against {parts}");
    }

    #[test]
    fn every_byte_pattern_has_a_sane_count(text in any::<String>()) {
        let tokens = ScriptAwareEstimator.text(&text);
        prop_assert!(tokens <= text.len() as u64 * 3);
        prop_assert_eq!(tokens == 0, text.is_empty());
        prop_assert_eq!(tokens, ScriptAwareEstimator.text(&text));
    }
}

/// Text, mean count of `cl100k_base` and `o200k_base`, allowed difference in per cent.
const SAMPLES: &[(&str, u64, u64)] = &[
    (include_str!("samples/code.txt"), 243, 10),
    (include_str!("samples/diff.txt"), 135, 10),
    (include_str!("samples/prose.txt"), 166, 10),
    (include_str!("samples/data.txt"), 158, 10),
    (include_str!("samples/log.txt"), 181, 10),
    (include_str!("samples/russian.txt"), 104, 20),
    (include_str!("samples/chinese.txt"), 110, 15),
];
