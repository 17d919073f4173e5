//! A failed step says what failed and how to repeat it.

use std::process::Command;
use std::time::Duration;

use super::{is_of_the_package, run, run_within, shown, timed};

#[test]
fn a_step_that_works_is_ok() {
    assert!(run("true", &mut Command::new("true")).is_ok());
}

#[test]
fn the_error_names_the_step_and_the_command() {
    let error = run("answer", Command::new("sh").args(["-c", "exit 3"])).unwrap_err();
    let text = format!("{error:#}");
    assert!(text.starts_with("step `answer` failed after"), "{text}");
    assert!(text.ends_with("`sh -c 'exit 3'` ended with exit code 3"), "{text}");
}

#[test]
fn the_error_of_a_step_that_hangs_says_so() {
    let error = run_within("hang", Command::new("sleep").arg("300"), Duration::from_secs(1)).unwrap_err();
    let text = format!("{error:#}");
    assert!(text.ends_with("`sleep 300` was still running after 1 s and was ended"), "{text}");
}

#[test]
fn a_program_that_does_not_exist_is_an_error_not_a_panic() {
    let error = run("nothing", &mut Command::new("throughline-no-such-program")).unwrap_err();
    assert!(format!("{error:#}").contains("start `throughline-no-such-program`"));
}

#[test]
fn work_that_fails_keeps_its_reason() {
    let error = timed("work", || anyhow::bail!("two crates disagree")).unwrap_err();
    assert!(format!("{error:#}").ends_with("two crates disagree"));
}

#[test]
fn variables_are_shown_and_folders_are_not() {
    let mut command = Command::new("/opt/rust/bin/cargo");
    command.env("RUSTDOCFLAGS", "-D warnings").args(["doc", "--no-deps"]);
    assert_eq!(shown(&command), "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps");
}

#[test]
fn only_what_cargo_says_of_the_package_is_kept_from_another_cargo() {
    for (variable, of_the_package) in [
        ("CARGO_MANIFEST_DIR", true),
        ("CARGO_PKG_VERSION_PATCH", true),
        ("CARGO_TARGET_DIR", false),
        ("CARGO_BUILD_JOBS", false),
        ("CARGO", false),
    ] {
        assert_eq!(is_of_the_package(variable), of_the_package, "{variable}");
    }
}
