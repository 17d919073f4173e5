//! Names in other normalizations, and the longest paths.

use std::fs;
use std::time::{Duration, Instant};

use super::{MAX_PATH, TargetError, resolve_target};

#[test]
fn a_name_is_found_in_another_normalization() {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().canonicalize().unwrap();
    let (nfc, nfd) = ("r\u{e9}sum\u{e9}", "re\u{301}sume\u{301}");
    fs::create_dir(real.join(nfd)).unwrap();
    fs::write(real.join(nfd).join(format!("{nfc}.txt")), "v").unwrap();
    let found = resolve_target(&real, &format!("{nfc}/{nfd}.txt")).unwrap();
    assert_eq!(found, real.join(nfd).join(format!("{nfc}.txt")));
    // An exact name wins, and a new file has the name that was asked for.
    fs::create_dir(real.join(nfc)).unwrap();
    assert_eq!(resolve_target(&real, nfc).unwrap(), real.join(nfc));
    assert_eq!(resolve_target(&real, "\u{e9}/new").unwrap(), real.join("\u{e9}/new"));
}

#[test]
fn a_path_that_the_system_does_not_take_is_refused_before_it_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().canonicalize().unwrap();
    // As many bytes as a path may have, with and without the zero at its end.
    let path = |bytes: usize| format!("{}{}", "a/".repeat(bytes / 2), "b".repeat(bytes % 2));
    let longest = path(MAX_PATH - 1);
    assert_eq!(longest.len(), 4_095);
    assert_eq!(resolve_target(&real, &longest).unwrap(), real.join(longest.trim_end_matches('/')));
    for bytes in [MAX_PATH, MAX_PATH + 1, 240_000, 800_000] {
        let begun = Instant::now();
        assert_eq!(resolve_target(&real, &path(bytes)), Err(TargetError::TooLong), "{bytes}");
        assert!(begun.elapsed() < Duration::from_secs(1), "{bytes}: {:?}", begun.elapsed());
    }
}
