//! The note's exact text.

use super::context_note;

// S3-25
#[test]
fn the_note_says_how_full_the_context_is() {
    let note = "[Context: 83% used. You can call compact_context to free space before continuing with large operations.]";
    assert_eq!(context_note(83), note);
    assert!(context_note(100).starts_with("[Context: 100% used."));
}
