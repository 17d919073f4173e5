//! The packages for Python and Node.js: built as their users get them, installed into an empty place, and their own tests there.
//!
//! `cargo xtask integration packages` fetches the tools and runs what needs no framework. `cargo xtask integration bindings`
//! fetches the frameworks, too, and no test may be skipped then.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may fail the test"
)]
#![allow(dead_code, reason = "the doors are shared with the suite `doors`")]

#[path = "doors/door.rs"]
mod door;
#[path = "doors/program.rs"]
mod program;
#[path = "doors/script.rs"]
mod script;
#[path = "server/served.rs"]
mod served;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use door::RustDoor;
use program::ProgramDoor;
use script::Wire;
use tempfile::TempDir;

/// Maximum bytes of the wheel in release.
const MAX_WHEEL: u64 = 15 * 1024 * 1024;

/// What is fetched for a language.
struct Tools {
    /// The Python of a virtual environment, or the folder of Node's programs.
    path: PathBuf,
    /// With the frameworks, so that nothing may be skipped, and in release.
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

    /// Checks that no test of a package was skipped where everything is there for them.
    #[track_caller]
    fn check_tests(&self, said: &str, may_skip: bool) {
        println!("{said}");
        let skipped = said.lines().any(|line| line.contains("skipped") && !line.ends_with("skipped 0"));
        assert!(!skipped || !self.whole || may_skip, "{said}");
    }
}

/// Checks that a session has the same bodies and lists through the package as by Rust.
fn check_door(program: &Path, file: &Path) {
    for wire in [Wire::Anthropic, Wire::Chat] {
        let rust = script::run(&mut RustDoor::new(), wire);
        let package = script::run(&mut ProgramDoor::new(program, file), wire);
        assert_eq!(rust.len(), script::COMPARED);
        for (step, body) in rust.iter().enumerate() {
            assert_eq!(*body, package[step], "{wire:?}: {step} by {}", program.display());
        }
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
fn a_conversation_of_pydantic_ai_is_stored_and_comes_back_as_its_own() {
    let Some(Tools { path: python, whole: true }) = Tools::of("PYTHON") else { return };
    let place = TempDir::new().unwrap();
    let theirs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../replay/tests/fixtures/pydantic-ai.json");
    let ours = place.path().join("ours.json");
    let throughline = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
        run(command.env("HOME", place.path()).arg("--data-dir").arg(place.path().join("data")).args(args))
    };
    throughline(&["import", theirs.to_str().unwrap()]);
    throughline(&["export", "last", "--any-folder", "--pydantic-ai", "-o", ours.to_str().unwrap()]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bindings/conversation.py");
    let said = run(Command::new(python).arg(script).args([&theirs, &ours]));
    assert_eq!(said.trim(), "8 messages are the same");
}

#[test]
fn the_package_for_python_installs_into_an_empty_environment_and_passes_its_tests() {
    let Some(tools) = Tools::of("PYTHON") else { return };
    let Tools { path: python, whole } = &tools;
    let place = TempDir::new().unwrap();
    let (wheels, empty) = (place.path().join("wheels"), place.path().join("empty"));
    let bin = python.parent().unwrap();
    let package = folder("python");
    let mut build = Command::new(bin.join("maturin"));
    let profile = if *whole { "release" } else { "dev" };
    // The package for Node is built for a named target, too: both share what stands below them.
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    build
        .args(["build", "--profile", profile, "--target", &target, "--out"])
        .arg(&wheels)
        .current_dir(&package);
    run(build.env("PATH", path_with(bin)));
    run(Command::new(python).args(["-m", "venv", "--without-pip"]).arg(&empty));
    let wheel = std::fs::read_dir(&wheels).unwrap().next().unwrap().unwrap().path();
    let bytes = std::fs::metadata(&wheel).unwrap().len();
    println!("the wheel of the profile {profile} has {bytes} bytes");
    assert!(!whole || bytes <= MAX_WHEEL, "{bytes} bytes");
    let clean = empty.join("bin/python");
    let mut install = Command::new(python);
    run(install
        .args(["-m", "pip", "--python"])
        .arg(&clean)
        .args(["install", "--no-index", "--no-deps", "--quiet"])
        .arg(wheel));
    // The tools of the tests, and the frameworks, are not in the environment of the package.
    let site =
        run(Command::new(python).args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]));
    let mut test = Command::new(&clean);
    test.args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "tests"]);
    test.current_dir(&package).env("PYTHONPATH", site.trim()).env("PYTHONDONTWRITEBYTECODE", "1");
    let said = run(test.env("THROUGHLINE_BIN", env!("CARGO_BIN_EXE_throughline")).env("HOME", place.path()));
    // Hermes excludes packages of the others, and has an environment of its own.
    tools.check_tests(&said, std::env::var_os("THROUGHLINE_HERMES").is_none());
    assert!(said.contains(" passed"), "{said}");
    check_door(&clean, &package.join("tests/door.py"));
    if *whole {
        println!("{}", run(Command::new(&clean).arg("bench.py").current_dir(&package)));
    }
}

#[test]
fn the_package_for_node_builds_and_passes_its_tests() {
    let Some(tools) = Tools::of("NODE") else { return };
    let Tools { path: bin, whole } = &tools;
    let package = folder("node");
    let modules = package.join("node_modules");
    if modules.is_symlink() || !modules.exists() {
        let _ = std::fs::remove_file(&modules);
        std::os::unix::fs::symlink(bin.parent().unwrap(), &modules).unwrap();
    }
    let path = path_with(bin);
    let release: &[&str] = if *whole { &["--", "--release"] } else { &[] };
    let mut build = Command::new("npm");
    run(build.args(["run", "build:native"]).args(release).current_dir(&package).env("PATH", &path));
    // Without the frameworks their types are unknown.
    let types: &[&str] = if *whole { &[] } else { &["--noCheck"] };
    run(Command::new(bin.join("tsc")).args(types).current_dir(&package).env("PATH", &path));
    let place = TempDir::new().unwrap();
    let mut test = Command::new("npm");
    test.args(["test"]).current_dir(&package).env("PATH", &path).env("HOME", place.path());
    let said = run(test.env("THROUGHLINE_BIN", env!("CARGO_BIN_EXE_throughline")));
    tools.check_tests(&said, false);
    assert!(said.contains("fail 0"), "{said}");
    check_door(&bin.join("node"), &package.join("test/door.mjs"));
    if *whole {
        println!(
            "{}",
            run(Command::new("npm").args(["run", "bench"]).current_dir(&package).env("PATH", &path))
        );
    }
}
