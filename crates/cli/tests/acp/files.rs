//! Files of an editor: buffers that are not saved are what the model reads, and edits go through the editor.

use agent_client_protocol::v1::schema::{ClientCapabilities, FileSystemCapabilities, ToolCallStatus};
use agent_client_protocol::{Error, ErrorCode};
use serde_json::{Value, json};
use throughline_testserver::{Answer, Script};

use crate::editor::{Editor, status_of};
use crate::home::Home;

const UNSAVED: &str = "alpha\nbeta, not saved\n";

fn capabilities(reads: bool, writes: bool) -> ClientCapabilities {
    let files = FileSystemCapabilities::new().read_text_file(reads).write_text_file(writes);
    ClientCapabilities::new().fs(files)
}

fn call(number: usize, tool: &str, input: Value) -> Answer {
    Answer::call(&format!("call_{number}"), tool, input)
}

fn read(number: usize, path: &str) -> Answer {
    call(number, "read_file", json!({ "path": path }))
}

fn edit(number: usize, path: &str, old: &str, new: &str) -> Answer {
    call(number, "edit_file", json!({ "path": path, "old_string": old, "new_string": new }))
}

async fn home(answers: impl IntoIterator<Item = Answer>) -> Home {
    let script = answers.into_iter().fold(Script::new(), Script::then);
    Home::new(script.then(Answer::text("Fine.")).repeat_last()).await
}

/// An editor that saves what is written, and may edit without a question.
async fn start(home: &Home, capabilities: ClientCapabilities) -> (Editor, String) {
    let editor = Editor::start_with(home, &["--mode", "auto-edit"], capabilities).await;
    editor.files().saves = true;
    let id = editor.open(home).await;
    (editor, id)
}

