//! Tests of file tools while a command exchanges a folder and a link to a folder outside.

use std::time::{Duration, Instant};

use serde_json::json;

use super::Workspace;
use crate::root_folder::tests::exchange::exchanging;

/// How long each attack lasts.
const LASTS: Duration = Duration::from_secs(1);

/// A workspace with a folder `d` and a link `s` to a folder outside that has a secret file.
fn attacked() -> (Workspace, Workspace) {
    let workspace = Workspace::of(&[("d/notes.txt", "public\n"), ("other/file.txt", "x\n")]);
    let outside = Workspace::of(&[("secret-name.txt", "the secret\n"), ("notes.txt", "the secret\n")]);
    std::os::unix::fs::symlink(outside.root(), workspace.path("s")).unwrap();
    (workspace, outside)
}

/// Repeats a call during the attack. Returns what it answered.
fn during(
    workspace: &Workspace,
    mut call: impl FnMut(usize) -> (&'static str, serde_json::Value),
) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut answers = Vec::new();
    exchanging(&workspace.path("d"), &workspace.path("s"), || {
        let begun = Instant::now();
        while begun.elapsed() < LASTS {
            let (tool, input) = call(answers.len());
            answers.push(runtime.block_on(workspace.call(tool, input)).to_text());
        }
    });
    assert!(answers.len() > 10, "{} calls", answers.len());
    answers
}

#[test]
fn nothing_is_written_outside_while_folders_become_links() {
    let (workspace, outside) = attacked();
    let answers = during(&workspace, |number| {
        ("write_file", json!({"path": format!("d/pwn{number}"), "content": "x"}))
    });
    let names: Vec<_> =
        std::fs::read_dir(outside.root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    let written = answers.iter().filter(|answer| answer.starts_with("Created")).count();
    let inside = std::fs::read_dir(workspace.path("d")).unwrap().count();
    assert!(written > 0 && inside == written + 1, "{written} files were created, and there are {inside}");
}

#[test]
fn nothing_is_read_outside_while_folders_become_links() {
    let (workspace, _outside) = attacked();
    let reads = during(&workspace, |number| match number % 4 {
        0 => ("read_file", json!({"path": "d/notes.txt"})),
        1 => ("grep", json!({"pattern": "secret|public"})),
        2 => ("list_files", json!({"newest_first": true})),
        _ => ("read_file", json!({"path": "d/secret-nam.txt"})),
    });
    for read in &reads {
        assert!(!read.contains("the secret"), "{read}");
        assert!(!read.contains("secret-name"), "{read}");
    }
    assert!(reads.iter().any(|read| read.contains("public")), "the folder inside is read");
}

#[test]
fn a_link_inside_of_the_workspace_is_followed() {
    let workspace = Workspace::of(&[("d/notes.txt", "public\n")]);
    std::os::unix::fs::symlink("d", workspace.path("l")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        assert!(workspace.fine("read_file", json!({"path": "l/notes.txt"})).await.contains("public"));
        workspace.fine("write_file", json!({"path": "l/new.txt", "content": "x"})).await;
        workspace
            .fine("edit_file", json!({"path": "l/notes.txt", "old_string": "public", "new_string": "open"}))
            .await;
    });
    assert_eq!(
        (workspace.read("d/new.txt"), workspace.read("d/notes.txt")),
        ("x".to_owned(), "open\n".to_owned())
    );
}
