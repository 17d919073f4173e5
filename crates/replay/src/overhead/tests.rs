//! Tests of the placeholder.

use proptest::prelude::proptest;
use throughline_conversation::TokenCounter;
use throughline_testkit::WordCounter;

use super::{LINE, filler};

proptest! {
    #[test]
    fn it_fills_what_is_asked_for_but_for_less_than_a_line(tokens in 0u64..3_000) {
        let text = filler(tokens, &WordCounter);
        let line = WordCounter.text(LINE) + 1;
        let has = WordCounter.text(&text);
        assert!(has <= tokens && has + line > tokens, "{has} of {tokens}");
        assert_eq!(text, filler(tokens, &WordCounter), "the same each time");
    }
}
