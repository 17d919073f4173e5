//! What pictures, calls, items of a provider, tools and files say of themselves.

use serde_json::json;
use throughline_conversation::{
    FileVersion, Image, Message, PriceVerdict, RegretReceipt, SearchOutcome, Seq, SideAnswer, SideOutcome,
    Thinking, ToolCall, ToolDefinition, ToolOrigin, Transcript, WebSearch,
};

use crate::log::reference;

#[test]
fn a_picture_is_one_line_and_is_read_from_it() {
    let image = Image { media_type: "image/png".to_owned(), data: "AAAA".to_owned() };
    assert_eq!(image.to_data_url(), "data:image/png;base64,AAAA");
    assert_eq!(Image::from_data_url("data:image/png;base64,AAAA"), Some(image));
    for other in ["image/png;base64,AAAA", "data:image/png,AAAA", ""] {
        assert_eq!(Image::from_data_url(other), None, "{other}");
    }
}

#[test]
fn base64_has_its_letters_and_at_most_two_signs_of_padding() {
    for data in ["", "AAAA", "ab+/", "AB==", "ABC="] {
        assert!(Image::is_base64(data), "{data}");
    }
    for data in ["A", "AAAAA", "A===", "====", "ab-_", "AB=C", "ABC\n"] {
        assert!(!Image::is_base64(data), "{data}");
    }
}

#[test]
fn arguments_that_are_no_json_stay_as_the_model_wrote_them() {
    let call = |input| ToolCall { id: "c1".to_owned(), name: "read".to_owned(), input };
    assert_eq!(call(ToolCall::malformed_input("{\"a\":")).malformed(), Some("{\"a\":"));
    for input in [json!({}), json!({"invalid_json": 1}), json!({"path": "x"}), json!("x")] {
        assert_eq!(call(input.clone()).malformed(), None, "{input}");
    }
    let two = json!({"invalid_json": "x", "path": "y"});
    assert_eq!(call(two).malformed(), None, "a tool may have a field of this name");
}

#[test]
fn the_end_of_a_search_has_what_was_found_as_its_text() {
    let item = json!({"type": "web_search_call", "id": "ws_1"});
    let search = |outcome| WebSearch { id: "ws_1".to_owned(), query: "lru".to_owned(), outcome };
    let ended = Thinking::of_search(&item, &search(SearchOutcome::Unlisted));
    assert_eq!(ended.text, "Searched the web for \"lru\": [done; the provider does not list what it found]");
    assert!(ended.is_search());
    assert_eq!(ended.item(), Some(item.clone()));
    let begun = Thinking::of_search(&item, &search(SearchOutcome::Running));
    assert_eq!((begun.text.as_str(), begun.is_search()), ("", false));
    assert!(!Thinking { signature: Some("sig".to_owned()), ..ended }.is_search(), "thinking of a model");
    assert!(!Thinking::of_item(&item).is_compaction());
    assert!(Thinking::of_item(&json!({"type": "compaction"})).is_compaction());
}

#[test]
fn the_origin_of_a_tool_says_who_runs_it_and_whether_it_may_be_deferred() {
    let said = |origin: ToolOrigin| (origin.is_deferrable(), origin.is_of_provider(), origin.runs_here());
    assert_eq!(said(ToolOrigin::Builtin), (false, false, true));
    assert_eq!(said(ToolOrigin::Skill), (true, false, true));
    assert_eq!(said(ToolOrigin::Mcp), (true, false, true));
    assert_eq!(said(ToolOrigin::Provider), (false, true, false));
    assert_eq!(said(ToolOrigin::ProviderFirst), (false, true, true));
}

#[test]
fn every_provider_accepts_a_name_of_up_to_64_letters_digits_and_two_signs() {
    let tool = |name: &str| ToolDefinition {
        name: name.to_owned(),
        description: "Reads.".to_owned(),
        input_schema: json!({"type": "object"}),
        origin: ToolOrigin::Builtin,
    };
    for name in ["a", "read_file-2", &"x".repeat(64)] {
        assert!(tool(name).has_valid_name(), "{name}");
    }
    for name in ["", "a b", "a.b", "é", &"x".repeat(65)] {
        assert!(!tool(name).has_valid_name(), "{name}");
    }
    let deferrable = tool("a").deferrable();
    assert!(deferrable.origin.is_deferrable());
    assert_eq!(ToolDefinition { origin: ToolOrigin::Builtin, ..deferrable }, tool("a"));
}

#[test]
fn two_versions_are_the_same_file_by_content_and_mode() {
    let content = |stored: &str, hash: &str, mode| FileVersion::Content {
        stored: reference(stored),
        hash: hash.to_owned(),
        bytes: 3,
        mode,
    };
    let file = content("x", "aa", 0o644);
    assert!(file.is_same_file(&content("y", "aa", 0o644)), "wherever the bytes are");
    assert!(!file.is_same_file(&content("x", "bb", 0o644)));
    assert!(!file.is_same_file(&content("x", "aa", 0o755)));
    assert!(FileVersion::Missing.is_same_file(&FileVersion::Missing));
    assert!(!FileVersion::Missing.is_same_file(&file));
    let unstored = FileVersion::Unstored { why: "too large".to_owned() };
    assert!(!unstored.is_same_file(&unstored));
}

#[test]
fn a_question_outside_of_the_session_follows_its_last_message() {
    let shown = Transcript::from_messages([Message::user("Go.")]);
    let asked = shown.followed_by(Message::user("How many?"));
    let last = asked.entries().last().map(|entry| (entry.span.first, entry.message.text()));
    let before = shown.entries().last().map_or(Seq(0), |entry| entry.span.last);
    assert_eq!(last, Some((before.next(), "How many?".to_owned())));
    assert_eq!((shown.len(), asked.len(), asked.common_prefix(&shown)), (1, 2, 1));
    let alone = Transcript::default().followed_by(Message::user("How many?"));
    assert_eq!(alone.entries().last().map(|entry| entry.span.first), Some(Seq(1)));
}

#[test]
fn a_decision_by_price_compacts_when_it_is_time_or_too_late() {
    let compacting = [PriceVerdict::Compacts, PriceVerdict::Overdue];
    let others = [PriceVerdict::Lean, PriceVerdict::NotPaid, PriceVerdict::Waits];
    assert!(compacting.into_iter().all(PriceVerdict::compacts));
    assert!(!others.into_iter().any(PriceVerdict::compacts));
}

#[test]
fn what_regret_quotes_is_forgotten_and_its_price_stays() {
    let one = || vec!["x".to_owned()];
    let mut regret = RegretReceipt {
        edit: Seq(4),
        names: one(),
        lines: one(),
        files: one(),
        read_back: one(),
        price: 2.5,
    };
    regret.forget_texts();
    assert_eq!(regret, RegretReceipt { edit: Seq(4), price: 2.5, ..RegretReceipt::default() });
}

#[test]
fn an_end_without_a_report_has_no_usage() {
    let ended = SideAnswer::without_usage(SideOutcome::Stopped);
    assert_eq!(ended, SideAnswer { outcome: SideOutcome::Stopped, usage: None });
}
