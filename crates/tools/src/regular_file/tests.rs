//! Tests of opening regular files.

use std::io::Read as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{OpenError, open_regular};

fn pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn a_regular_file_is_opened_and_everything_else_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("file"), "text").unwrap();
    std::os::unix::fs::symlink("file", at("link")).unwrap();
    pipe(&at("pipe"));
    for name in ["file", "link"] {
        let (mut file, metadata) = open_regular(&at(name)).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!((text.as_str(), metadata.len()), ("text", 4));
    }
    for path in [at("pipe").as_path(), folder.path(), Path::new("/dev/null")] {
        assert!(matches!(open_regular(path), Err(OpenError::Special(_))), "{}", path.display());
    }
    assert!(matches!(open_regular(&at("none")), Err(OpenError::Refused(_))));
}

#[test]
fn opening_does_not_block_when_a_pipe_replaces_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("file"), "text").unwrap();
    pipe(&at("pipe"));
    std::os::unix::fs::symlink("file", at("place")).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for target in ["pipe", "file"].into_iter().cycle() {
                if done.load(Ordering::Relaxed) {
                    break;
                }
                std::os::unix::fs::symlink(target, at("new")).unwrap();
                std::fs::rename(at("new"), at("place")).unwrap();
            }
        });
        // A blocking open would hang here sooner or later: the pipe has no writer.
        for _ in 0..5_000 {
            if let Ok((_, metadata)) = open_regular(&at("place")) {
                assert!(metadata.is_file());
            }
        }
        done.store(true, Ordering::Relaxed);
    });
}
