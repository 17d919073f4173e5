//! Tests of the arguments. What the limit does is tested on real processes, in `tests/`.

use std::ffi::OsString;

use super::{Launcher, parse};
use crate::{Sandbox, SandboxError, sandbox_exec};

fn words(line: &str) -> Vec<OsString> {
    line.split(' ').map(OsString::from).collect()
}

#[test]
fn a_line_is_read_back_as_it_was_made() {
    let sandbox = Sandbox::new(["/w"]).with("/with space").with("/w");
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
    assert_eq!(nowhere.0, Some(Sandbox::default()), "no folder is no freedom");
}

#[test]
fn a_line_that_says_too_little_starts_nothing() {
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
