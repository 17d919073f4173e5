//! Present, absent, and absent although asked for are three different answers.

use std::ffi::OsStr;
use std::path::Path;

use super::{OptionalInput, Traces, locate_from};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_named_folder_that_exists_is_found() {
    let found = locate_from(OptionalInput::Wire, Path::new("/"), Some(here().as_os_str()));
    assert_eq!(found, Traces::Found(here().canonicalize().unwrap()));
}

#[test]
fn a_named_folder_that_is_missing_was_asked_for() {
    match locate_from(OptionalInput::Traces, here(), Some(OsStr::new("/no/such/folder"))) {
        Traces::Absent { reason, asked_for: true } => {
            assert!(reason.contains("`/no/such/folder`"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn without_the_variable_traces_are_optional() {
    for value in [None, Some(OsStr::new(""))] {
        match locate_from(OptionalInput::Wire, Path::new("/no/such/root"), value) {
            Traces::Absent { asked_for: false, .. } => {}
            other => panic!("{other:?}"),
        }
    }
}
