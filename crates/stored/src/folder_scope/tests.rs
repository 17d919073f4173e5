//! Which folders are in a scope.

use super::*;

#[test]
fn a_folder_is_named_by_its_real_path_or_from_the_root() {
    let real = tempfile::tempdir().unwrap();
    let place = real.path().canonicalize().unwrap();
    std::os::unix::fs::symlink(&place, place.join("link")).unwrap();
    assert_eq!(scope_folder(&place.join("link")).unwrap(), place);
    assert_eq!(scope_folder(Path::new("/no/such//folder/")).unwrap(), Path::new("/no/such/folder"));
    for wrong in ["no/such", "/no/../such"] {
        assert!(scope_folder(Path::new(wrong)).unwrap_err().to_string().contains(wrong), "{wrong}");
    }
}

#[test]
fn a_scope_has_its_folders_and_what_is_below_them() {
    let scope = FolderScope::new(vec!["/srv/a".into(), "/srv/b/".into()]);
    for folder in ["/srv/a", "/srv/a/", "/srv/a/x/y", "/srv/b"] {
        assert!(scope.contains(folder), "{folder}");
    }
    for folder in ["/srv", "/srv/ab", "/srv/a2/x", "", "srv/a", "/"] {
        assert!(!scope.contains(folder), "{folder}");
    }
    assert!(FolderScope::default().contains("") && FolderScope::default().is_all());
}
