//! Names in other normalizations.

use std::fs;

use super::resolve_target;

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
