//! Tests of the conditions, on a copy of the few files of `/proc` that they come from.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::{Launcher, conditions};

/// What a system says, and a launcher.
fn system() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "sys/kernel/osrelease", "6.12.1\n");
    put(folder.path(), "sys/kernel/random/boot_id", "d2f3\n");
    put(folder.path(), "sys/user/max_user_namespaces", "1000\n");
    put(folder.path(), "self/status", "Name:\tx\nUid:\t7\t7\nVmRSS:\t9\nCapEff:\t0\nSeccomp:\t0\n");
    put(folder.path(), "launcher", "program");
    fs::create_dir_all(folder.path().join("self/ns")).unwrap();
    symlink("mnt:[1]", folder.path().join("self/ns/mnt")).unwrap();
    folder
}

fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn of(folder: &Path) -> Option<String> {
    conditions(folder, &Launcher::new(folder.join("launcher"), ["sandbox"]))
}

#[test]
fn another_boot_kernel_user_capability_filter_namespace_setting_or_program_is_another_condition() {
    let folder = system();
    let before = of(folder.path()).unwrap();
    assert_eq!(of(folder.path()).as_ref(), Some(&before));
    let changes = [
        ("sys/kernel/random/boot_id", "9a9a\n"),
        ("sys/kernel/osrelease", "6.12.2\n"),
        ("sys/user/max_user_namespaces", "0\n"),
        ("sys/kernel/unprivileged_userns_clone", "0\n"),
        ("self/attr/current", "container (enforce)\n"),
        ("self/status", "Uid:\t8\t8\nCapEff:\t0\nSeccomp:\t0\n"),
        ("self/status", "Uid:\t7\t7\nCapEff:\tf\nSeccomp:\t0\n"),
        ("self/status", "Uid:\t7\t7\nCapEff:\t0\nSeccomp:\t2\n"),
        ("launcher", "a newer program"),
    ];
    for (name, text) in changes {
        let folder = system();
        let before = of(folder.path()).unwrap();
        put(folder.path(), name, text);
        assert_ne!(of(folder.path()), Some(before), "{name}: {text}");
    }
    fs::remove_file(folder.path().join("self/ns/mnt")).unwrap();
    symlink("mnt:[2]", folder.path().join("self/ns/mnt")).unwrap();
    assert_ne!(of(folder.path()), Some(before));
}

#[test]
fn what_changes_all_the_time_is_no_condition() {
    let folder = system();
    let before = of(folder.path());
    put(folder.path(), "self/status", "Name:\ty\nUid:\t7\t7\nVmRSS:\t12\nCapEff:\t0\nSeccomp:\t0\n");
    assert!(before.is_some() && of(folder.path()) == before);
}

#[test]
fn without_a_boot_or_a_launcher_nothing_is_known() {
    for name in ["sys/kernel/random/boot_id", "sys/kernel/osrelease", "self/status", "launcher"] {
        let folder = system();
        fs::remove_file(folder.path().join(name)).unwrap();
        assert_eq!(of(folder.path()), None, "{name}");
    }
}