/// What the model was given as the result of each call.
fn results(home: &Home) -> Vec<String> {
    let requests = home.requests();
    let messages = requests.last().unwrap().body["messages"].as_array().unwrap().clone();
    let blocks = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
    blocks.filter(|block| block["type"] == "tool_result").map(Value::to_string).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unsaved_buffer_is_what_the_model_reads_and_an_edit_lands_in_the_editor() {
    let home = home([read(1, "a.txt"), edit(2, "a.txt", "not saved", "edited"), read(3, "a.txt")]).await;
    let (editor, id) = start(&home, capabilities(true, true)).await;
    let file = home.work().join("a.txt");
    editor.files().buffers.insert(file.clone(), UNSAVED.to_owned());
    editor.prompt(&id, "Edit it.").await.unwrap();
    let results = results(&home);
    assert!(results[0].contains("beta, not saved") && results[0].contains("unsaved changes"), "{results:?}");
    assert!(results[1].contains("Edited a.txt"), "{results:?}");
    assert!(results[2].contains("beta, edited") && !results[2].contains("unsaved changes"), "{results:?}");
    let edited = "alpha\nbeta, edited\n";
    assert_eq!(editor.files().buffers[&file], edited);
    assert_eq!(home.read("a.txt"), edited);
    let asked = editor.files().asked.clone();
    assert_eq!(
        asked.iter().filter(|one| **one == format!("write {}", file.display())).count(),
        1,
        "{asked:?}"
    );

    // The undo of the files brings the buffer's text back, not the older one of the disk.
    let text = home.printed(&["sessions"]).await;
    assert!(text.contains(&id), "{text}");
    let (code, said) = editor.leave().await;
    assert_eq!(code, Some(0), "{said}");
    home.printed(&["undo", &id, "--files", "--yes"]).await;
    assert_eq!(home.read("a.txt"), UNSAVED);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_file_and_a_whole_one_are_written_through_the_editor() {
    let write =
        |number, path: &str| call(number, "write_file", json!({ "path": path, "content": "whole\n" }));
    let home =
        home([write(1, "new.txt"), write(2, "far/new.txt"), read(3, "a.txt"), write(4, "a.txt")]).await;
    let (editor, id) = start(&home, capabilities(true, true)).await;
    editor.prompt(&id, "Write.").await.unwrap();
    let written: Vec<String> =
        editor.files().asked.iter().filter(|one| one.starts_with("write")).cloned().collect();
    let path = |name: &str| format!("write {}", home.work().join(name).display());
    // A missing folder is made on the disk, with its file.
    assert_eq!(written, [path("new.txt"), path("a.txt")]);
    for name in ["new.txt", "far/new.txt", "a.txt"] {
        assert_eq!(home.read(name), "whole\n", "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_capability_the_disk_is_read_and_written() {
    for capabilities in [ClientCapabilities::new(), capabilities(false, true)] {
        let home = home([read(1, "a.txt"), edit(2, "a.txt", "beta", "gamma")]).await;
        let (editor, id) = start(&home, capabilities).await;
        editor.files().buffers.insert(home.work().join("a.txt"), UNSAVED.to_owned());
        editor.prompt(&id, "Edit it.").await.unwrap();
        let results = results(&home);
        assert!(results[0].contains("beta") && !results[0].contains("not saved"), "{results:?}");
        assert_eq!(home.read("a.txt"), "alpha\ngamma\n");
        assert_eq!(editor.files().asked, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_knows_no_such_request_or_no_such_file_leaves_it_to_the_disk() {
    for (refusal, asked) in
        [(Error::from(ErrorCode::METHOD_NOT_FOUND), 1), (Error::from(ErrorCode::RESOURCE_NOT_FOUND), 2)]
    {
        let home = home([read(1, "a.txt"), edit(2, "a.txt", "beta", "gamma")]).await;
        let (editor, id) = start(&home, capabilities(true, true)).await;
        editor.files().refusal = Some(refusal);
        editor.prompt(&id, "Edit it.").await.unwrap();
        assert_eq!(home.read("a.txt"), "alpha\ngamma\n");
        // The reading, and the text before the edit.
        let requests = editor.files().asked.clone();
        assert_eq!(requests.len(), asked, "{requests:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_editor_that_fails_leaves_the_file_unchanged() {
    let home = home([read(1, "a.txt"), edit(2, "a.txt", "beta", "gamma")]).await;
    let (editor, id) = start(&home, capabilities(true, true)).await;
    editor.files().refusal = Some(Error::from(ErrorCode::INTERNAL_ERROR).data("the language server is busy"));
    editor.prompt(&id, "Edit it.").await.unwrap();
    assert_eq!(home.read("a.txt"), "alpha\nbeta\n");
    let results = results(&home);
    assert!(results.iter().all(|result| result.contains("in the editor")), "{results:?}");
    let updates = editor.updates(&id);
    assert_eq!(status_of(&updates, "call_2"), Some(ToolCallStatus::Failed));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rules_for_files_hold_in_the_editor_too() {
    let home = home([]).await;
    let outside = home.path().join("outside.txt");
    std::fs::write(&outside, "secret\n").unwrap();
    std::os::unix::fs::symlink(&outside, home.work().join("link.txt")).unwrap();
    std::fs::create_dir(home.work().join(".git")).unwrap();
    std::fs::write(home.work().join(".git/config"), "[core]\n").unwrap();
    let paths = ["link.txt", "../outside.txt", ".git/config"];
    for (number, path) in paths.into_iter().enumerate() {
        home.model.push(edit(number, path, "e", "x"));
    }
    home.model.push(read(9, "link.txt"));
    let (editor, id) = start(&home, capabilities(true, true)).await;
    editor.prompt(&id, "Try.").await.unwrap();
    let asked = editor.files().asked.clone();
    assert!(asked.iter().all(|one| !one.starts_with("write") && !one.contains("outside")), "{asked:?}");
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "secret\n");
    assert_eq!(home.read(".git/config"), "[core]\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn line_endings_that_the_editor_hides_stay_and_are_no_unsaved_change() {
    let home = home([read(1, "dos.txt"), edit(2, "dos.txt", "two", "2"), read(3, "dos.txt")]).await;
    std::fs::write(home.work().join("dos.txt"), "one\r\ntwo\r\n").unwrap();
    let (editor, id) = start(&home, capabilities(true, true)).await;
    editor.files().buffers.insert(home.work().join("dos.txt"), "one\ntwo\n".to_owned());
    editor.prompt(&id, "Edit it.").await.unwrap();
    assert_eq!(home.read("dos.txt"), "one\r\n2\r\n");
    assert!(results(&home).iter().all(|result| !result.contains("unsaved")), "{:?}", results(&home));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_editor_that_does_not_save_keeps_the_edit_in_its_buffer() {
    let home = home([
        read(1, "a.txt"),
        edit(2, "a.txt", "beta", "gamma"),
        read(3, "a.txt"),
        edit(4, "a.txt", "gamma", "delta"),
    ])
    .await;
    let (editor, id) = start(&home, capabilities(true, true)).await;
    editor.files().saves = false;
    editor.prompt(&id, "Edit it.").await.unwrap();
    let results = results(&home);
    assert!(results[2].contains("gamma") && results[2].contains("unsaved changes"), "{results:?}");
    assert_eq!(editor.files().buffers[&home.work().join("a.txt")], "alpha\ndelta\n");
    assert_eq!(home.read("a.txt"), "alpha\nbeta\n");
}
