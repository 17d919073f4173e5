//! Tests of files that are restored.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use tempfile::TempDir;

use super::ExactFile;
use crate::changed_file::FileContent;

#[test]
fn a_file_is_written_read_and_removed_with_its_rights() {
    let folder = TempDir::new().unwrap();
    let top = folder.path().canonicalize().unwrap();
    let file = ExactFile::at(&top.join("new/a.sh")).unwrap();
    assert_eq!(file.read().unwrap(), FileContent::Missing);
    file.remove(None).unwrap();
    file.write(b"one", 0o750).unwrap();
    assert_eq!(file.read().unwrap(), FileContent::Read { bytes: b"one".to_vec(), mode: 0o750 });
    file.write(b"two", 0o600).unwrap();
    assert_eq!(file.read().unwrap(), FileContent::Read { bytes: b"two".to_vec(), mode: 0o600 });
    file.remove(None).unwrap();
    assert!(!top.join("new/a.sh").exists());
    assert!(ExactFile::at(Path::new("a.sh")).is_err());
}

#[test]
fn a_path_that_leads_through_a_link_now_is_refused() {
    let folder = TempDir::new().unwrap();
    let top = folder.path().canonicalize().unwrap();
    fs::create_dir(top.join("out")).unwrap();
    fs::write(top.join("out/a"), "x").unwrap();
    symlink(top.join("out"), top.join("d")).unwrap();
    let file = ExactFile::at(&top.join("d/a")).unwrap();
    assert!(file.read().is_err() && file.write(b"y", 0o600).is_err() && file.remove(None).is_err());
    assert_eq!(fs::read_to_string(top.join("out/a")).unwrap(), "x");
}
