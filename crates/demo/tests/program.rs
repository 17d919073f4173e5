//! The program of `cargo demo`, run to its end.

use std::process::Command;

fn demo() -> Command {
    Command::new(env!("CARGO_BIN_EXE_throughline-demo"))
}

#[test]
fn it_runs_to_its_end_and_leaves_nothing() {
    let temporary = tempfile::tempdir().unwrap();
    let done = demo().env("TMPDIR", temporary.path()).output().unwrap();
    let printed = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{printed}{}", String::from_utf8_lossy(&done.stderr));
    for part in ["stored as r-", "The process was killed (SIGKILL)", "compacted ", "results in the store"] {
        assert!(printed.contains(part), "no `{part}` in {printed}");
    }
    assert_eq!(std::fs::read_dir(temporary.path()).unwrap().count(), 0);
}

#[test]
fn an_argument_is_an_error_that_names_the_program_with_options() {
    let failed = demo().arg("--keep").output().unwrap();
    assert_eq!(failed.status.code(), Some(1));
    let said = String::from_utf8(failed.stderr).unwrap();
    assert!(said.contains("this program takes no arguments; `throughline demo` has options"), "{said}");
}
