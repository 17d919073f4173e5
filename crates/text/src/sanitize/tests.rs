//! Invisible characters are removed, except where a script or an emoji needs them.

use std::borrow::Cow;

use super::{revealed, sanitized};
use proptest::prelude::*;

fn check(text: &str, after: &str) {
    assert_eq!(sanitized(text), after, "{}", text.escape_unicode());
}

#[test]
fn what_hides_or_turns_text_is_left_out() {
    check("pay \u{202e}evila\u{202c} now", "pay evila now");
    check("\u{2066}a\u{2069}\u{200e}b\u{200f}\u{61c}", "ab");
    check("\u{feff}zero\u{200b}width\u{2060}\u{ad}", "zerowidth");
    check("bell\u{7} esc\u{1b}[31m del\u{7f} c1\u{9b}", "bell esc[31m del c1");
    check("a\r\nb\tc\0", "a\nb\tc");
    check("one\u{2028}two\u{2029}three", "one two three");
    check("filler\u{3164}\u{115f}\u{ffa0}", "filler");
    check("non\u{fffe}\u{1ffff}\u{fdd0}", "non");
}

#[test]
fn what_hides_or_turns_text_is_shown_by_its_number() {
    for (text, shown) in [
        ("pay \u{202e}evila\u{202c} now", "pay ⟨U+202E⟩evila⟨U+202C⟩ now"),
        ("\u{2066}a\u{2069}", "⟨U+2066⟩a⟨U+2069⟩"),
        ("bell\u{7} esc\u{1b}[31m del\u{7f} c1\u{9b}", "bell⟨U+0007⟩ esc⟨U+001B⟩[31m del⟨U+007F⟩ c1⟨U+009B⟩"),
        ("a\r\nb\rc\td\0", "a\nb⟨U+000D⟩c\td⟨U+0000⟩"),
        ("one\u{2028}two\u{feff}", "one⟨U+2028⟩two⟨U+FEFF⟩"),
        ("tag\u{e0041}", "tag⟨U+E0041⟩"),
        ("👩\u{200d}💻 می\u{200c}خواهم", "👩\u{200d}💻 می\u{200c}خواهم"),
    ] {
        assert_eq!(revealed(text), shown, "{}", text.escape_unicode());
        assert_eq!(revealed(shown), shown);
        assert_eq!(sanitized(shown), shown, "nothing invisible is left");
    }
    assert!(matches!(revealed("plain"), Cow::Borrowed("plain")));
}

// C-03: letters of the tag block spell an order that only a model reads.
#[test]
fn tags_and_runs_of_selectors_say_nothing() {
    let order: String = "ignore all".bytes().filter_map(|b| char::from_u32(0xe0000 + u32::from(b))).collect();
    check(&format!("hello{order}"), "hello");
    let bytes: String = (0..40).filter_map(|n| char::from_u32(0xe0100 + n)).collect();
    check(&format!("hello{bytes}"), "hello");
    check(&format!("😀{bytes}"), "😀");
    check("😀\u{fe0f}\u{fe0e}\u{fe00}\u{fe01}", "😀\u{fe0f}");
    check("a\u{fe0f} \u{fe0f}", "a ");
}

#[test]
fn honest_work_is_kept() {
    for text in [
        "👩\u{200d}👩\u{200d}👧 and 👨🏽\u{200d}💻",
        "🏳\u{fe0f}\u{200d}🌈",
        "❤\u{fe0f}\u{200d}🔥",
        "1\u{fe0f}\u{20e3} #\u{fe0f}\u{20e3}",
        "می\u{200c}خواهم",
        "क्\u{200d}ष र्\u{200d}य",
        "\u{845b}\u{e0100}飾区",
        "naïve cafe\u{301} 日本語 한국어 שלום",
        "",
    ] {
        check(text, text);
        assert!(matches!(sanitized("plain ünïcode 🎉"), Cow::Borrowed(_)), "nothing to do, nothing copied");
    }
}

#[test]
fn joiners_without_work_go() {
    check("ab\u{200d}cd\u{200c}e", "abcde");
    check("👩\u{200d}", "👩");
    check("\u{200d}👩", "👩");
    check("👩\u{200d}\u{200d}👧", "👩\u{200d}👧");
    check("क्\u{200d} ", "क् ");
    check("د\u{200c}\u{202e}ر", "در");
}

proptest! {
    #[test]
    fn once_is_enough(text in "(\\PC|[\u{200b}-\u{2069}\u{fe00}-\u{fe0f}\u{e0020}-\u{e01ef}\u{600}-\u{620}👩❤\u{0}-\u{1f}]){0,30}") {
        let once = sanitized(&text).into_owned();
        prop_assert_eq!(sanitized(&once), once.as_str());
        prop_assert!(once.len() <= text.len());
        prop_assert_eq!(once.lines().count() > 0, !once.is_empty());
        prop_assert_eq!(once.matches('\n').count(), text.matches('\n').count(), "lines keep their numbers");
        let plain = |text: &str| text.chars().filter(char::is_ascii_graphic).collect::<String>();
        prop_assert_eq!(plain(&once), plain(&text), "nothing that is seen is lost");
    }
}
