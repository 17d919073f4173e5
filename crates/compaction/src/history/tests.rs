//! Progress passes from summary to summary.

use throughline_conversation::TokenCounter;
use throughline_testkit::{WordCounter, view};

use super::{RangeFacts, progress_of};

const FIRST: &str =
    "[Summary]\n\n## Progress\nthe parser was done first\n\n## Names\nin one: a.rs\n\n## Reading back\nnone";
const SECOND: &str = "[Summary]\n\n## Progress\nthe lexer was done then\n\n## Reading back\nnone";

fn history_of(summaries: &[&'static str]) -> RangeFacts<'static> {
    let mut history = RangeFacts::default();
    summaries.iter().for_each(|text| history.merge(text));
    history
}

#[test]
fn the_progress_of_all_summaries_is_oldest_first() {
    let history = history_of(&[FIRST, SECOND]);
    let both = "the parser was done first\n\nthe lexer was done then";
    assert_eq!(history.previous().as_deref(), Some(both));
    assert_eq!(history.previous_within(100, &WordCounter), both);
    assert_eq!(history_of(&[]).previous(), None);
    assert_eq!(history_of(&[]).previous_within(100, &WordCounter), "");
}

#[test]
fn the_newest_is_complete_and_older_are_cut() {
    const LONG: &str = "w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 end.";
    let history = history_of(&[LONG, FIRST, SECOND]);
    let previous = history.previous_within(22, &WordCounter);
    assert!(previous.starts_with("w0 ") && previous.contains("bytes left out"), "{previous}");
    assert!(previous.ends_with("end.\n\nthe parser was done first\n\nthe lexer was done then"), "{previous}");
    assert!(WordCounter.text(&previous) <= 22, "{previous}");
    // There is room for one and a bit: the oldest is left out.
    assert_eq!(
        history.previous_within(11, &WordCounter),
        "the parser was done first\n\nthe lexer was done then"
    );
    // The newest alone is too long: the caller cuts it.
    assert_eq!(history.previous_within(2, &WordCounter), "the lexer was done then");
}

#[test]
fn a_summary_of_another_form_is_progress_and_a_notice_has_no_progress() {
    assert_eq!(progress_of("We did it."), Some("We did it."));
    assert_eq!(progress_of(FIRST), Some("the parser was done first"));
    assert_eq!(progress_of("[Summary]\n\n## Reading back\nnone"), None);
    let notice = "[Messages left out to fit the window: records 1 to 2. Full text: none]";
    assert_eq!(progress_of(notice), None);
    let view = view("user: one\nassistant: a");
    assert_eq!(RangeFacts::gather(view.entries()).previous(), None);
}
