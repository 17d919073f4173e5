//! `throughline update`, by where the program lies.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The program at a place below a folder.
fn placed(root: &Path, place: &str) -> PathBuf {
    let path = root.join(place);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_throughline"));
    if fs::hard_link(program, &path).is_err() {
        fs::copy(program, &path).unwrap();
    }
    path
}

/// The exit code and the words of an update.
fn update(program: &Path) -> (Option<i32>, String) {
    let ran = Command::new(program).arg("update").output().unwrap();
    (ran.status.code(), String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap())
}

#[test]
fn a_release_is_updated_by_the_program_that_its_installer_left() {
    let home = TempDir::new().unwrap();
    let program = placed(home.path(), "bin/throughline");
    let updater = home.path().join("bin/throughline-cli-update");
    fs::write(&updater, "#!/bin/sh\necho newest; exit 3\n").unwrap();
    fs::set_permissions(&updater, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(update(&program), (Some(3), "newest\n".to_owned()));
}

#[test]
fn what_has_installed_it_is_named() {
    let home = TempDir::new().unwrap();
    let brewed = update(&placed(home.path(), "Cellar/throughline/0.1.0/bin/throughline"));
    assert_eq!(brewed, (Some(0), "To update: brew upgrade throughline\n".to_owned()));
    let global = update(&placed(home.path(), "lib/node_modules/throughline-cli/throughline"));
    assert_eq!(global.1, "To update: npm install -g throughline-cli@latest\n");
    let local = update(&placed(home.path(), "app/node_modules/throughline-cli/throughline"));
    assert_eq!(local.1, "To update: npm install throughline-cli@latest\n");
    let cargo = placed(home.path(), "cargo/bin/throughline");
    let list = home.path().join("cargo/.crates.toml");
    fs::write(&list, "[v1]\n\"throughline-cli 0.1.0 (registry+https://a/index)\" = [\"throughline\"]\n")
        .unwrap();
    assert_eq!(update(&cargo).1, "To update: cargo install throughline-cli\n");
    fs::write(
        &list,
        "[v1]\n\"throughline-cli 0.1.0 (path+file:///src/a%20b/crates/cli)\" = [\"throughline\"]\n",
    )
    .unwrap();
    let line = "It was built in a clone. To update: git -C '/src/a b' pull && cargo install --profile dist --path '/src/a b/crates/cli'\n";
    assert_eq!(update(&cargo).1, line);
    for (source, command) in [
        ("https://a/b?branch=main#12ab", "cargo install --git https://a/b --branch main throughline-cli"),
        ("https://a/b#12ab", "cargo install --git https://a/b throughline-cli"),
    ] {
        fs::write(&list, format!("[v1]\n\"throughline-cli 0.1.0 (git+{source})\" = [\"throughline\"]\n"))
            .unwrap();
        assert_eq!(update(&cargo).1, format!("To update: {command}\n"));
    }
}

#[test]
fn a_place_that_nothing_is_known_of_is_an_error() {
    let home = TempDir::new().unwrap();
    let (code, said) = update(&placed(home.path(), "opt/throughline"));
    assert_eq!(code, Some(1));
    assert!(said.contains("it is not known what has installed ") && said.contains("newer release"), "{said}");
}
