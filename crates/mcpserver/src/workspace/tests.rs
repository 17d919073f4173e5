//! Which folders are visible.

use std::path::PathBuf;

use super::{Visible, Workspace, folder};

fn visible(any_folder: bool) -> Visible {
    Visible { folder: PathBuf::from("/start"), any_folder, roots: true }
}

#[test]
fn without_roots_only_the_start_folder_is_visible() {
    let workspace = Workspace::new(&visible(false), &[]);
    assert_eq!(workspace.home, "/start");
    assert!(workspace.shows("/start") && !workspace.shows("/other") && !workspace.shows("/start/sub"));
}

#[test]
fn a_root_becomes_the_home_of_a_server_that_was_started_elsewhere() {
    let workspace = Workspace::new(&visible(false), &[PathBuf::from("/project"), PathBuf::from("/second")]);
    assert_eq!(workspace.home, "/project");
    assert!(workspace.shows("/second") && workspace.shows("/start") && !workspace.shows("/other"));
    let workspace = Workspace::new(&visible(false), &[PathBuf::from("/second"), PathBuf::from("/start")]);
    assert_eq!(workspace.home, "/start");
}

#[test]
fn with_any_folder_all_are_visible() {
    assert!(Workspace::new(&visible(true), &[]).shows("/other"));
}

#[test]
fn a_root_that_is_no_existing_folder_is_left_out() {
    let here = tempfile::tempdir().unwrap();
    let real = here.path().canonicalize().unwrap();
    assert_eq!(folder(&format!("file://{}", here.path().display())), Some(real));
    for uri in ["file:///no/such/folder", "https://example.com/", "../..", "file://%00", "\0"] {
        assert_eq!(folder(uri), None, "{uri:?}");
    }
}
