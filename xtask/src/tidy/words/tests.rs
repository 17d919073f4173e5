//! Refused words, in any case, and the folders that some files may name. The words come from the list.

use super::{MAY_NAME_RECORDINGS, RECORDINGS, REFUSED, SKIPPED, check};
use crate::tidy::findings_of;

#[test]
fn a_text_about_the_project_passes() {
    assert!(findings_of(check, "README.md", "Works with shared crates.\n").is_empty());
}

#[test]
fn every_word_is_found_in_any_case() {
    for word in REFUSED {
        let found = findings_of(check, "docs/a.md", &format!("\nsee {}x\n", word.to_uppercase()));
        assert_eq!(found, [format!("docs/a.md:2: `{word}` leads out of the project: leave it out")]);
    }
}

#[test]
fn the_default_folders_of_recordings_may_be_named_in_few_places() {
    for folder in RECORDINGS {
        let line = format!("default {folder}\n");
        for place in MAY_NAME_RECORDINGS {
            let path = if place.ends_with('/') { format!("{place}a.rs") } else { (*place).to_owned() };
            assert!(findings_of(check, &path, &line).is_empty(), "{path}");
        }
        assert_eq!(findings_of(check, "crates/replay/src/lib.rs", &line).len(), 1);
    }
    let other = RECORDINGS.concat().replace("traces", "design");
    assert_eq!(findings_of(check, "docs/a.md", &other).len(), 1, "only those folders");
}

#[test]
fn files_that_must_hold_the_words_are_skipped() {
    for path in SKIPPED {
        assert!(findings_of(check, path, &REFUSED.join("\n")).is_empty(), "{path}");
    }
}
