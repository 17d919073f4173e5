//! The note's exact text.

use super::{context_note, longest_context_note, standing_percent};

// S3-25
#[test]
fn the_note_says_how_full_the_context_is() {
    let note = "[Context: 83% used. You can call compact_context to free space before continuing with large operations.]";
    assert_eq!(context_note(83), note);
    assert!(context_note(100).starts_with("[Context: 100% used."));
}

#[test]
fn no_note_is_longer_than_that_of_a_full_context() {
    let longest = longest_context_note();
    assert!(longest.starts_with("[Context: 100% used."), "{longest}");
    assert!((0..=100).all(|percent| context_note(percent).len() <= longest.len()));
}

// S3-25
#[test]
fn the_figure_of_a_standing_note_changes_in_steps() {
    let figures = [80, 81, 84, 85, 86, 89, 90, 82];
    let mut shown = None;
    let shown: Vec<u64> = figures
        .into_iter()
        .map(|percent| {
            shown = Some(standing_percent(shown, percent));
            shown.unwrap()
        })
        .collect();
    assert_eq!(shown, [80, 80, 80, 85, 85, 85, 90, 82]);
}
