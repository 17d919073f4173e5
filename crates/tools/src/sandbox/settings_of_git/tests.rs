//! Tests of reading what settings of git take in.

use std::fs;
use std::path::PathBuf;

use super::{included, paths};

#[test]
fn paths_are_read_as_git_reads_them() {
    let cases: [(&str, &[&str]); 12] = [
        ("[include]\n\tpath = ../build/gitinc\n", &["../build/gitinc"]),
        ("[INCLUDE] Path=a\n[include]path = b # c\n", &["a", "b"]),
        ("[includeIf \"gitdir:a]b\\\"]/**\"]\npath = x\npath = y", &["x", "y"]),
        ("[include]\npath = \"a # b\" ; c = d\npath = c", &["a # b", "c"]),
        ("[include]\npath = a\\\nb\npath = \"c\\\"d\\\\\"\n", &["ab", "c\"d\\"]),
        ("# [include]\n; path = a\n[core]\npath = b\n[include]\n\n path = c", &["c"]),
        ("[include]\nother\npath # = a\npath = d\n", &["d"]),
        ("[include]\n\tpath =\n\tpath = e\r\n", &["", "e"]),
        ("[includeif.onbranch:x]\npath = f", &["f"]),
        ("[user]\nname = x\n[includeX]\npath = y\n", &[]),
        ("[include", &[]),
        ("", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(paths(text), expected, "{text:?}");
    }
}

#[test]
fn files_are_found_through_each_other_and_in_circles() {
    let folder = tempfile::TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name);
    fs::create_dir(place("sub")).unwrap();
    fs::write(place("config"), "[includeIf \"onbranch:x\"]\npath = sub/one\n[include]\npath = missing")
        .unwrap();
    fs::write(place("sub/one"), "[include]\npath = two\npath = ../config\npath = ~other/x\n").unwrap();
    // Both ends of lines are read alike.
    fs::write(place("sub/two"), "[include]\r\npath = thr\\\r\nee\r\npath = one\r\n").unwrap();
    fs::write(place("sub/three"), "").unwrap();
    let found: Vec<PathBuf> =
        included([place("config")]).iter().filter_map(|path| path.canonicalize().ok()).collect();
    let real = |name: &str| place(name).canonicalize().unwrap();
    for name in ["config", "sub/one", "sub/two", "sub/three"] {
        assert!(found.contains(&real(name)), "{name}: {found:?}");
    }
}
