//! Worked examples of the prefix cache. Figures can be checked by counting words.

use proptest::prelude::*;
use throughline_completion::{CacheRules, PrefixCache, PrefixUse};
use throughline_conversation::Millis;
use throughline_conversation::Usage;
use throughline_testkit::WordCounter;

use crate::request::{request, section, tool};

/// Tokens of the tool and the section that every request here begins with: 16 and 2.
const HEAD: u64 = 18;

fn used(read: u64, write: u64, uncached: u64) -> PrefixUse {
    PrefixUse { read, write, uncached }
}

#[test]
fn the_first_request_is_written_whole() {
    let mut cache = PrefixCache::default();
    let first = request("user: one two three");
    assert_eq!(cache.observe(&first, &WordCounter), used(0, HEAD + 3, 0));
    assert_eq!(cache.observe(&first, &WordCounter), used(HEAD + 3, 0, 0));
}

#[test]
fn an_extension_reads_what_was_there_and_writes_what_is_new() {
    let mut cache = PrefixCache::default();
    cache.observe(&request("user: one two three"), &WordCounter);
    let next = request("user: one two three\nassistant: four five\nuser: six");
    assert_eq!(cache.observe(&next, &WordCounter), used(HEAD + 3, 3, 0));
}

#[test]
fn the_tail_is_behind_every_marker_and_never_cached() {
    let mut cache = PrefixCache::default();
    let mut request = request("user: one two three");
    request.tail = vec!["half full".to_owned()];
    assert_eq!(cache.observe(&request, &WordCounter), used(0, HEAD + 3, 2));
    request.tail = vec!["nearly full now".to_owned()];
    assert_eq!(cache.observe(&request, &WordCounter), used(HEAD + 3, 0, 3));
}

#[test]
fn a_changed_message_makes_all_behind_it_cold() {
    let mut cache = PrefixCache::default();
    cache.observe(&request("user: one\nassistant: two\nuser: three"), &WordCounter);
    let edited = request("user: one\nassistant: TWO\nuser: three");
    assert_eq!(cache.observe(&edited, &WordCounter), used(HEAD + 1, 2, 0));
    // The old tail is gone from the cache too.
    let back = request("user: one\nassistant: two\nuser: three");
    assert_eq!(cache.observe(&back, &WordCounter), used(HEAD + 1, 2, 0));
}

#[test]
fn a_changed_tool_makes_the_prompt_and_the_messages_cold() {
    let mut cache = PrefixCache::default();
    let mut request = request("user: one");
    cache.observe(&request, &WordCounter);
    request.tools = [tool("read"), tool("write")].into();
    assert_eq!(cache.observe(&request, &WordCounter), used(16, 16 + 2 + 1, 0));
    request.tools = [tool("read")].into();
    assert_eq!(cache.observe(&request, &WordCounter), used(16, 2 + 1, 0));
}

#[test]
fn a_changed_section_keeps_the_tools_and_the_sections_before_it() {
    let mut cache = PrefixCache::default();
    let mut request = request("user: one");
    request.system = [section("You help."), section("Be brief today.")].into();
    cache.observe(&request, &WordCounter);
    request.system = [section("You help."), section("Be exact.")].into();
    assert_eq!(cache.observe(&request, &WordCounter), used(18, 2 + 1, 0));
}

#[test]
fn a_prediction_does_not_change_the_cache() {
    let mut cache = PrefixCache::default();
    cache.observe(&request("user: one"), &WordCounter);
    let next = request("user: one\nassistant: two\nuser: three");
    let predicted = cache.predict(&next, &WordCounter);
    assert_eq!(predicted, used(HEAD + 1, 2, 0));
    assert_eq!(cache.predict(&next, &WordCounter), predicted);
    assert_eq!(cache.observe(&next, &WordCounter), predicted);
}

#[test]
fn a_split_is_reported_as_a_provider_does() {
    let split = used(100, 20, 3);
    assert_eq!(split.usage(7), Usage { input: 3, cache_read: 100, cache_write: 20, output: 7, searches: 0 });
    assert_eq!((split.total(), split.usage(7).prompt()), (123, 123));
}

proptest! {
    #[test]
    fn nothing_is_lost_and_an_extension_never_writes_what_it_reads(words in prop::collection::vec(1usize..9, 1..12)) {
        let mut cache = PrefixCache::default();
        let mut text = String::new();
        let mut before = 0;
        for (index, count) in words.iter().enumerate() {
            let role = if index % 2 == 0 { "user" } else { "assistant" };
            text.push_str(&format!("{role}:{}\n", " word".repeat(*count)));
            let split = cache.observe(&request(&text), &WordCounter);
            prop_assert_eq!(split.read, before);
            prop_assert_eq!(split.write, if index == 0 { HEAD } else { 0 } + *count as u64);
            before = split.total();
        }
    }
}

#[test]
fn a_cache_knows_how_long_it_was_idle_and_what_a_restart_writes() {
    let mut cache = PrefixCache::default();
    let (anthropic, openai) = (CacheRules::anthropic(), CacheRules::automatic());
    assert_eq!(cache.idle_until(Millis(1_000)), 0);
    cache.observe(&request("user: one"), &WordCounter);
    assert_eq!(cache.idle_until(Millis(301_000)), 300_000);
    assert!(!anthropic.is_cold_after(300_000) && anthropic.is_cold_after(300_001));
    assert!(!openai.is_cold_after(1_800_000) && openai.is_cold_after(1_800_001));
    assert_eq!(cache.idle_until(Millis(0)), 0, "a clock that goes back is no pause");
    let warm = cache.observe(&request("user: one\nassistant: two\nuser: three"), &WordCounter);
    assert_eq!(warm, used(HEAD + 1, 2, 0));
    assert_eq!(warm.cold(), used(0, HEAD + 3, 0));
}
