//! `cargo xtask bench`: the benchmarks, each an example of the binary's crate behind the feature `bench`.

use std::path::Path;

use anyhow::Result;

use crate::steps;
use crate::traces::{self, Traces};

/// A benchmark by its short name.
#[derive(Debug)]
struct Bench {
    name: &'static str,
    example: &'static str,
}

const BENCHES: &[Bench] = &[
    Bench { name: "turn", example: "bench_turn" },
    Bench { name: "replay", example: "bench_replay" },
    Bench { name: "store", example: "bench_store" },
    Bench { name: "tokens", example: "bench_tokens" },
];

/// The names of all benchmarks.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    BENCHES.iter().map(|bench| bench.name)
}

/// Runs one benchmark, or all. Extra arguments go to the benchmark itself.
pub(crate) fn run(root: &Path, name: Option<&str>, args: &[String]) -> Result<()> {
    for bench in BENCHES.iter().filter(|bench| name.is_none_or(|name| name == bench.name)) {
        let mut command = steps::cargo(root, &cargo_args(bench));
        command.args(args);
        if let Traces::Found(folder) = traces::locate(root) {
            command.env(traces::VARIABLE, folder);
        }
        steps::run(bench.name, &mut command)?;
    }
    Ok(())
}

fn cargo_args(bench: &Bench) -> [&'static str; 9] {
    ["run", "--release", "-p", "throughline-cli", "--features", "bench", "--example", bench.example, "--"]
}

#[cfg(test)]
mod tests;
