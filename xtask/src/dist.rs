//! `cargo xtask dist`: the released program, built by what its users run.
//!
//! It is built with counters, does the work of the example `training`, and is built again by what was counted: functions that ran
//! lie together and are built for speed, the others are built small. A turn then maps two thirds of the pages. The sources are those
//! of `cargo build --profile dist`, and so is the behaviour.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::{output, steps, tree};

/// The profile, and the folder of its programs.
const PROFILE: &str = "dist";
/// Below cargo's own folder: the program with counters, what it counted, and the profile made of that.
const FOLDER: &str = "dist-training";
/// Without link-time optimisation the counters are those of the same functions, and the build takes half of the time.
const COUNTED: &str = "-Clto=off -Clinker-plugin-lto=no";

/// How the program is built.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dist {
    /// The target; the machine's own when left out.
    pub(crate) target: Option<String>,
    /// Builds by `cargo auditable`. Its crates have other names, which a profile must know.
    pub(crate) auditable: bool,
}

/// Builds the program with counters, trains it, and returns the profile.
pub(crate) fn train(root: &Path, dist: &Dist) -> Result<PathBuf> {
    let folder = tree::target(root)?.join(FOLDER);
    let (counts, profile) = (folder.join("counts"), folder.join("throughline.profdata"));
    if counts.exists() {
        fs::remove_dir_all(&counts).with_context(|| format!("remove `{}`", counts.display()))?;
    }
    let merge = merger(root)?;
    let flags = format!("-Cprofile-generate={} {COUNTED}", counts.display());
    let program = built(root, dist, &flags, &folder.join("build"))?;
    let training = ["run", "--package", "throughline-testserver", "--example", "training", "--"];
    steps::run("train the program", steps::cargo(root, &training).arg(program))?;
    let mut merged = steps::program(merge, root);
    merged.args(["merge", "-o"]).arg(&profile).arg(&counts);
    steps::run("merge what it counted", &mut merged)?;
    Ok(profile)
}

/// Trains the program, builds it by the profile, and returns where it is.
pub(crate) fn run(root: &Path, dist: &Dist) -> Result<PathBuf> {
    let profile = train(root, dist)?;
    let program = built(root, dist, &used(&profile), &tree::target(root)?)?;
    output::line(program.display());
    Ok(program)
}

/// Trains the program for another build on this machine, which finds the compiler's flags in the file that `GITHUB_ENV` names.
pub(crate) fn prepare(root: &Path, dist: &Dist) -> Result<()> {
    let profile = train(root, dist)?;
    let line = format!("RUSTFLAGS={}\n", flags(&used(&profile)).to_string_lossy());
    match std::env::var_os("GITHUB_ENV") {
        Some(file) => {
            let mut variables = fs::OpenOptions::new().append(true).create(true).open(&file)?;
            std::io::Write::write_all(&mut variables, line.as_bytes()).context("write into GITHUB_ENV")
        }
        None => {
            output::line(line.trim_end());
            Ok(())
        }
    }
}

fn used(profile: &Path) -> String {
    format!("-Cprofile-use={}", profile.display())
}

/// Builds into this folder, and returns the program.
fn built(root: &Path, dist: &Dist, more: &str, folder: &Path) -> Result<PathBuf> {
    let target = dist.target.clone().map_or_else(|| host(root), Ok)?;
    let mut cargo = steps::cargo(root, if dist.auditable { &["auditable"] } else { &[] });
    cargo.args([
        "build",
        "--locked",
        "--profile",
        PROFILE,
        "--package",
        "throughline-cli",
        "--bin",
        "throughline",
    ]);
    // With a target the flags are not for what runs during the build.
    cargo.args(["--target", &target]).env("RUSTFLAGS", flags(more)).env("CARGO_TARGET_DIR", folder);
    steps::run("build the program", &mut cargo)?;
    Ok(folder.join(target).join(PROFILE).join(format!("throughline{}", std::env::consts::EXE_SUFFIX)))
}

/// The compiler's flags of the environment and these.
fn flags(more: &str) -> OsString {
    let mut flags = std::env::var_os("RUSTFLAGS").unwrap_or_default();
    if !flags.is_empty() {
        flags.push(" ");
    }
    flags.push(more);
    flags
}

fn host(root: &Path) -> Result<String> {
    let said = rustc(root, &["-vV"])?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("`rustc -vV` names no host")?.to_owned())
}

/// The compiler's own `llvm-profdata`: that of another version does not read its counts.
fn merger(root: &Path) -> Result<PathBuf> {
    let libraries = rustc(root, &["--print", "target-libdir"])?;
    let tool = Path::new(libraries.trim()).with_file_name("bin").join("llvm-profdata");
    if !tool.exists() {
        let mut rustup = steps::program("rustup", root);
        steps::run("install llvm-tools", rustup.args(["component", "add", "llvm-tools"]))?;
    }
    if !tool.exists() {
        bail!("`{}` is missing: install the component llvm-tools of this compiler", tool.display());
    }
    Ok(tool)
}

/// What the compiler says.
fn rustc(root: &Path, args: &[&str]) -> Result<String> {
    let said = steps::program("rustc", root).args(args).output().context("start `rustc`")?;
    if !said.status.success() {
        bail!("`rustc {}` failed: {}", args.join(" "), String::from_utf8_lossy(&said.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&said.stdout).into_owned())
}
