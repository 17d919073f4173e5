//! Tests of the arguments. `tests/processes.rs` tests the limits on real processes.

use std::ffi::OsString;

use super::{CHECK, Launch, Task, arguments, parse};
use crate::sandbox::{Sandbox, SandboxError, sandbox_exec};

fn words(line: &str) -> Vec<OsString> {
    line.split(' ').map(OsString::from).collect()
}

#[test]
fn a_command_line_round_trips() {
    let full = Sandbox::new(["/w"])
        .with("/with space")
        .with("/w")
        .without("/w/x")
        .fixing("/w/t.md")
        .repository("/r/.git")
        .hiding("/s/token")
        .temp("/t")
        .processes(7)
        .memory(1 << 30);
    for sandbox in [full.no_network().unix_sockets(), Sandbox::default()] {
        let line = arguments(Some(&sandbox)).into_iter().chain(words("-- /bin/sh -c --writable"));
        let parsed = parse(line).unwrap();
        let task = Task::Confine(Some(sandbox.clone()));
        assert_eq!(parsed, Launch::Run(task, "/bin/sh".into(), words("-c --writable")));
        let checked = parse(arguments(Some(&sandbox)).into_iter().chain(words(CHECK))).unwrap();
        assert_eq!(checked, Launch::Check(sandbox));
    }
    let parsed = parse(arguments(None).into_iter().chain(words("-- /bin/sh -c --unlimited"))).unwrap();
    assert_eq!(parsed, Launch::Run(Task::Confine(None), "/bin/sh".into(), words("-c --unlimited")));
    let parsed = parse(words("--supervise 1:2 --hold /w/.git -- a --supervise 3:4 -- b")).unwrap();
    let task = Task::Supervise("1:2".to_owned(), vec!["/w/.git".into()]);
    assert_eq!(parsed, Launch::Run(task, "a".into(), words("--supervise 3:4 -- b")));
}

#[test]
fn an_incomplete_command_line_starts_nothing() {
    for line in [
        "--writable",
        "--writable /w",
        "--writable /w --",
        "/bin/sh",
        "--readable /w -- true",
        "--processes many -- true",
        "--unlimited",
        "--unlimited --writable /w -- true",
        "--supervise 1:2 --writable /w -- true",
        "--unlimited --check",
        "--supervise 1:2 --check",
        "--writable /w --check true",
    ] {
        let error = sandbox_exec(words(line));
        assert!(matches!(error, SandboxError::Usage(_)), "{line}: {error}");
    }
}
