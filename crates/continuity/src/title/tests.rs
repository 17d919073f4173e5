//! Which texts a title was made of.

use super::{is_title_of, title_of};

#[test]
fn a_title_is_recognized_in_the_text_that_gave_it() {
    for text in ["Fix the parser.", "\n  Fix \u{202e}it.\nThen test.", &"long ".repeat(100)] {
        let title = title_of(text);
        assert!(title.chars().count() <= 120, "{title}");
        assert!(is_title_of(&title, text), "{title}");
        assert!(!is_title_of(&title, "Another request."));
    }
}

#[test]
fn an_empty_title_was_made_of_no_text() {
    assert!(!is_title_of("", "Fix the parser."));
}
