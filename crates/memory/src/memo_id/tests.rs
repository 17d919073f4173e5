//! Names are short, lasting, and typed with little care.

use proptest::prelude::*;

use super::MemoId;

#[test]
fn a_name_grows_until_it_is_free() {
    let names: Vec<String> = MemoId::candidates(None, "x").take(15).map(|id| id.to_string()).collect();
    assert_eq!(names[0].len(), "m-1f3a".len());
    assert!(
        names[..13].windows(2).all(|pair| pair[1].starts_with(&pair[0])),
        "one digit more each time: {names:?}"
    );
    assert_eq!(names[12].len(), 2 + 16);
    assert!(!names[13].starts_with(&names[0]), "then another number: {names:?}");
    assert_eq!(MemoId::candidates(None, "x").next(), MemoId::candidates(None, "x").next());
    assert_ne!(MemoId::candidates(None, "x").next(), MemoId::candidates(Some("/w"), "x").next());
}

#[test]
fn a_name_is_read_as_people_write_it() {
    for text in ["m-1f3a", " M-1F3A ", "1f3a", "[m-1f3a]", "1F3A"] {
        assert_eq!(MemoId::from_text(text).as_str(), "m-1f3a", "{text:?}");
    }
    assert_eq!(MemoId::from_text("not a name").as_str(), "not a name");
    assert_eq!(MemoId::from_text("face").as_str(), "m-face", "a word of hexadecimal digits is a name");
}

#[test]
fn short_names_are_spread_evenly() {
    let mut names: Vec<MemoId> =
        (0..500).filter_map(|n| MemoId::candidates(None, &format!("fact {n}")).next()).collect();
    names.sort();
    names.dedup();
    assert!(names.len() > 490, "{} of 500 differ", names.len());
}

#[test]
fn brackets_and_spaces_around_a_name_do_not_matter_in_any_order() {
    for text in ["[m-1]", " [ m-1 ] ", "m-1 [", "] m-1"] {
        assert_eq!(MemoId::from_text(text).as_str(), "m-1", "{text:?}");
    }
}

proptest! {
    #[test]
    fn any_text_is_a_name(text in "\\PC{0,20}") {
        let id = MemoId::from_text(&text);
        prop_assert_eq!(MemoId::from_text(id.as_str()), id);
    }
}
