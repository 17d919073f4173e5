//! Copies of plugins.

use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;
use crate::fingerprint::of_folder;
use crate::stage::Stage;

#[test]
fn a_copy_has_everything_but_the_history() {
    let stage = Stage::of(&[("a.md", "a"), ("bin/run.sh", "x"), (".git/HEAD", "x"), (".mcp.json", "{}")]);
    let program = stage.root().join("bin/run.sh");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    symlink("bin/run.sh", stage.root().join("run")).unwrap();
    let to = tempfile::tempdir().unwrap();
    copy(&stage.root(), to.path()).unwrap();
    assert!(!to.path().join(".git").exists() && to.path().join(".mcp.json").exists());
    assert_eq!(fs::read_to_string(to.path().join("run")).unwrap(), "x");
    assert_eq!(to.path().join("bin/run.sh").metadata().unwrap().permissions().mode() & 0o111, 0o111);
    let first = of_folder(to.path()).unwrap();
    fs::set_permissions(to.path().join("bin/run.sh"), fs::Permissions::from_mode(0o644)).unwrap();
    assert_ne!(of_folder(to.path()).unwrap(), first);
}

#[test]
fn links_that_lead_out_are_refused_by_name() {
    for target in ["../outside", "/etc/hostname", "nowhere"] {
        let stage = Stage::of(&[("in/a.md", "a"), ("outside", "secret")]);
        let root = stage.root().join("in");
        symlink(target, root.join("link")).unwrap();
        let to = tempfile::tempdir().unwrap();
        let said = copy(&root, to.path()).unwrap_err().to_string();
        assert!(said.contains("in/link is a link to") && said.contains("leads out"), "{said}");
    }
}

#[test]
fn a_plugin_that_is_too_large_is_refused() {
    let stage = Stage::of(&[("a", "a")]);
    let large = fs::File::create(stage.root().join("large")).unwrap();
    large.set_len(MAX_BYTES + 1).unwrap();
    let to = tempfile::tempdir().unwrap();
    let said = copy(&stage.root(), to.path()).unwrap_err().to_string();
    assert!(said.contains("larger than 64 MiB"), "{said}");
}
