//! A command exchanges a folder of the workspace and a link to a folder outside while file tools work in it.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;
use throughline_conversation::ToolCall;
use throughline_tools::{BuiltinTools, ToolContext};

use crate::attack::{Attack, names, write};
use crate::exchange::exchanging;
use crate::users::{User, as_each_user};

/// Tries of the tools, without the binary around them.
const TRIES: usize = 10_000;

/// Tries of each kind through the binary.
const TRIES_OF_BINARY: usize = 300;

/// A workspace with a folder `d` and a link `s` to the folder `out` outside, which has a secret.
fn prepared(user: User) -> Attack {
    let attack = Attack::new(user);
    attack.put("work/d/notes.txt", "public\n");
    attack.put("out/notes.txt", "the secret\n");
    attack.put("out/secret-name.txt", "the secret\n");
    symlink(attack.home().join("out"), attack.work().join("s")).unwrap();
    attack
}

#[test]
fn ten_thousand_writes_into_a_folder_that_becomes_a_link_leave_nothing_outside() {
    let attack = prepared(User::Own);
    let work = attack.work();
    let tools = BuiltinTools::new().tools();
    let tool = tools.iter().find(|tool| tool.definition().name == "write_file").unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let context = ToolContext::new(&work);
    let created = exchanging(&work.join("d"), &work.join("s"), || {
        let attempts = (0..TRIES).filter(|number| {
            let input = json!({ "path": format!("d/pwn{number}"), "content": "x" });
            let call = ToolCall { id: "c1".to_owned(), name: "write_file".to_owned(), input };
            !runtime.block_on(tool.call(&call, &context)).is_error
        });
        attempts.count()
    });
    assert_eq!(names(&attack.home().join("out")), ["notes.txt", "secret-name.txt"]);
    let inside = names(&work.join("d"));
    assert!(!inside.iter().any(|name| name.ends_with(".tmp")), "drafts stay: {inside:?}");
    assert!(created > 0 && inside.len() == created + 1, "{created} were created, there are {}", inside.len());
}

#[test]
fn the_binary_writes_and_reads_nothing_outside_during_the_race() {
    as_each_user(|user| {
        let attack = prepared(user);
        let mut calls = Vec::new();
        for number in 0..TRIES_OF_BINARY {
            calls.push(write(&format!("d/pwn{number}")));
            calls.push(match number % 3 {
                0 => (
                    "read_file",
                    json!({ "path": "d/notes.txt", "offset": 1 + number / 200, "limit": 1 + number }),
                ),
                1 => ("grep", json!({ "pattern": "secret|public", "max_matches": 1 + number })),
                _ => ("list_files", json!({ "glob": format!("**/{{*name*,x{number}}}") })),
            });
        }
        let (one, other) = (attack.work().join("d"), attack.work().join("s"));
        let (results, output) = attack.run_exchanging([&one, &other], &[], &calls);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(names(&attack.home().join("out")), ["notes.txt", "secret-name.txt"], "{user:?}");
        for text in &results {
            assert!(!text.contains("the secret") && !text.contains("secret-name"), "{user:?}: {text}");
        }
        assert!(results.iter().any(|text| text.starts_with("Created d/")), "{user:?}: {:?}", results.first());
        assert!(results.iter().any(|text| text.contains("public")), "{user:?}");
        let inside = fs::read_dir(attack.work().join("d")).unwrap();
        assert!(inside.into_iter().all(|entry| !entry.unwrap().path().ends_with(".tmp")));
    });
}
