//! What the end of a transcript has.

use std::fs;

use serde_json::json;

use super::{BYTES, ends_with_text};

#[test]
fn a_text_is_found_near_the_end_however_json_writes_it() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let said = "It is \"two\":\n\u{e9}\\t";
    let line = json!({"message": {"content": [{"type": "text", "text": said}]}}).to_string();
    let far = " ".repeat(usize::try_from(BYTES).unwrap());
    for (content, found) in
        [(line.clone(), true), (format!("{far}\n{line}\n"), true), (format!("{line}\n{far}"), false)]
    {
        fs::write(file.path(), content).unwrap();
        assert_eq!(ends_with_text(file.path(), &format!("{said}\n")).unwrap(), found);
    }
    assert!(ends_with_text(file.path(), " ").unwrap(), "nothing is not waited for");
    assert!(ends_with_text(&file.path().join("none"), said).is_err());
}
