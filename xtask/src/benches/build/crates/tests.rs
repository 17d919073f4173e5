//! The wrapper, run by a build of one file, and the table of what it writes.

use std::process::Command;

use super::*;

#[test]
fn the_wrapper_writes_the_time_of_a_compilation_and_returns_its_status() {
    let folder = std::env::temp_dir().join(format!("throughline-xtask-{}-times", std::process::id()));
    let mut cargo = Command::new("cargo");
    time_each(&mut cargo, &folder).unwrap();
    let wrapper = folder.join("rustc_times.sh");
    let compile = |words: &[&str]| Command::new(&wrapper).args(words).status().unwrap().code();
    assert_eq!(compile(&["sh", "-c", "exit 0", "--crate-name", "my_crate"]), Some(0));
    assert_eq!(compile(&["sh", "-c", "exit 3", "--crate-name", "other"]), Some(3));
    // It asks the compiler for its version without a crate.
    assert_eq!(compile(&["true", "--version"]), Some(0));
    let times = CrateTimes::read(&folder).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(times.0.keys().collect::<Vec<_>>(), ["my-crate", "other"]);
}

#[test]
fn the_table_names_the_dearest_and_sums_the_rest() {
    let mut times = CrateTimes::default();
    for number in 0..15_u32 {
        times.add(&format!("big_{number:02}"), 100.0 - f64::from(number));
    }
    times.add("throughline_text", 2.0);
    times.add("serde", 1.5);
    times.add("serde", 0.5);
    times.add("syn", 1.0);
    let table = times.table(1_500.0);
    assert!(table.starts_with("| crate | CPU seconds |\n|---|---|\n| big-00 | 100.0 |\n"), "{table}");
    let end = "| big-14 | 86.0 |\n| 1 other crates of the workspace | 2.0 |\n| 2 other crates | 3.0 |\n| build scripts, cargo | 100.0 |\n";
    assert!(table.ends_with(end), "{table}");
}
