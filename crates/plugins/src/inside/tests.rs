//! Paths that a stranger wrote.

use std::os::unix::fs::symlink;

use super::*;
use crate::stage::Stage;

#[test]
fn a_path_stays_in_its_folder() {
    assert_eq!(relative("./commands/one.md"), Ok(PathBuf::from("commands/one.md")));
    assert_eq!(relative("./"), Ok(PathBuf::new()));
    for (written, why) in
        [("../x", "`..`"), ("a/../../x", "`..`"), ("/etc", "absolute"), ("~/x", "not used"), ("", "empty")]
    {
        let said = relative(written).unwrap_err();
        assert!(said.contains(why) && said.contains("./commands"), "{said}");
    }
}

#[test]
fn a_link_out_of_the_folder_is_not_followed() {
    let stage = Stage::of(&[("in/a.md", "inside"), ("out.md", "outside")]);
    let root = stage.root().join("in");
    symlink("../out.md", root.join("b.md")).unwrap();
    symlink("a.md", root.join("c.md")).unwrap();
    assert_eq!(text(&root, Path::new("c.md")), Ok(Some("inside".to_owned())));
    assert_eq!(text(&root, Path::new("d.md")), Ok(None));
    assert!(text(&root, Path::new("b.md")).unwrap_err().contains("leads out of the folder"));
    assert!(text(&root, Path::new("")).unwrap_err().contains("is no file"));
}

#[test]
fn a_large_file_is_refused() {
    let stage = Stage::of(&[("a.json", &"x".repeat(1024 * 1024 + 1))]);
    assert!(text(&stage.root(), Path::new("a.json")).unwrap_err().contains("is larger than"));
}
