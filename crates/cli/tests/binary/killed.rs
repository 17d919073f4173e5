//! What a killed program leaves behind, and who removes it.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::run;

const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");

fn entries(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap();
    names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[track_caller]
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn temporary_folders_of_a_killed_program_are_removed_by_the_next_one() {
    let wait = |name: &str| {
        let line = format!("touch {name}; until [ -e go ]; do sleep 0.05; done");
        Answer::call("c1", "shell", json!({ "command": line }))
    };
    let script =
        Script::new().then(wait("first")).then(wait("second")).then(Answer::text("Done.")).repeat_last();
    let (place, server) = (Place::new(), serve(script));
    let temp = place.folder.path().join("temp");
    std::fs::create_dir(&temp).unwrap();
    let start = || {
        let mut command = place.asks(&server, MODEL, &["--mode", "yolo", "Wait."]);
        command.env("TMPDIR", &temp).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };

    let mut killed = start();
    wait_until("the first command never started", || place.work().join("first").exists());
    killed.kill().unwrap();
    killed.wait().unwrap();
    let left = entries(&temp);
    assert!(!left.is_empty(), "a program that is killed cannot remove its folder");

    let mut alive = start();
    wait_until("the second command never started", || place.work().join("second").exists());
    wait_until("what was left is not removed", || {
        let now = entries(&temp);
        left.iter().all(|name| !now.contains(name))
    });
    let own = entries(&temp);
    assert!(!own.is_empty(), "the running program has a folder, too");
    // Another program removes nothing of one that runs.
    let third = run(place.asks(&server, MODEL, &["Go."]).env("TMPDIR", &temp));
    assert_eq!(third.code, Some(0), "{}", third.err);
    assert!(own.iter().all(|name| entries(&temp).contains(name)), "{own:?}: {:?}", entries(&temp));
    std::fs::write(place.work().join("go"), "").unwrap();
    assert!(alive.wait().unwrap().success());
    assert_eq!(entries(&temp), Vec::<String>::new());
}

#[test]
fn ctrl_c_ends_a_run_whose_command_ignores_it() {
    let line = "trap '' INT TERM HUP; echo $$ > pid; touch up; while :; do sleep 0.1; done";
    let script = Script::new().then(Answer::call("c1", "shell", json!({ "command": line }))).repeat_last();
    let (place, server) = (Place::new(), serve(script));
    let mut command = place.asks(&server, MODEL, &["-o", "json", "Wait."]);
    let mut running = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    wait_until("the command runs", || place.work().join("up").exists());
    let id = running.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let begun = Instant::now();
    wait_until("the run ends", || running.try_wait().unwrap().is_some());
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert_eq!(running.wait().unwrap().code(), Some(130));
    // Nothing of the command is left: it would be found by its work.
    let folder = place.work().canonicalize().unwrap();
    let works_there = || {
        let all = std::fs::read_dir("/proc").unwrap().flatten();
        all.filter(|entry| std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == folder))
            .count()
    };
    wait_until("the command ends", || works_there() == 0);
    let result = run(&mut place.bare(&["messages", "show", "last", "1"])).done();
    assert!(result.contains("trap ''"), "{result}");
}
