//! When a request counts as cut, and what is said then.

use throughline_completion::ModelError;
use throughline_conversation::{ContentBlock, Entry, Image, Transcript};
use throughline_testkit::{WordCounter, parse};

use super::{Sent, Watch, sent, window};
use crate::example::request;

/// The limit of the overflow, if it is one.
fn end(words: u64, tools: u64, read: u64) -> Option<Option<u64>> {
    let mut watch = Watch::new(Sent { words, tools }, 40_960);
    watch.reported(read);
    match watch.end() {
        Ok(()) => None,
        Err(ModelError::Overflow { limit, .. }) => Some(limit),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn what_was_read_must_be_most_of_what_was_sent() {
    let cases = [
        // Read as sent, more than estimated, somewhat less.
        ((9_000, 9_000), None),
        ((9_000, 12_000), None),
        ((10_000, 6_000), None),
        // Cut.
        ((10_000, 5_999), Some(None)),
        ((9_000, 2_050), Some(Some(4_096))),
        ((9_000, 2_051), Some(Some(4_096))),
        ((90_000, 32_770), Some(Some(65_536))),
        ((9_000, 4_096), Some(Some(4_096))),
        // No report, and too little to say anything.
        ((9_000, 0), None),
        ((511, 10), None),
        ((512, 10), Some(None)),
        ((u64::MAX, u64::MAX), None),
    ];
    for ((sent, read), expected) in cases {
        assert_eq!(end(sent, 0, read), expected, "{sent} sent, {read} read");
    }
}

#[test]
fn tools_that_a_template_leaves_out_are_not_missed() {
    let cases = [
        // All of the words were read, none of the tools.
        ((2_000, 5_000, 2_000), None),
        ((100, 5_000, 90), None),
        // Half of the words are gone as well.
        ((4_000, 5_000, 2_100), Some(None)),
        // The figure is that of a cut.
        ((2_000, 5_000, 2_050), Some(Some(4_096))),
        ((20_000, 30_000, 20_482), Some(Some(40_960))),
    ];
    for ((words, tools, read), expected) in cases {
        assert_eq!(end(words, tools, read), expected, "{words} words, {tools} of tools, {read} read");
    }
}

#[test]
fn the_window_shows_in_what_is_left() {
    for n in [1_024_u64, 2_048, 4_096, 8_192, 131_072] {
        assert_eq!(window(n / 2 + 2, 40_960), Some(n));
        assert_eq!(window(n / 2 + 3, 40_960), Some(n));
        assert_eq!(window(n, 40_960), Some(n));
        assert_eq!(window(n / 2 + 9, 40_960), None);
    }
    assert_eq!(window(20_482, 40_960), Some(40_960));
    assert_eq!(window(20_482, 8_192), None);
    for read in [0, 1, 3, 200, u64::MAX] {
        assert_eq!(window(read, 1_000), None, "{read}");
    }
}

#[test]
fn the_message_names_numbers_and_the_mend() {
    let mut watch = Watch::new(Sent { words: 9_000, tools: 0 }, 32_768);
    watch.reported(2_050);
    let said = watch.end().unwrap_err().to_string();
    for part in ["2050 of about 9000", "4096", "32768", "num_ctx", "OLLAMA_CONTEXT_LENGTH"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn pictures_and_thinking_are_not_counted() {
    let bare = sent(&request(parse("user: one two three\nassistant: four\nuser: five")), &WordCounter);
    let mut messages = parse("user: one two three\nassistant: four\n  thinking: six seven eight\nuser: five");
    messages[0]
        .content
        .push(ContentBlock::Image(Image { media_type: "image/png".into(), data: "aW1n".into() }));
    assert_eq!(sent(&request(messages), &WordCounter), bare);
}

#[test]
fn figures_of_the_transcript_are_taken_as_they_are() {
    let mut request = request(parse("user: one two three"));
    let before = sent(&request, &WordCounter);
    let entries: Vec<Entry> =
        request.transcript.entries().iter().map(|entry| Entry { tokens: 1_000, ..entry.clone() }).collect();
    let json = serde_json::to_value(&entries).unwrap();
    request.transcript = serde_json::from_value::<Transcript>(json).unwrap();
    assert_eq!(sent(&request, &WordCounter), Sent { words: before.words - 3 + 1_000, ..before });
}
