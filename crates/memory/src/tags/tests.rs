//! Tags have one form.

use proptest::prelude::*;

use super::{MAX_TAGS, merged_tags, normalised_tag, normalised_tags};
use crate::error::MemoryError;

// S4-19
#[test]
fn tags_are_lower_case_words_with_dashes() {
    for (text, tag) in [
        ("arch-decision", "arch-decision"),
        ("Arch Decision", "arch-decision"),
        ("api_design", "api-design"),
        ("  #gotcha! ", "gotcha"),
        ("C++", "c++"),
        ("C#", "c#"),
        ("node.js", "node.js"),
        ("über/größe", "über-größe"),
        ("設定", "設定"),
        (".#Σ", "σ"),
        ("-.#-x.-", "x"),
    ] {
        assert_eq!(normalised_tag(text).unwrap(), tag, "{text:?}");
    }
    for text in ["", " ", "--", "#", "+", "🎉", &"x".repeat(41)] {
        let error = normalised_tag(text).unwrap_err();
        assert!(matches!(error, MemoryError::BadTag { .. }), "{text:?}");
        assert!(error.to_string().contains("such as arch-decision"), "{error}");
    }
}

#[test]
fn tags_count_once_and_are_bounded() {
    assert_eq!(normalised_tags(&["A b", "a-b", "c"]).unwrap(), ["a-b", "c"]);
    let many: Vec<String> = (0..=MAX_TAGS).map(|n| format!("t{n}")).collect();
    assert!(matches!(normalised_tags(&many), Err(MemoryError::TooManyTags { count: 13 })));
    let (first, last) = (&many[..MAX_TAGS - 1], &many[MAX_TAGS - 2..]);
    assert_eq!(merged_tags(first, last), many[..MAX_TAGS], "merging keeps the bound, the old ones first");
}

proptest! {
    #[test]
    fn the_form_is_final_and_has_no_space(text in "\\PC{0,30}") {
        if let Ok(tag) = normalised_tag(&text) {
            prop_assert!(!tag.contains(char::is_whitespace));
            prop_assert_eq!(normalised_tag(&tag).unwrap(), tag);
        }
    }
}
