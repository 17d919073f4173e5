//! The table of benchmarks and the command that each becomes.

use super::{BENCHES, cargo_args, names};

#[test]
fn a_benchmark_runs_as_a_release_program_behind_its_feature() {
    assert_eq!(
        names().collect::<Vec<_>>(),
        [
            "turn",
            "engine",
            "compaction",
            "thirdparty",
            "replay",
            "store",
            "tokens",
            "doors",
            "isolation",
            "long",
            "start",
            "compactor",
            "watch",
            "run",
            "build",
            "consumers"
        ]
    );
    let replay = BENCHES.iter().find(|bench| bench.name == "replay").unwrap();
    assert_eq!(
        cargo_args(replay).join(" "),
        "run --release -p throughline-benches --features bench --bin bench_replay --"
    );
}
