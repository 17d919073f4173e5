//! Tests of opening and replacing beneath a folder, by the kernel and in steps.

#[cfg(target_os = "linux")]
pub(crate) mod exchange;

use std::fs;
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use tempfile::TempDir;

use super::open::Opener;
use super::{RootFolder, is_race};
use crate::regular_file::OpenError;

/// A root with a link to a folder outside, opened in one way.
fn place(opener: Opener) -> (TempDir, RootFolder) {
    let all = TempDir::new().unwrap();
    let top = all.path().canonicalize().unwrap();
    fs::create_dir_all(top.join("root/a/b")).unwrap();
    fs::create_dir(top.join("out")).unwrap();
    fs::write(top.join("root/a/b/file"), "inside").unwrap();
    fs::write(top.join("out/file"), "outside").unwrap();
    symlink(top.join("out"), top.join("root/link")).unwrap();
    symlink("b/file", top.join("root/a/inner")).unwrap();
    let root = RootFolder::open_with(&top.join("root"), opener).unwrap();
    (all, root)
}

fn each(check: impl Fn(&Path, &RootFolder)) {
    for steps_only in [false, true] {
        let (all, root) = place(Opener { steps_only });
        check(&all.path().canonicalize().unwrap(), &root);
    }
}

#[test]
fn a_file_beneath_is_read_and_a_link_is_not_followed() {
    each(|_, root| {
        let (mut file, _) = root.open_regular(Path::new("a/b/file")).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "inside");
        for path in ["link/file", "link", "a/inner"] {
            let Err(OpenError::Refused(error)) = root.open_regular(Path::new(path)) else { panic!("{path}") };
            assert!(is_race(&error), "{path}: {error}");
        }
        for path in ["../out/file", "a/../../out/file", "/etc/passwd"] {
            assert!(root.open_regular(Path::new(path)).is_err(), "{path}");
        }
        assert!(matches!(root.open_regular(Path::new("a")), Err(OpenError::Special(_))));
        let mut names = root.names(Path::new("")).unwrap();
        names.sort();
        assert_eq!(names, ["a", "link"]);
        assert_eq!(root.names(Path::new("none")).unwrap_err().kind(), ErrorKind::NotFound);
        assert!(root.names(Path::new("link")).is_err());
    });
}

#[test]
fn a_file_is_replaced_beneath_with_its_folders_and_rights() {
    each(|top, root| {
        root.replace(Path::new("a/new/deep/file"), b"one", None).unwrap();
        root.replace(Path::new("top"), b"two", None).unwrap();
        assert_eq!(fs::read_to_string(top.join("root/a/new/deep/file")).unwrap(), "one");
        assert_eq!(fs::read_to_string(top.join("root/top")).unwrap(), "two");
        let script = top.join("root/a/b/file");
        fs::set_permissions(&script, fs::Permissions::from_mode(0o750)).unwrap();
        root.replace(Path::new("a/b/file"), b"three", None).unwrap();
        assert_eq!(fs::metadata(&script).unwrap().permissions().mode() & 0o777, 0o750);
        fs::set_permissions(&script, fs::Permissions::from_mode(0o400)).unwrap();
        let denied = root.replace(Path::new("a/b/file"), b"four", None).unwrap_err();
        assert_eq!(denied.kind(), ErrorKind::PermissionDenied);
        assert_eq!(root.replace(Path::new("a"), b"x", None).unwrap_err().kind(), ErrorKind::IsADirectory);
    });
}

#[test]
fn nothing_is_written_through_a_link_and_no_draft_stays() {
    each(|top, root| {
        for path in ["link/new", "link", "a/inner", "../out/new"] {
            assert!(root.replace(Path::new(path), b"x", None).is_err(), "{path}");
        }
        let names = |folder: &str| {
            let names = fs::read_dir(top.join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<_> = names.collect();
            names.sort();
            names
        };
        assert_eq!(names("out"), ["file"]);
        assert_eq!(names("root"), ["a", "link"]);
        assert_eq!(names("root/a"), ["b", "inner"]);
    });
}

#[test]
fn a_root_is_not_opened_through_a_link() {
    each(|top, root| {
        assert!(RootFolder::open_with(&top.join("root/link"), root.opener).is_err());
        assert!(RootFolder::open_with(Path::new("relative"), root.opener).is_err());
        assert_eq!(RootFolder::open_with(top, root.opener).unwrap().path(), top);
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_is_exchanged_with_a_link_leads_nowhere_else() {
    use exchange::exchanging;
    each(|top, root| {
        exchanging(&top.join("root/a"), &top.join("root/link"), || {
            for number in 0..500 {
                let _ = root.replace(&Path::new("a").join(format!("pwn{number}")), b"x", None);
                if let Ok((mut file, _)) = root.open_regular(Path::new("a/file")) {
                    let mut text = String::new();
                    file.read_to_string(&mut text).unwrap();
                    panic!("read {text}");
                }
            }
        });
        let outside: Vec<_> =
            fs::read_dir(top.join("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(outside, ["file"]);
        let drafts = |folder: &Path| {
            fs::read_dir(folder)
                .unwrap()
                .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".tmp"))
                .count()
        };
        assert_eq!(drafts(&top.join("root/a")) + drafts(&top.join("root/link")), 0);
    });
}
