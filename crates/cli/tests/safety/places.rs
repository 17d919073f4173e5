//! Files that are not what they seem: hard links, pipes, devices, names in other letters, paths without end, and a workspace
//! that is moved away.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::attack::{Attack, names, write};
use crate::users::{User, as_each_user};

fn read(path: &str) -> (&'static str, Value) {
    ("read_file", json!({ "path": path }))
}

fn edit(path: &str, old: &str) -> (&'static str, Value) {
    ("edit_file", json!({ "path": path, "old_string": old, "new_string": "changed" }))
}

#[test]
fn a_hard_link_to_a_file_outside_is_replaced_and_not_written_through() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        for name in ["written", "edited"] {
            attack.put(&format!("out/{name}"), "mine\n");
            fs::hard_link(attack.home().join("out").join(name), attack.work().join(name)).unwrap();
        }
        let calls = [read("written"), write("written"), read("edited"), edit("edited", "mine")];
        let (results, output) = attack.run(&["--mode", "yolo"], &calls);
        for name in ["written", "edited"] {
            let outside = fs::read_to_string(attack.home().join("out").join(name)).unwrap();
            assert_eq!(outside, "mine\n", "{user:?}: {results:?} {output:?}");
        }
        assert_eq!(names(&attack.home().join("out")), ["edited", "written"], "{user:?}");
    });
}

#[test]
fn pipes_sockets_and_devices_stop_neither_a_walk_nor_a_call() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        attack.put("work/a.txt", "needle\n");
        let at = |name: &str| attack.work().join(name);
        let made = |command: &mut Command| command.status().is_ok_and(|status| status.success());
        assert!(made(Command::new("mkfifo").arg(at("pipe"))));
        let _listener = UnixListener::bind(at("socket")).unwrap();
        symlink("/dev/zero", at("zero")).unwrap();
        symlink("loop", at("loop")).unwrap();
        symlink(".", at("self")).unwrap();
        symlink("/proc/self", at("proc")).unwrap();
        // Only root can make one, and only outside of a container.
        let device = user == User::Own && made(Command::new("mknod").arg(at("device")).args(["c", "1", "5"]));
        let mut odd = vec!["pipe", "socket", "zero", "loop", "self", "proc/environ"];
        odd.extend(device.then_some("device"));
        let mut calls = vec![
            ("grep", json!({ "pattern": "needle|PATH=" })),
            ("list_files", json!({})),
            ("list_files", json!({ "glob": "**/*" })),
        ];
        for name in &odd {
            calls.extend([
                read(name),
                write(name),
                edit(name, "a"),
                ("grep", json!({ "pattern": "x", "path": name })),
            ]);
        }
        let begun = Instant::now();
        let (results, output) = attack.run(&["--mode", "yolo"], &calls);
        assert!(output.status.success(), "{user:?}: {output:?}");
        assert!(begun.elapsed() < Duration::from_secs(120), "{user:?}: something waits");
        assert!(results[0].contains("a.txt") && !results[0].contains("PATH="), "{user:?}: {}", results[0]);
        for text in &results {
            assert!(!text.contains("sk-test-5f2a9c") && text.len() < 100_000, "{user:?}: {text}");
        }
        for (name, results) in odd.iter().zip(results.get(3..).unwrap().chunks(4)) {
            let done = ["Created", "Replaced", "Edited", "Changed"];
            let changed = results.iter().find(|text| done.iter().any(|word| text.starts_with(word)));
            assert_eq!(changed, None, "{user:?} {name}");
        }
        let still = Command::new("test").arg("-p").arg(at("pipe")).status().unwrap();
        assert!(still.success(), "{user:?}: the pipe is replaced: {results:?}");
    });
}

#[test]
fn protected_names_in_other_letters_are_protected() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        let git = [write(".GIT/hooks/pre-commit"), write(".Git/config"), write("sub/.giT/HEAD")];
        for (call, result) in git.iter().zip(attack.run(&["--mode", "yolo"], &git).0) {
            assert!(result.contains("belongs to git itself"), "{user:?} {call:?}: {result}");
        }
        let later =
            [".MCP.json", ".Envrc", ".VSCode/tasks.json", ".THROUGHLINE/config.toml", ".BashRC", ".SSH/rc"];
        let calls: Vec<_> = later.iter().map(|path| write(path)).collect();
        for (call, result) in calls.iter().zip(attack.run(&[], &calls).0) {
            assert!(result.contains("was not run"), "{user:?} {call:?}: {result}");
        }
        assert_eq!(names(&attack.work()), Vec::<String>::new(), "{user:?}");
    });
}

