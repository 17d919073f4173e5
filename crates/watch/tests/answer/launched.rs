//! What Claude Code is started with.

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::os::fd::AsRawFd as _;

use serde_json::{Value, json};
use throughline_watch::{LaunchChoice, OwnProgram, launch};

use crate::host::Host;

#[tokio::test]
async fn settings_in_a_pipe_are_given_whole_with_hooks_and_without() {
    let host = Host::new().await;
    for off in [false, true] {
        let (reader, mut writer) = std::io::pipe().unwrap();
        write!(writer, "{}", json!({"disableAllHooks": off, "env": {"A": "b"}})).unwrap();
        drop(writer);
        let path = format!("/proc/self/fd/{}", reader.as_raw_fd());
        let words = ["-p", "--settings", &path, "x"].map(OsString::from);
        let own = OwnProgram::current(Some(host.storage.folder.root())).unwrap();
        let choice = LaunchChoice::default();
        let launched = launch(OsStr::new("claude"), &words, choice, &host.settings(""), own).unwrap();
        assert_eq!(launched.is_hooked, !off);
        let given: Vec<&str> = launched.command.get_args().map(|word| word.to_str().unwrap()).collect();
        let at = given.iter().position(|word| *word == "--settings").unwrap();
        let settings: Value = serde_json::from_str(given[at + 1]).unwrap();
        assert_eq!((&settings["disableAllHooks"], &settings["env"]), (&json!(off), &json!({"A": "b"})));
        assert_eq!(settings.get("hooks").is_some(), !off);
        assert!(given.ends_with(&["-p", "x"]));
    }
}
