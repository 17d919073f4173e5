//! Tests of the arguments. `tests/processes.rs` tests the limit on real processes.

use std::ffi::OsString;

use super::{Launcher, parse};
use crate::sandbox::{Sandbox, SandboxError, sandbox_exec};

fn words(line: &str) -> Vec<OsString> {
    line.split(' ').map(OsString::from).collect()
}

#[test]
fn a_command_line_round_trips() {
    let sandbox = Sandbox::new(["/w"]).with("/with space").with("/w").without("/w/x");
    let (program, arguments) = Launcher::new("/bin/agent", ["sandbox-exec"]).line(Some(&sandbox), "/bin/sh");
    assert_eq!(program.to_str(), Some("/bin/agent"));
    let mut arguments = arguments.into_iter();
    assert_eq!(arguments.next(), Some("sandbox-exec".into()));
    let (read, program, rest) = parse(arguments.chain(words("-c --writable"))).unwrap();
    assert_eq!(read, Some(sandbox));
    assert_eq!((program, rest), ("/bin/sh".into(), words("-c --writable")));
    let (_, arguments) = Launcher::new("/bin/agent", ["sandbox-exec"]).line(None, "/bin/sh");
    let (read, program, rest) = parse(arguments.into_iter().skip(1).chain(words("-c --unlimited"))).unwrap();
    assert_eq!((read, program, rest), (None, "/bin/sh".into(), words("-c --unlimited")));
    let nowhere = parse(words("-- /bin/sh")).unwrap();
    assert_eq!(nowhere.0, Some(Sandbox::default()), "without a folder nothing is writable");
}

#[test]
fn an_incomplete_command_line_starts_nothing() {
    for line in [
        "--writable",
        "--writable /w",
        "--writable /w --",
        "/bin/sh",
        "--readable /w -- true",
        "--unlimited",
        "--unlimited --writable /w -- true",
    ] {
        let error = sandbox_exec(words(line));
        assert!(matches!(error, SandboxError::Usage(_)), "{line}: {error}");
        assert!(error.to_string().contains("the form is [--writable FOLDER]"), "{error}");
    }
}
