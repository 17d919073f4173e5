//! Folders of submodules, as git reads them.

use std::fs;

use super::*;

#[test]
fn folders_are_read_as_git_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    let listed = || -> Vec<PathBuf> {
        let found = submodule_folders(folder.path());
        found.iter().map(|path| path.strip_prefix(folder.path()).unwrap().to_owned()).collect()
    };
    assert!(listed().is_empty());
    let text = "[submodule \"a\"]\n\tpath = \"a#b\" ; why\n\turl = ../path = no\n[submodule \"b c\"] Path=b/c # here\n\
                [submodule \"d\"]\n\tpath = \"d\\\"e\"\n";
    fs::write(folder.path().join(".gitmodules"), text).unwrap();
    assert_eq!(listed(), [Path::new("a#b"), Path::new("b/c"), Path::new("d\"e")]);
}
