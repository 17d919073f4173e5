//! The list over time.

mod laws;

use std::sync::Arc;

use serde_json::json;
use throughline_conversation::{TokenCounter, ToolDefinition, ToolOrigin};
use throughline_testkit::WordCounter;

use super::{DeferralManager, ToolSelection};
use crate::bm25::Bm25Ranker;
use crate::policy::DeferralPolicy;
use crate::ranker::{MockToolRanker, RankError};
use crate::search_tool::tool_search_tool;
use crate::tool_history::ToolHistory;

/// A tool of 15 tokens by [`WordCounter`]. The first letter of its name is its origin.
pub(super) fn tool(name: &str) -> ToolDefinition {
    let origin = match name.chars().next() {
        Some('m') => ToolOrigin::Mcp,
        Some('s') => ToolOrigin::Skill,
        _ => ToolOrigin::Builtin,
    };
    let input_schema = json!({"type": "object"});
    ToolDefinition { name: name.to_owned(), description: "x".to_owned(), input_schema, origin }
}

pub(super) fn catalogue(names: &str) -> Arc<[ToolDefinition]> {
    names.split(' ').map(tool).collect()
}

pub(super) fn names(selection: &ToolSelection) -> String {
    let names: Vec<&str> = selection.active.iter().map(|tool| tool.name.as_str()).collect();
    names.join(" ")
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A manager and a catalogue, with room for some tools.
struct Stage {
    manager: DeferralManager,
    catalogue: Arc<[ToolDefinition]>,
    fit: u64,
}

impl Stage {
    fn new(names: &str, fit: u64) -> Self {
        let manager = DeferralManager::new(DeferralPolicy::default());
        Self { manager, catalogue: catalogue(names), fit }
    }

    fn select(&mut self, epoch: u64, turn: u64) -> ToolSelection {
        self.manager.select(&self.catalogue, &WordCounter, self.fit * 150, epoch, turn)
    }

    fn check(&mut self, epoch: u64, turn: u64, list: &str, changed: Option<&str>) {
        let selection = self.select(epoch, turn);
        assert_eq!(names(&selection), list);
        assert_eq!(selection.changed.as_deref(), changed);
        assert_eq!(selection.tokens, 15 * selection.active.len() as u64);
    }
}

// S3-15
#[test]
fn only_tools_over_the_threshold_are_deferred_and_counted() {
    let mut all = Stage::new("b s m1 m2", 4);
    all.check(0, 1, "b s m1 m2", Some("first list: 4 of 4 tools"));
    assert_eq!(all.select(0, 1).deferred, 0);
    let mut less = Stage::new("b s m1 m2", 3);
    less.check(0, 1, "b s m2", Some("first list: 3 of 4 tools"));
    assert_eq!(less.select(0, 1).deferred, 1);
}

// S3-15
#[test]
fn two_hundred_tools_take_no_more_than_a_tenth() {
    let builtin = (0..12).map(|n| tool(&format!("b{n}")));
    let mcp = (0..188).map(|n| {
        let description = "a description of several words for a tool of a large server ".repeat(1 + n % 7);
        ToolDefinition { description, ..tool(&format!("m{n}")) }
    });
    let catalogue: Arc<[ToolDefinition]> = builtin.chain(mcp).collect();
    let mut manager = DeferralManager::new(DeferralPolicy::default());
    for window in [16_000, 32_000, 64_000] {
        let selection = manager.select(&catalogue, &WordCounter, window, window, 1);
        assert!(selection.tokens <= window / 10, "{} of {window}", selection.tokens);
        assert!(selection.tokens > window / 12 || selection.deferred == 0, "the room is used");
        assert_eq!(selection.active.len() + selection.deferred, 200);
        assert!((0..12).all(|n| selection.active.iter().any(|tool| tool.name == format!("b{n}"))));
    }
}

// F-32: the list is the very same until something happens.
#[test]
fn nothing_new_gives_the_same_allocation() {
    let mut stage = Stage::new("b m1 m2", 2);
    let first = stage.select(0, 1);
    stage.manager.mark_used("m1", 2);
    let second = stage.select(0, 2);
    assert!(Arc::ptr_eq(&first.active, &second.active));
    assert_eq!(second.changed, None);
    let next_epoch = stage.select(1, 2);
    assert_ne!(names(&next_epoch), names(&first), "m1 was used and m2 was not");
    assert!(Arc::ptr_eq(&next_epoch.active, &stage.select(2, 3).active), "an equal plan is the same list");
}

// S3-17
#[test]
fn promoted_tools_are_appended_in_order() {
    let mut stage = Stage::new("b m1 m2 m3", 1);
    stage.check(0, 1, "b", Some("first list: 1 of 4 tools"));
    assert_eq!(stage.manager.promote(&owned(&["m3", "b", "nope", "m1", "m3"]), 1), ["m3", "m1"]);
    stage.check(0, 1, "b m3 m1", Some("promoted m3, m1"));
    assert_eq!(stage.select(0, 1).deferred, 1);
    assert_eq!(stage.manager.promote(&owned(&["m1", "m2"]), 2), ["m2"]);
    stage.check(0, 2, "b m3 m1 m2", Some("promoted m2"));
    stage.check(0, 3, "b m3 m1 m2", None);
}

// F-31: a promotion lasts until it is unused for long, and ends at an epoch only.
#[test]
fn promotions_outlive_epochs_until_they_are_unused() {
    let mut stage = Stage::new("b m1 m2 m3", 2);
    stage.check(0, 1, "b m3", Some("first list: 2 of 4 tools"));
    stage.manager.promote(&owned(&["m1", "m2"]), 1);
    stage.check(0, 1, "b m3 m1 m2", Some("promoted m1, m2"));
    stage.check(1, 2, "b m1 m2", Some("replanned: took out m3"));
    stage.manager.mark_used("m2", 10);
    stage.check(1, 21, "b m1 m2", None);
    stage.check(2, 21, "b m1 m2", None);
    stage.check(2, 22, "b m1 m2", None);
    stage.check(3, 22, "b m2", Some("replanned: took out m1"));
    stage.check(4, 31, "b m3", Some("replanned: added m3; took out m2"));
}

#[test]
fn a_changed_catalogue_waits_for_the_epoch() {
    let mut stage = Stage::new("b m1 m2", 9);
    stage.check(0, 1, "b m1 m2", Some("first list: 3 of 3 tools"));
    stage.catalogue = catalogue("b2 b m2 m3");
    stage.check(0, 2, "b m1 m2", None);
    assert_eq!(stage.select(0, 2).deferred, 2);
    stage.manager.promote(&owned(&["m1", "m3"]), 2);
    stage.check(0, 2, "b m1 m2 m3", Some("promoted m3"));
    stage.check(1, 3, "b m2 m3 b2", Some("replanned: added b2; took out m1"));
}

#[test]
fn a_changed_description_is_taken_up_at_the_epoch() {
    let mut stage = Stage::new("b m1", 9);
    stage.select(0, 1);
    let new = ToolDefinition { description: "x y".to_owned(), ..tool("m1") };
    stage.catalogue = Arc::from([tool("b"), new.clone()]);
    assert_eq!(stage.select(0, 1).active[1], tool("m1"));
    let selection = stage.select(1, 1);
    assert_eq!(
        (&selection.active[1], selection.changed.as_deref()),
        (&new, Some("replanned: descriptions changed"))
    );
    assert_eq!(selection.tokens, 31);
}

#[test]
fn a_promotion_that_waits_over_an_epoch_comes_last() {
    let mut stage = Stage::new("b m1 m2 m3", 2);
    stage.select(0, 1);
    stage.manager.promote(&owned(&["m1"]), 1);
    stage.check(1, 1, "b m1", Some("replanned: took out m3; promoted m1"));
    stage.manager.promote(&owned(&["m2"]), 1);
    stage.catalogue = catalogue("b m1 m3");
    stage.check(1, 1, "b m1", None);
}

// I-5: what a resumed session sees is what it saw.
#[test]
fn a_restored_list_is_the_same_and_keeps_promotions() {
    let mut before = Stage::new("b m1 m2 m3", 2);
    before.select(0, 1);
    before.manager.promote(&owned(&["m1"]), 1);
    let list = before.select(0, 1).active;
    assert_eq!(list.len(), 3);
    let mut after = Stage::new("b b2 m1 m2 m3", 3);
    let mut history = ToolHistory::default();
    history.found.insert("m1".to_owned(), 1);
    after.manager.restore(&list, history);
    after.check(0, 5, "b m3 m1", None);
    assert_eq!(after.select(0, 5).deferred, 2);
    assert_eq!(after.manager.promote(&owned(&["m1", "m2"]), 5), ["m2"]);
    after.check(0, 5, "b m3 m1 m2", Some("promoted m2"));
    after.check(1, 6, "b m1 m2 b2", Some("replanned: added b2; took out m3"));
}

#[test]
fn without_a_window_built_in_tools_are_left() {
    let mut stage = Stage::new("b s m", 0);
    stage.check(0, 1, "b", Some("first list: 1 of 3 tools"));
    let mut off = DeferralManager::new(DeferralPolicy { threshold: f64::NAN, ..DeferralPolicy::default() });
    assert_eq!(off.select(&stage.catalogue, &WordCounter, 1_000, 0, 1).active.len(), 1);
}

// S3-15 S3-17
#[tokio::test]
async fn a_search_finds_a_deferred_tool_and_promotes_it() {
    let search = tool_search_tool();
    let tools = ["m_xcode_build", "m_xcode_test", "m_mail_send"].map(tool);
    let catalogue: Arc<[ToolDefinition]> = std::iter::once(search).chain(tools).collect();
    let mut manager = DeferralManager::new(DeferralPolicy::default());
    assert_eq!(names(&manager.select(&catalogue, &WordCounter, 10, 0, 1)), "tool_search");
    let hits = manager.search(&Bm25Ranker, "xcode build").await.unwrap();
    let found: Vec<String> = hits.iter().map(|tool| tool.name.clone()).collect();
    assert_eq!(found, ["m_xcode_build", "m_xcode_test"]);
    manager.promote(&found, 1);
    let selection = manager.select(&catalogue, &WordCounter, 10, 0, 1);
    assert_eq!(
        (names(&selection).as_str(), selection.deferred),
        ("tool_search m_xcode_build m_xcode_test", 1)
    );
}

#[tokio::test]
async fn a_ranker_that_breaks_its_contract_does_no_harm() {
    let mut stage = Stage::new("b m1 m2", 9);
    stage.select(0, 1);
    let mut mock = MockToolRanker::new();
    mock.expect_rank()
        .once()
        .withf(|query, tools, limit| query == "q" && tools.len() == 3 && *limit == 5)
        .returning(|_, _, _| Ok(owned(&["m1", "ghost", "m1"])));
    assert_eq!(stage.manager.search(&mock, "q").await.unwrap(), [tool("m1")]);
    mock.expect_rank().once().returning(|_, _, _| Err(RankError::Other("index is gone".into())));
    assert!(stage.manager.search(&mock, "q").await.is_err());
}

#[test]
fn with_call_tool_a_promotion_changes_the_list_at_the_next_epoch_only() {
    let mut stage = Stage::new("b call_tool m1 m2 m3", 3);
    let first = stage.select(0, 1);
    assert_eq!((names(&first).as_str(), first.deferred), ("b call_tool m3", 2));
    assert_eq!(stage.manager.promote(&owned(&["m1", "m1"]), 1), ["m1"]);
    let same = stage.select(0, 1);
    assert!(Arc::ptr_eq(&same.active, &first.active) && same.changed.is_none());
    let next = stage.select(1, 2);
    assert_eq!(names(&next), "b call_tool m1");
    // Where all fit it is not needed.
    stage.fit = 9;
    let all = stage.select(2, 3);
    assert_eq!((names(&all).as_str(), all.deferred), ("b m1 m2 m3", 0));
}

#[test]
fn where_no_search_finds_them_all_tools_are_described_at_once() {
    let mut stage = Stage::new("b call_tool m1 m2 m3", 3);
    let first = stage.select(0, 1);
    assert_eq!((names(&first).as_str(), first.deferred), ("b call_tool m3", 2));
    assert_eq!(stage.manager.promote_all(1), ["m1", "m2"]);
    let all = stage.select(0, 1);
    assert_eq!((names(&all).as_str(), all.deferred), ("b call_tool m3 m1 m2", 0));
    assert_eq!(stage.manager.promote_all(2), Vec::<String>::new());
}

/// Each text is a thousand tokens.
#[derive(Debug)]
struct Thousands;

impl TokenCounter for Thousands {
    fn text(&self, _: &str) -> u64 {
        1_000
    }
}

#[test]
fn an_unchanged_list_is_counted_again_by_another_counter() {
    let mut stage = Stage::new("read write", 100);
    let before = stage.select(0, 0);
    let after = stage.manager.select(&stage.catalogue, &Thousands, 1_000_000, 1, 0);
    assert!(Arc::ptr_eq(&before.active, &after.active), "the list stays the very same");
    let counted: u64 = after.active.iter().map(|tool| Thousands.tool(tool)).sum();
    assert_eq!(after.tokens, counted);
    assert!(after.tokens > before.tokens);
}

// S3-16 S3-17
#[test]
fn a_restored_list_is_planned_again_with_what_was_found_and_used() {
    let mut stage = Stage::new("b call_tool m1 m2 m3 m4", 4);
    let mut history = ToolHistory::default();
    history.found.insert("m2".to_owned(), 1);
    history.used.insert("m1".to_owned(), 2);
    stage.manager.restore(&["b", "call_tool", "m3", "m4"].map(tool), history);
    stage.check(0, 3, "b call_tool m3 m4", None);
    stage.manager.plan_again();
    stage.check(0, 3, "b call_tool m1 m2", Some("replanned: added m1, m2; took out m3, m4"));
    stage.check(0, 3, "b call_tool m1 m2", None);
}
