//! What becomes of an old file.

use super::*;

#[test]
fn an_old_file_is_replaced_when_there_is_something_to_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("export");
    std::fs::write(&path, "an earlier export").unwrap();
    drop(create(&path).unwrap());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "an earlier export", "the export failed before");
    let mut out = create(&path).unwrap();
    out.write_all(b"new").unwrap();
    out.flush().unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
    create(&path).unwrap().flush().unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "", "an empty export");
}
