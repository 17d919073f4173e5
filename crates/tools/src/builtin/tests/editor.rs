//! Tests of files whose texts an editor has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::Workspace;
use crate::cancel::CancelFlag;
use crate::file_texts::FileTexts;

/// An editor with buffers. It saves nothing.
#[derive(Debug, Default)]
struct Buffers {
    texts: Mutex<BTreeMap<PathBuf, String>>,
    /// Every file that was asked for.
    asked: Mutex<Vec<PathBuf>>,
    fails: bool,
}

impl FileTexts for Buffers {
    fn read(&self, file: &Path, _cancel: &CancelFlag) -> Result<Option<String>, String> {
        self.asked.lock().unwrap().push(file.to_owned());
        if self.fails {
            return Err("it is busy".to_owned());
        }
        Ok(self.texts.lock().unwrap().get(file).cloned())
    }

    fn write(&self, file: &Path, text: &str, _cancel: &CancelFlag) -> Result<bool, String> {
        if self.fails {
            return Err("it is busy".to_owned());
        }
        Ok(self.texts.lock().unwrap().insert(file.to_owned(), text.to_owned()).is_some())
    }
}

/// A workspace with `a.txt`, of which the editor has this text.
fn edited(disk: &str, buffer: &str) -> (Workspace, Arc<Buffers>) {
    let mut workspace = Workspace::of(&[("a.txt", disk), ("b.txt", "on the disk\n")]);
    let buffers = Arc::new(Buffers::default());
    let file = workspace.path("a.txt").canonicalize().unwrap();
    buffers.texts.lock().unwrap().insert(file, buffer.to_owned());
    workspace.context.texts = Some(Arc::clone(&buffers) as Arc<dyn FileTexts>);
    (workspace, buffers)
}

fn text_of(workspace: &Workspace, buffers: &Buffers) -> String {
    buffers.texts.lock().unwrap()[&workspace.path("a.txt").canonicalize().unwrap()].clone()
}

#[tokio::test]
async fn a_buffer_is_read_and_edited_and_other_files_are_on_the_disk() {
    let (workspace, buffers) = edited("one\n", "one\ntwo\n");
    let text = workspace.fine("read_file", json!({"path": "a.txt"})).await;
    assert!(text.contains("two") && text.contains("[end of file: 2 lines]"), "{text}");
    assert!(text.ends_with("see the saved file]"), "{text}");
    let edit = json!({"path": "a.txt", "old_string": "two", "new_string": "three"});
    workspace.fine("edit_file", edit).await;
    assert_eq!(
        (text_of(&workspace, &buffers).as_str(), workspace.read("a.txt").as_str()),
        ("one\nthree\n", "one\n")
    );
    let edit = json!({"path": "b.txt", "old_string": "disk", "new_string": "table"});
    workspace.fine("edit_file", edit).await;
    assert_eq!(workspace.read("b.txt"), "on the table\n");
}

#[tokio::test]
async fn a_buffer_that_changes_after_it_was_read_is_not_overwritten() {
    let (workspace, buffers) = edited("one\n", "one\n");
    workspace.fine("read_file", json!({"path": "a.txt"})).await;
    let file = workspace.path("a.txt").canonicalize().unwrap();
    buffers.texts.lock().unwrap().insert(file, "mine\n".to_owned());
    let write = json!({"path": "a.txt", "content": "all new\n"});
    let text = workspace.refused("write_file", write.clone()).await;
    assert!(text.contains("was changed by something else") && text.contains("+mine"), "{text}");
    workspace.fine("write_file", write).await;
    assert_eq!(text_of(&workspace, &buffers), "all new\n");
}

#[tokio::test]
async fn an_editor_that_fails_is_named_and_the_disk_is_not_written_instead() {
    let (mut workspace, _) = edited("one\n", "one\ntwo\n");
    workspace.context.texts = Some(Arc::new(Buffers { fails: true, ..Buffers::default() }));
    let edit = json!({"path": "a.txt", "old_string": "one", "new_string": "1"});
    let text = workspace.refused("edit_file", edit).await;
    assert_eq!(text, "Cannot read a.txt in the editor: it is busy.");
    assert_eq!(workspace.read("a.txt"), "one\n");
}

#[tokio::test]
async fn an_editor_is_not_asked_for_files_that_are_out_of_reach_or_no_text() {
    let (workspace, buffers) = edited("one\n", "one\n");
    workspace.put("c.bin", b"\xff\xfe\x01");
    for path in ["../secret", "/etc/passwd", ".git/config", "missing.txt", "c.bin"] {
        workspace.call("read_file", json!({"path": path})).await;
        workspace.call("edit_file", json!({"path": path, "old_string": "a", "new_string": "b"})).await;
    }
    assert_eq!(*buffers.asked.lock().unwrap(), Vec::<PathBuf>::new());
}
