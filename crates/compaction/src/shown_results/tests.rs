//! Results with the calls that they answer.

use throughline_conversation::{Image, Message, ToolResult};
use throughline_testkit::{WordCounter, view};

use super::*;
use crate::goal::CompactionJob;
use crate::stub::cleared_stub;
use crate::testing::session;

const TALK: &str = "user: go\nassistant: both\n  -> c1 read {\"path\":\"a.rs\"}\n  -> c2 shell {}\nresults:\n  c2 = two words\n  c1 = one\n\
                    assistant: again\n  -> c3 read {}\nresults:\n  c3 = three";

#[test]
fn each_result_has_its_call_and_its_place() {
    let view = view(TALK);
    let found: Vec<_> = shown_results(view.entries())
        .iter()
        .map(|shown| {
            (shown.entry, shown.record, shown.part, shown.call.name.as_str(), shown.result.content.as_str())
        })
        .collect();
    assert_eq!(
        found,
        [
            (2, Seq(3), 0, "shell", "two words"),
            (2, Seq(3), 1, "read", "one"),
            (4, Seq(5), 0, "read", "three"),
        ]
    );
}

#[test]
fn a_result_with_a_picture_or_without_its_call_is_left_out() {
    let view = view(TALK);
    let mut entries = view.entries().to_vec();
    let image = Image { media_type: "image/png".to_owned(), data: "AAAA".to_owned() };
    let pictured = ToolResult { images: vec![image], ..ToolResult::text("c3", "three") };
    entries[4].message = std::sync::Arc::new(Message::results([pictured]));
    entries.remove(1);
    assert!(shown_results(&entries).is_empty());
}

#[test]
fn the_reference_of_a_result_is_that_of_its_stub_or_a_new_one() {
    let (view, session) = (view(TALK), session());
    let job = CompactionJob::new(&session, &view, &WordCounter, 1_000);
    let mut draft = Draft::new(&job);
    let shown = shown_results(view.entries());
    let stored = shown[0].store(&mut draft);
    let expected = ResultRef::of(&session, b"two words");
    assert_eq!(stored, StoredReference { stored: expected, bytes: 9 });

    let earlier = ResultRef::from_text("r-0000000000000007");
    let stub = ToolResult::text("c1", cleared_stub(5_000, "read", &earlier, &[]));
    let known = ShownResult { result: &stub, ..shown[1] }.store(&mut draft);
    assert_eq!(known, StoredReference { stored: earlier, bytes: 5_000 });
}