#[test]
fn a_path_without_end_is_an_error_and_leaves_nothing() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        attack.put("work/a.txt", "alpha\n");
        let paths = [
            "x".repeat(300),
            "x".repeat(100_000),
            format!("{}x", "d/".repeat(3_000)),
            format!("{}x", "../".repeat(3_000)),
            format!("{}a.txt", "./".repeat(5_000)),
            "a\0b".to_owned(),
            "\u{202e}txt.a".to_owned(),
        ];
        let mut calls = Vec::new();
        for path in &paths[..6] {
            calls.extend([read(path), write(path), edit(path, "alpha")]);
            calls.push(("grep", json!({ "pattern": "alpha", "path": path })));
            calls.push(("list_files", json!({ "path": path, "glob": "**" })));
        }
        let (results, output) = attack.run(&["--mode", "yolo"], &calls);
        assert!(output.status.success(), "{user:?}: {output:?}");
        for (call, result) in
            calls.iter().zip(&results).take(5 * 4).filter(|(call, _)| call.0 == "write_file")
        {
            assert!(!result.starts_with("Created"), "{user:?} {:?}: {result}", call.0);
        }
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{user:?}: {output:?}");
        assert_eq!(names(&attack.work()), ["a.txt"], "{user:?}");
        assert_eq!(names(&attack.home()), [".local", "work"], "{user:?}");
    });
}

#[test]
fn a_file_that_becomes_a_link_is_neither_read_nor_edited_outside() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        attack.put("work/f", "public one\n");
        attack.put("out/secret", "the secret one\n");
        symlink(attack.home().join("out/secret"), attack.work().join("l")).unwrap();
        let mut calls = Vec::new();
        for number in 0..200 {
            calls.extend([
                ("read_file", json!({ "path": "f", "limit": 1 + number })),
                (
                    "edit_file",
                    json!({ "path": "f", "old_string": "one", "new_string": format!("one {number}") }),
                ),
                ("grep", json!({ "pattern": "one", "path": "f", "max_matches": 1 + number })),
            ]);
        }
        let (one, other) = (attack.work().join("f"), attack.work().join("l"));
        let (results, output) = attack.run_exchanging([&one, &other], &["--mode", "yolo"], &calls);
        assert!(output.status.success(), "{user:?}: {output:?}");
        let secret = fs::read_to_string(attack.home().join("out/secret")).unwrap();
        assert_eq!(secret, "the secret one\n", "{user:?}: it was written");
        assert!(results.iter().all(|text| !text.contains("the secret")), "{user:?}: it was read");
        assert!(results.iter().any(|text| text.contains("public")), "{user:?}: {:?}", results.first());
        assert_eq!(names(&attack.home().join("out")), ["secret"], "{user:?}");
    });
}

#[test]
fn a_workspace_that_is_moved_away_takes_no_call_to_another_folder() {
    as_each_user(|user| {
        let attack = Attack::new(user);
        attack.put("work/first", "old\n");
        attack.put("out/secret", "the secret\n");
        let (work, moved, out) = (attack.work(), attack.home().join("moved"), attack.home().join("out"));
        // The command ends when the folder is a link to another one.
        let wait = json!({ "command": "touch ready; n=0; while [ ! -e go ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done" });
        let mut calls = vec![("shell", wait)];
        // Twenty calls are a message: these come after it.
        calls.extend((1..20).map(|number| ("list_files", json!({ "glob": format!("x{number}") }))));
        calls.extend([write("pwn"), read("secret"), ("grep", json!({ "pattern": "secret" }))]);
        calls.extend([
            ("list_files", json!({})),
            ("shell", json!({ "command": "echo x > pwn2; cat secret; true" })),
        ]);
        let (results, output) = std::thread::scope(|scope| {
            scope.spawn(|| {
                let begun = Instant::now();
                while !work.join("ready").exists() && begun.elapsed() < Duration::from_secs(60) {
                    std::thread::sleep(Duration::from_millis(10));
                }
                fs::rename(&work, &moved).unwrap();
                symlink(&out, &work).unwrap();
                fs::write(moved.join("go"), "").unwrap();
            });
            attack.run(&[], &calls)
        });
        assert_eq!(names(&out), ["secret"], "{user:?}: {results:?} {output:?}");
        // Commands may read everything; file tools stay in the workspace.
        for text in results.iter().take(calls.len() - 1) {
            assert!(!text.contains("the secret"), "{user:?}: {text}");
        }
    });
}
