//! The packages for Python and Node.js: built as their users get them, installed into an empty place, and their own tests there.
//!
//! `cargo xtask integration packages` fetches the tools and runs what needs no framework. `cargo xtask integration bindings`
//! fetches the frameworks, too, and no test may be skipped then.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may fail the test")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// What is fetched for a language.
struct Tools {
    /// The Python of a virtual environment, or the folder of Node's programs.
    path: PathBuf,
    /// With the frameworks, so that nothing may be skipped.
    whole: bool,
}

impl Tools {
    fn of(language: &str) -> Option<Self> {
        let named = |kind: &str| {
            let found = std::env::var_os(format!("THROUGHLINE_{language}_{kind}"));
            found.map(PathBuf::from).filter(|path| path.exists())
        };
        let whole = named("FRAMEWORKS").map(|path| Self { path, whole: true });
        let found = whole.or_else(|| named("TOOLS").map(|path| Self { path, whole: false }));
        if found.is_none() {
            println!("skipped: bindings: THROUGHLINE_{language}_TOOLS names no tools");
        }
        found
    }
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings").join(name).canonicalize().unwrap()
}

/// Runs a program to its end and returns what it said.
#[track_caller]
fn run(command: &mut Command) -> String {
    let ran = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let Output { status, stdout, stderr } = ran;
    let said = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{command:?}: {status}\n{said}");
    said
}

/// The programs of a folder first.
fn path_with(folder: &Path) -> String {
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default())
}

#[test]
fn the_package_for_python_installs_into_an_empty_environment_and_passes_its_tests() {
    let Some(Tools { path: python, whole }) = Tools::of("PYTHON") else { return };
    let place = TempDir::new().unwrap();
    let (wheels, empty) = (place.path().join("wheels"), place.path().join("empty"));
    let bin = python.parent().unwrap();
    let package = folder("python");
    let mut build = Command::new(bin.join("maturin"));
    build.args(["build", "--profile", "dev", "--out"]).arg(&wheels).current_dir(&package);
    run(build.env("PATH", path_with(bin)));
    run(Command::new(&python).args(["-m", "venv", "--without-pip"]).arg(&empty));
    let wheel = std::fs::read_dir(&wheels).unwrap().next().unwrap().unwrap().path();
    let clean = empty.join("bin/python");
    let mut install = Command::new(&python);
    run(install
        .args(["-m", "pip", "--python"])
        .arg(&clean)
        .args(["install", "--no-index", "--no-deps", "--quiet"])
        .arg(wheel));
    // The tools of the tests, and the frameworks, are not in the environment of the package.
    let site =
        run(Command::new(&python).args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]));
    let mut test = Command::new(&clean);
    test.args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "tests"]);
    test.current_dir(&package).env("PYTHONPATH", site.trim()).env("PYTHONDONTWRITEBYTECODE", "1");
    let said = run(test.env("THROUGHLINE_BIN", env!("CARGO_BIN_EXE_throughline")).env("HOME", place.path()));
    println!("{said}");
    assert!(said.contains(" passed"), "{said}");
    assert!(!whole || !said.contains("skipped"), "{said}");
}

#[test]
fn the_package_for_node_builds_and_passes_its_tests() {
    let Some(Tools { path: bin, whole }) = Tools::of("NODE") else { return };
    let package = folder("node");
    let modules = package.join("node_modules");
    if modules.is_symlink() || !modules.exists() {
        let _ = std::fs::remove_file(&modules);
        std::os::unix::fs::symlink(bin.parent().unwrap(), &modules).unwrap();
    }
    let path = path_with(&bin);
    run(Command::new("npm").args(["run", "build:native"]).current_dir(&package).env("PATH", &path));
    // Without the frameworks their types are unknown.
    let types: &[&str] = if whole { &[] } else { &["--noCheck"] };
    run(Command::new(bin.join("tsc")).args(types).current_dir(&package).env("PATH", &path));
    let place = TempDir::new().unwrap();
    let mut test = Command::new("npm");
    test.args(["test"]).current_dir(&package).env("PATH", &path).env("HOME", place.path());
    let said = run(test.env("THROUGHLINE_BIN", env!("CARGO_BIN_EXE_throughline")));
    println!("{said}");
    let skipped = said.lines().find(|line| line.contains("skipped ")).unwrap_or_default();
    assert!(said.contains("fail 0"), "{said}");
    assert!(!whole || skipped.ends_with("skipped 0"), "{said}");
}
