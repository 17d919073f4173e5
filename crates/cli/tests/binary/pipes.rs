//! Readers that close, readers that are slow, and output without a reader.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::program::throughline;
use crate::ran::{assert_says, run};
use crate::sample::sample;

const COMMANDS: [&[&str]; 6] = [
    &["sessions"],
    &["sessions", "--json"],
    &["context", "last"],
    &["show", "last"],
    &["show", "last", "--receipt"],
    &["export", "last"],
];

#[test]
fn a_reader_that_is_gone_is_no_error() {
    for arguments in COMMANDS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = sample().command(arguments);
        let child = command.stdin(Stdio::null()).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        drop(command);
        assert_quiet(child, arguments);
    }
}

#[test]
fn a_reader_that_leaves_after_a_line_is_no_error() {
    for arguments in COMMANDS {
        let mut child = spawn(&mut sample().command(arguments));
        let mut line = String::new();
        BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(!line.is_empty());
        assert_quiet(child, arguments);
    }
}

#[test]
fn the_demo_ends_with_its_reader_and_leaves_no_process_behind() {
    let folder = tempfile::TempDir::new().unwrap();
    let data = folder.path().join("data");
    let mut child =
        spawn(throughline(&data).args(["demo", "--workspace"]).arg(folder.path().join("project")));
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let found = lines.find(|line| line.as_ref().unwrap().starts_with("model"));
    assert!(found.is_some());
    drop(lines);
    assert_quiet(child, &["demo"]);
    // The session is free as soon as the worker has ended too.
    let locks = data.join("locks");
    let lock = std::fs::read_dir(&locks).unwrap().next().unwrap().unwrap().path();
    let held = || std::fs::File::open(&lock).unwrap().try_lock().is_err();
    for _ in 0..200 {
        if !held() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("a worker still has {}", lock.display());
}

#[test]
fn a_slow_reader_gets_every_byte() {
    for arguments in [&["export", "last"][..], &["show", "last", "--receipt"]] {
        let expected = sample().run(arguments).done();
        let mut child = spawn(&mut sample().command(arguments));
        let mut output = child.stdout.take().unwrap();
        let (mut got, mut chunk) = (Vec::new(), [0; 4_096]);
        loop {
            std::thread::sleep(Duration::from_millis(5));
            match output.read(&mut chunk).unwrap() {
                0 => break,
                bytes => got.extend_from_slice(&chunk[..bytes]),
            }
        }
        assert!(got == expected.as_bytes(), "{} of {} bytes", got.len(), expected.len());
        assert_quiet(child, arguments);
    }
}

#[test]
fn output_that_a_full_disk_refuses_is_an_error() {
    for arguments in COMMANDS {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = sample().command(arguments);
        let child = command.stdin(Stdio::null()).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let (status, says) = end(child);
        assert_eq!(status.code(), Some(1), "{arguments:?}: {says}");
        assert!(
            says.starts_with("error: could not write") && says.lines().count() == 1,
            "{arguments:?}: {says}"
        );
    }
}

#[test]
fn errors_without_a_reader_still_fail() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = sample().command(&["show", "missing"]);
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(writer).status().unwrap();
    assert_eq!(status.code(), Some(1));
}

#[test]
fn closed_streams_are_no_reason_to_panic() {
    let binary = env!("CARGO_BIN_EXE_throughline");
    for (streams, code) in [("<&-", 0), (">&-", 0), ("<&- >&- 2>&-", 0)] {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!(r#""$0" "$@" {streams}"#)).arg(binary);
        shell.arg("--data-dir").arg(&sample().data).args(["export", "last", "--any-folder"]);
        let ran = run(&mut shell);
        assert_eq!((ran.code, ran.err.as_str()), (Some(code), ""), "{streams}");
    }
    assert_says(&sample().export(), &["\"seq\":1,"]);
}

fn spawn(command: &mut Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn end(child: Child) -> (ExitStatus, String) {
    let output = child.wait_with_output().unwrap();
    (output.status, String::from_utf8(output.stderr).unwrap())
}

#[track_caller]
fn assert_quiet(child: Child, arguments: &[&str]) {
    let (status, says) = end(child);
    assert_eq!((status.code(), says.as_str()), (Some(0), ""), "{arguments:?}");
}
