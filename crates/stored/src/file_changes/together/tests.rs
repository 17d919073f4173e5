//! Files of several turns.

use throughline_conversation::{FileVersion, ResultRef, SessionId};

use super::*;

fn version(text: &str) -> FileVersion {
    version_in("a", text)
}

/// A content that a session has stored.
fn version_in(session: &str, text: &str) -> FileVersion {
    let stored = ResultRef::of(&SessionId::new(session).unwrap(), text.as_bytes());
    let hash = FileVersion::hash(text.as_bytes());
    FileVersion::Content { stored, hash, bytes: text.len() as u64, mode: 0o644 }
}

fn turn(path: &str, before: &FileVersion, after: &FileVersion) -> TurnFiles {
    let versions = vec![before.clone(), after.clone()];
    let file = TurnFile { path: path.into(), before: before.clone(), after: after.clone(), versions };
    TurnFiles { files: vec![file], ..TurnFiles::default() }
}

#[test]
fn a_file_that_several_turns_changed_is_what_it_was_before_the_oldest() {
    let (first, second, third) = (version("1"), version("2"), version("3"));
    let all = TurnFiles::together([turn("a", &second, &third), turn("a", &first, &second)]);
    let [file] = all.files.as_slice() else { panic!("{all:?}") };
    assert_eq!((&file.before, &file.after), (&first, &third));
}

#[test]
fn a_content_that_another_session_stored_is_the_same_content() {
    let (first, second, third) = (version_in("agent", "1"), version_in("agent", "2"), version("3"));
    let all = TurnFiles::together([turn("a", &version("2"), &third), turn("a", &first, &second)]);
    let [file] = all.files.as_slice() else { panic!("{all:?}") };
    assert_eq!(file.before, first);
    assert!(file.versions.contains(&first), "a content of the earlier turn is undone too");
}

#[test]
fn a_change_by_the_user_between_two_turns_stays() {
    let (first, second, own, last) = (version("1"), version("2"), version("own"), version("last"));
    let all = TurnFiles::together([turn("a", &own, &last), turn("a", &first, &second)]);
    let [file] = all.files.as_slice() else { panic!("{all:?}") };
    assert_eq!(file.before, own);
}
