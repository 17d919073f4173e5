//! Bad input: every tool answers quickly, within a limit, and with a next step.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Workspace;
use crate::output::ToolOutput;

/// Long enough for a slow machine, and far below what reading a gigabyte or waiting for a pipe takes.
const QUICK: Duration = Duration::from_secs(10);

async fn answer(workspace: &Workspace, name: &str, input: &Value) -> ToolOutput {
    let begun = Instant::now();
    let work = workspace.call(name, input.clone());
    let output =
        tokio::time::timeout(QUICK, work).await.unwrap_or_else(|_| panic!("{name} {input}: no answer"));
    assert!(begun.elapsed() < QUICK);
    assert!(output.bytes.len() < 128 * 1024, "{name} {input}: {} bytes", output.bytes.len());
    assert!(!output.to_text().trim().is_empty(), "{name} {input}");
    output
}

/// The calls that name a file, of every tool that takes one.
fn calls(path: &str) -> Vec<(&'static str, Value)> {
    let edit = json!({ "old_string": "a", "new_string": "b" });
    vec![
        ("read_file", json!({ "path": path })),
        ("read_file", json!({ "path": path, "offset": 1_000_000_000_u64, "limit": 5 })),
        ("write_file", json!({ "path": path, "content": "x" })),
        ("edit_file", json!({ "path": path, "old_string": "a", "new_string": "b" })),
        ("multi_edit", json!({ "path": path, "edits": [edit] })),
        ("grep", json!({ "path": path, "pattern": "a" })),
        ("list_files", json!({ "path": path })),
    ]
}

