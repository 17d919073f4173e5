//! Laws of cutting raw bytes, over hostile Unicode and over plain garbage.

use proptest::prelude::*;

use super::{fit_end, fit_start, next_boundary, text, units};

/// Texts with marks, emoji and right-to-left letters, bytes that are no text, and mixtures.
pub(crate) fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop_oneof![
        4 => "[ -~\n]{0,12}".prop_map(String::into_bytes),
        2 => "\\PC{0,6}".prop_map(String::into_bytes),
        2 => prop::sample::select(vec!["é", "e\u{301}", "👩\u{200d}👩\u{200d}👧", "日本語", "\u{202e}ש", "İ", "\0", "\r\n"])
            .prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..6),
        1 => prop::sample::select(vec![&b"\xf0\x9f"[..], b"\xe2\x82", b"\x80\x80\x80\x80", b"\xff", b"\xed\xa0\x80"])
            .prop_map(<[u8]>::to_vec),
    ];
    prop::collection::vec(pieces, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn units_are_the_lossy_text(bytes in hostile()) {
        let shown: String = units(&bytes).map(|unit| unit.shown).collect();
        prop_assert_eq!(shown, String::from_utf8_lossy(&bytes).into_owned());
        let ends: Vec<usize> = units(&bytes).map(super::ShownChar::end).collect();
        let starts: Vec<usize> = units(&bytes).skip(1).map(|unit| unit.at).collect();
        prop_assert_eq!(ends.last().copied().unwrap_or(0), bytes.len());
        prop_assert_eq!(ends.split_last().map_or(&[][..], |(_, rest)| rest), &starts[..]);
    }

    #[test]
    fn next_boundary_is_the_first_start_of_a_unit(bytes in hostile(), at in 0_usize..200) {
        let expected = units(&bytes).map(|unit| unit.at).find(|start| *start >= at).unwrap_or(bytes.len());
        prop_assert_eq!(next_boundary(&bytes, at), expected);
    }

    #[test]
    fn start_and_end_fit_and_one_more_unit_would_not(bytes in hostile(), limit in 0_usize..100) {
        let end = fit_start(&bytes, limit);
        prop_assert!(text(&bytes, 0, end).len() <= limit);
        if let Some(next) = units(&bytes).find(|unit| unit.at == end) {
            prop_assert!(text(&bytes, 0, next.end()).len() > limit);
        }
        let start = fit_end(&bytes, limit);
        prop_assert!(text(&bytes, start, bytes.len()).len() <= limit);
        if let Some(before) = units(&bytes).find(|unit| unit.end() == start) {
            prop_assert!(text(&bytes, before.at, bytes.len()).len() > limit);
        }
    }
}

// F-30: a cut through a character.
#[test]
fn a_broken_character_is_one_unit() {
    let bytes = b"a\xe2\x82b\xf0\x9f\x98\x80";
    let shown: Vec<(usize, usize, char)> = units(bytes).map(|unit| (unit.at, unit.len, unit.shown)).collect();
    assert_eq!(shown, [(0, 1, 'a'), (1, 2, '\u{fffd}'), (3, 1, 'b'), (4, 4, '😀')]);
}
