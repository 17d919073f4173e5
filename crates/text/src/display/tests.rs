//! Text that is shown.

use super::plain;

#[test]
fn joined_emoji_stay_one_picture_in_titles_and_messages() {
    assert_eq!(plain("👩\u{200d}👩\u{200d}👧"), "👩\u{200d}👩\u{200d}👧");
    assert_eq!(plain("a\u{200d}b\u{1b}[2J"), "a\u{fffd}b\u{fffd}[2J");
}
