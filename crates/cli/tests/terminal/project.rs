//! A small Rust project with a bug, which its own test shows.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::place::Place;

const LIB: &str = "/// Adds up.\npub fn sum(numbers: &[i64]) -> i64 {\n    numbers.iter().skip(1).sum()\n}\n";
const TEST: &str = "#[test]\nfn adds_all() {\n    assert_eq!(adder::sum(&[1, 2, 3]), 6);\n}\n";
const MANIFEST: &str =
    "[package]\nname = \"adder\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";

/// A place whose folder is the project, under git, on the branch `main`.
pub(crate) fn project() -> Place {
    let place = Place::new();
    let work = place.work();
    fs::remove_file(work.join("a.txt")).unwrap();
    for (path, text) in
        [("Cargo.toml", MANIFEST), ("src/lib.rs", LIB), ("tests/sum.rs", TEST), (".gitignore", "target/\n")]
    {
        let path = work.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    for args in [&["init", "-q", "-b", "main"][..], &["add", "."], &["commit", "-qm", "begin"]] {
        git(&work, args);
    }
    place
}

fn git(folder: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(args).current_dir(folder);
    assert!(command.output().unwrap().status.success(), "git {args:?}");
}

/// What the project adds up.
pub(crate) fn lib(place: &Place) -> String {
    fs::read_to_string(place.work().join("src/lib.rs")).unwrap()
}
