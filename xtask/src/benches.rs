//! `cargo xtask bench`: the benchmarks. Each is a program of the crate `benches` behind the feature `bench`, except
//! `build`, which measures the build itself.

mod build;

use std::path::Path;
use std::process::Command;

use anyhow::{Result, anyhow};

use crate::bundles::{Bundle, Tool};
use crate::packages::{Installer, NPM};
use crate::traces::{self, OptionalInput, Traces};
use crate::{steps, tree};

/// A benchmark by its short name.
#[derive(Debug)]
struct Bench {
    name: &'static str,
    program: &'static str,
    /// Whether it measures the binary as a whole program, which is built first then.
    binary: bool,
    /// What the binary is compared with.
    peer: Option<&'static Bundle>,
}

const BENCHES: &[Bench] = &[
    Bench { name: "turn", program: "bench_turn", binary: false, peer: None },
    Bench { name: "engine", program: "bench_engine", binary: false, peer: None },
    Bench { name: "compaction", program: "bench_compaction", binary: false, peer: None },
    Bench { name: "replay", program: "bench_replay", binary: false, peer: None },
    Bench { name: "store", program: "bench_store", binary: false, peer: None },
    Bench { name: "tokens", program: "bench_tokens", binary: false, peer: None },
    Bench { name: "doors", program: "bench_doors", binary: true, peer: None },
    Bench { name: "long", program: "bench_long", binary: true, peer: None },
    Bench { name: "start", program: "bench_start", binary: true, peer: None },
    Bench { name: "compactor", program: "bench_compactor", binary: true, peer: None },
    Bench { name: "watch", program: "bench_watch", binary: true, peer: None },
    Bench { name: "run", program: "bench_run", binary: true, peer: Some(&CODEX) },
];

/// The benchmark of the build.
const BUILD: &str = "build";

/// Another terminal agent, 400 MB.
const CODEX: Bundle = Bundle {
    name: "codex",
    tool: Tool::Npm,
    packages: &[("@openai/codex", "0.169.0")],
    variable: "THROUGHLINE_CODEX",
};

/// The profile of the binary that is installed.
const PROFILE: &str = "dist";

/// Builds the binary as its users have it, without the feature of the benches.
const BINARY: &[&str] = &["build", "--profile", PROFILE, "-p", "throughline-cli", "--bin", "throughline"];

/// The names of all benchmarks.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    BENCHES.iter().map(|bench| bench.name).chain([BUILD])
}

/// Runs one benchmark, or all. Extra arguments go to the benchmark itself.
pub(crate) fn run(root: &Path, name: Option<&str>, args: &[String]) -> Result<()> {
    for bench in BENCHES.iter().filter(|bench| name.is_none_or(|name| name == bench.name)) {
        let mut command = steps::cargo(root, &cargo_args(bench));
        command.args(args);
        if let Traces::Found(folder) = traces::locate(OptionalInput::Traces, root) {
            command.env(OptionalInput::Traces.variable(), folder);
        }
        if let Some(peer) = bench.peer {
            with_peer(root, peer, &mut command)?;
        }
        if bench.binary {
            with_binary(root, &mut command)?;
        }
        steps::run(bench.name, &mut command)?;
    }
    if name.is_none_or(|name| name == BUILD) {
        steps::timed(BUILD, || build::run(root))?;
    }
    Ok(())
}

/// Sees to the program that is compared with, and names it to the benchmark.
fn with_peer(root: &Path, peer: &Bundle, command: &mut Command) -> Result<()> {
    let missing = |reason: String| anyhow!("the peer `{}` cannot be installed: {reason}", peer.name);
    Installer::default().ensure(&[NPM]).map_err(missing)?;
    command.env(peer.variable, peer.ensure(&tree::target(root)?.join("benches")).map_err(missing)?);
    Ok(())
}

/// Builds the binary, and names it to the benchmark.
fn with_binary(root: &Path, command: &mut Command) -> Result<()> {
    steps::run("build the binary", &mut steps::cargo(root, BINARY))?;
    let binary = format!("throughline{}", std::env::consts::EXE_SUFFIX);
    command.env("THROUGHLINE_BIN", tree::target(root)?.join(PROFILE).join(binary));
    Ok(())
}

fn cargo_args(bench: &Bench) -> [&'static str; 9] {
    ["run", "--release", "-p", "throughline-benches", "--features", "bench", "--bin", bench.program, "--"]
}

#[cfg(test)]
mod tests;