#[tokio::test]
async fn every_file_tool_answers_paths_that_are_not_text_files() {
    let outside = Workspace::of(&[("secret.txt", "a secret")]);
    let workspace = Workspace::of(&[("folder/in.txt", "a\n")]);
    workspace.put("binary", b"a\0b");
    workspace.put("latin", b"caf\xe9 a a");
    std::fs::File::create(workspace.path("sparse")).unwrap().set_len(1 << 30).unwrap();
    std::os::unix::fs::symlink(outside.path("secret.txt"), workspace.path("link_out")).unwrap();
    std::os::unix::fs::symlink("loop", workspace.path("loop")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(workspace.path("fifo")).status().unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(workspace.path("socket")).unwrap();
    let long = "x".repeat(300);
    let paths = [
        "missing",
        "folder",
        "binary",
        "latin",
        "sparse",
        "link_out",
        "loop",
        "fifo",
        "socket",
        "",
        " ",
        "a\0b",
        &long,
        "../..",
        "/dev/zero",
        "/proc/self/mem",
        "folder/in.txt/deeper",
    ];
    let mut answers = String::new();
    for path in paths {
        for (name, input) in calls(path) {
            let output = answer(&workspace, name, &input).await;
            let text = output.to_text();
            assert!(!text.contains("secret\""), "{text}");
            let first = text.lines().next().unwrap_or_default();
            let shown = if path.len() > 100 { "xxx…" } else { path };
            let mark = if output.is_error { '!' } else { ' ' };
            let first = first.replace(&long, "xxx…");
            answers.push_str(&format!("{mark} {name} {shown:?}: {first}\n"));
        }
    }
    assert_eq!(outside.read("secret.txt"), "a secret");
    // Regular files can be used, and a missing one can be created.
    for line in answers.lines().filter(|line| !line.starts_with('!')) {
        let fine = [
            "\"missing\"",
            "\"binary\"",
            "\"latin\"",
            "list_files \"folder\"",
            "grep \"folder\"",
            "\"sparse\"",
        ];
        assert!(fine.iter().any(|part| line.contains(part)), "{line}");
    }
    expect_test::expect_file!["bad_input.txt"].assert_eq(&answers);
}

#[tokio::test]
async fn wrong_arguments_are_named_and_the_schema_is_quoted() {
    let workspace = Workspace::of(&[("a.txt", "a\n")]);
    let wrong = [
        json!(null),
        json!([]),
        json!("a.txt"),
        json!({}),
        json!({"path": 7, "command": 7, "job": [], "pattern": {}, "items": "x", "glob": 1}),
        json!({"path": "a.txt", "pattern": "a", "command": "true", "job": 1, "items": [], "unknown": 1}),
        json!({"path": null, "command": null, "job": -1, "pattern": null, "items": null, "glob": {}}),
    ];
    for tool in &workspace.tools {
        let name = tool.definition().name;
        for input in &wrong {
            if name == "list_files" && *input == json!({}) {
                continue;
            }
            let output = answer(&workspace, &name, input).await;
            let text = output.to_text();
            assert!(output.is_error, "{name} {input}: {text}");
            assert!(text.starts_with(&format!("The arguments of {name} are wrong: ")), "{text}");
            assert!(text.contains("follow this schema: {"), "{text}");
        }
    }
}

#[tokio::test]
async fn values_in_quotes_are_taken_for_what_they_are() {
    let workspace = Workspace::of(&[("a.txt", "a\nb\n")]);
    for (name, input) in [
        ("read_file", json!({"path": "a.txt", "offset": "1", "limit": " 5 "})),
        ("read_file", json!({"path": "a.txt", "offset": 1.0, "limit": ""})),
        ("write_file", json!({"path": "5", "content": "[1]"})),
        ("edit_file", json!({"path": "5", "old_string": "1", "new_string": "2", "replace_all": "true"})),
        (
            "multi_edit",
            json!({"path": "5", "edits": r#"[{"old_string": "2", "new_string": "3", "replace_all": "false"}]"#}),
        ),
        ("update_checklist", json!({"items": r#"[{"description": "look", "status": "pending"}]"#})),
    ] {
        let output = answer(&workspace, name, &input).await;
        assert!(!output.is_error, "{name} {input}: {}", output.to_text());
    }
    assert_eq!(workspace.read("5"), "[3]");
    let text = workspace.refused("read_file", json!({"path": "a.txt", "limit": "five"})).await;
    assert!(text.contains("are wrong: invalid type: string \"five\", expected u64"), "{text}");
}

#[tokio::test]
async fn numbers_out_of_range_are_clamped() {
    let workspace = Workspace::of(&[("a.txt", "a\nb\n")]);
    let huge = u64::MAX;
    for (name, input) in [
        ("read_file", json!({"path": "a.txt", "offset": 0, "limit": 0})),
        ("read_file", json!({"path": "a.txt", "limit": huge})),
        ("grep", json!({"pattern": "a", "max_matches": 0})),
        ("grep", json!({"pattern": "a", "max_matches": huge})),
        ("shell", json!({"command": "true", "timeout_seconds": 0})),
        ("shell", json!({"command": "true", "timeout_seconds": huge})),
    ] {
        let output = answer(&workspace, name, &input).await;
        assert!(!output.is_error, "{name} {input}: {}", output.to_text());
    }
    let output = answer(&workspace, "read_file", &json!({"path": "a.txt", "offset": huge})).await;
    assert_eq!(output.to_text(), format!("The file has 2 lines; line {huge} is behind its end."));
}

#[tokio::test]
async fn large_text_files_are_read_in_parts_and_edited_elsewhere() {
    let workspace = Workspace::of(&[]);
    let line = format!("{}\n", "x".repeat(1_023));
    workspace.put("large.txt", line.repeat(33 * 1024).as_bytes());
    let text = workspace.fine("read_file", json!({"path": "large.txt", "offset": 33_790})).await;
    assert!(text.ends_with("[end of file: 33,792 lines]"), "{}", text.len());
    let edit = json!({"path": "large.txt", "old_string": "x", "new_string": "y", "replace_all": true});
    let text = workspace.refused("edit_file", edit).await;
    assert!(text.contains("more than the 32 MiB that file tools edit. Use shell"), "{text}");
    let grown =
        json!({"path": "a.txt", "old_string": "a", "new_string": "b".repeat(1 << 20), "replace_all": true});
    workspace.put("a.txt", "a".repeat(64).as_bytes());
    let text = workspace.refused("edit_file", grown).await;
    assert!(text.starts_with("The file would become larger than 32 MiB"), "{text}");
    workspace.fine("write_file", json!({"path": "large.txt", "content": "small"})).await;
    workspace.put("large.txt", line.repeat(33 * 1024).as_bytes());
    let text = workspace.refused("write_file", json!({"path": "large.txt", "content": "small"})).await;
    assert!(text.ends_with("Read it again first."), "{text}");
}

#[tokio::test]
async fn commands_that_cannot_be_run_are_answered() {
    let workspace = Workspace::of(&[]);
    let long = format!("echo {}", "x".repeat(3_000_000));
    for (command, start) in [
        ("", "The command is empty."),
        ("\0", "The command has a zero byte"),
        (&long, "The command could not be started"),
        ("no_such_program_at_all", "/bin/"),
        ("echo 'open", "/bin/"),
        ("kill -KILL $$", "[ended by signal 9]"),
        (
            "head -c 3 /dev/urandom > /dev/null; printf '\\xff\\xfe'; false",
            "\u{fffd}\u{fffd}\n[exit status: 1]",
        ),
    ] {
        let output = answer(&workspace, "shell", &json!({ "command": command })).await;
        let text = output.to_text();
        assert!(output.is_error && text.starts_with(start), "{text}");
    }
}
