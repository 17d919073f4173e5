//! When a bundle is installed, when it is reused, and which reason a suite gets when it cannot be had.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Bundle, Tool};

const NPM: Bundle =
    Bundle { name: "box", tool: Tool::Npm, packages: &[("@scope/mock", "1.2.3")], variable: "BOX" };

const PIP: Bundle = Bundle {
    name: "box",
    tool: Tool::Pip,
    packages: &[("one", "1.0"), ("two-more", "2.0")],
    variable: "BOX",
};

/// A folder of a test, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("throughline-xtask-{}-{name}", std::process::id())))
    }

    fn join(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Leaves what npm leaves.
fn npm_leaves(folder: &Path, version: &str) {
    let package = folder.join("node_modules/@scope/mock");
    fs::create_dir_all(&package).unwrap();
    fs::create_dir_all(folder.join("node_modules/.bin")).unwrap();
    fs::write(package.join("package.json"), format!("{{\"version\": \"{version}\"}}")).unwrap();
}

/// Leaves what pip leaves.
fn pip_leaves(folder: &Path) {
    for package in ["one-1.0", "two_more-2.0"] {
        fs::create_dir_all(folder.join(format!("lib/python3.12/site-packages/{package}.dist-info"))).unwrap();
    }
    fs::create_dir_all(folder.join("bin")).unwrap();
    fs::write(folder.join("bin/python"), "").unwrap();
}

#[test]
fn npm_packages_are_installed_once() {
    let folder = Folder::new("npm");
    let mut ran = Vec::new();
    for _ in 0..2 {
        let entry = NPM.ensure_with(&folder.0, &mut |words| {
            ran.push(words.join(" "));
            npm_leaves(&folder.join("box.part"), "1.2.3");
            true
        });
        assert_eq!(entry, Ok(folder.join("box/node_modules/.bin")));
    }
    let into = folder.join("box.part");
    let expected = format!(
        "npm install --prefix {} --loglevel=error --ignore-scripts --engine-strict --fetch-retries=1 --no-audit --no-fund @scope/mock@1.2.3",
        into.display()
    );
    assert_eq!(ran, [expected]);
    assert!(!into.exists());
}

#[test]
fn a_program_of_a_package_is_given_by_its_path() {
    let folder = Folder::new("program");
    let program = "node_modules/@scope/mock/bin/mock";
    let bundle = Bundle { tool: Tool::NpmProgram(program), ..NPM };
    let install = |with_program: bool| {
        bundle.ensure_with(&folder.0, &mut |_| {
            npm_leaves(&folder.join("box.part"), "1.2.3");
            if with_program {
                fs::create_dir_all(folder.join("box.part").join(program)).unwrap();
            }
            true
        })
    };
    assert!(install(false).unwrap_err().starts_with("@scope/mock@1.2.3 not in "));
    assert_eq!(install(true), Ok(folder.join("box").join(program)));
}

#[test]
fn python_packages_are_installed_into_an_environment_of_their_own() {
    let folder = Folder::new("pip");
    let mut ran = Vec::new();
    let entry = PIP.ensure_with(&folder.0, &mut |words| {
        ran.push(words.join(" "));
        pip_leaves(&folder.join("box.part"));
        true
    });
    assert_eq!(entry, Ok(folder.join("box/bin/python")));
    let into = folder.join("box.part").display().to_string();
    let make = format!("python3 -m venv {into}");
    let fill = format!("{into}/bin/python -m pip install --quiet --no-input one==1.0 two-more==2.0");
    assert_eq!(ran, [make, fill]);
}

#[test]
fn another_version_or_half_an_install_is_made_again() {
    let folder = Folder::new("again");
    npm_leaves(&folder.join("box"), "1.2.2");
    fs::create_dir_all(folder.join("box.part/left-over")).unwrap();
    let mut runs = 0;
    let entry = NPM.ensure_with(&folder.0, &mut |_| {
        runs += 1;
        assert!(!folder.join("box.part/left-over").exists());
        npm_leaves(&folder.join("box.part"), "1.2.3");
        true
    });
    assert!(entry.is_ok(), "{entry:?}");
    assert_eq!(runs, 1);
}

#[test]
fn a_failed_install_is_the_reason_and_leaves_nothing_that_would_be_reused() {
    let folder = Folder::new("failed");
    let mut runs = 0;
    let reason = PIP.ensure_with(&folder.0, &mut |_| {
        runs += 1;
        pip_leaves(&folder.join("box.part"));
        runs < 2
    });
    let reason = reason.unwrap_err();
    assert!(
        reason.contains("one==1.0 two-more==2.0` did not succeed; it needs a network the first time"),
        "{reason}"
    );
    assert!(!folder.join("box").exists());
    // A tool that says nothing and does nothing.
    let reason = NPM.ensure_with(&folder.0, &mut |_| true).unwrap_err();
    assert!(reason.starts_with("@scope/mock@1.2.3 not in "), "{reason}");
}
