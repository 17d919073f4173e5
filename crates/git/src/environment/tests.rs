//! What `git` gets.

use std::ffi::OsString;

use super::environment;

#[test]
fn nothing_names_another_repository_and_no_secret_goes_along() {
    let given = [
        ("PATH", "/bin"),
        ("HOME", "/home/p"),
        ("GIT_DIR", "/elsewhere/.git"),
        ("GIT_WORK_TREE", "/elsewhere"),
        ("GIT_INDEX_FILE", "/elsewhere/index"),
        ("GIT_TRACE", "/tmp/trace"),
        ("GIT_ALLOW_PROTOCOL", "ext"),
        ("GIT_CONFIG_PARAMETERS", "'core.fsmonitor=evil'"),
        ("GIT_CONFIG_GLOBAL", "/home/p/git"),
        ("LC_ALL", "de_DE"),
        ("LANGUAGE", "de"),
        ("ANTHROPIC_API_KEY", "secret"),
    ];
    let given = given.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let kept: Vec<String> =
        environment(given).map(|(name, value)| format!("{}={}", name.display(), value.display())).collect();
    assert_eq!(
        kept,
        [
            "PATH=/bin",
            "HOME=/home/p",
            "GIT_CONFIG_GLOBAL=/home/p/git",
            "LC_ALL=C",
            "GIT_TERMINAL_PROMPT=0",
            "GIT_NO_LAZY_FETCH=1",
            "GIT_ALLOW_PROTOCOL="
        ]
    );
}
