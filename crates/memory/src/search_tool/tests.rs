//! The tool's answers when the model searches.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use throughline_conversation::Millis;

use super::memory_search;
use crate::error::MemoryError;
use crate::files::{FilesError, MemoryFile, MockMemoryFiles};
use crate::in_memory::InMemoryMemory;
use crate::memo::{MemoDraft, MemoOrigin};
use crate::notes::NoteRepository;
use crate::scope::Scope;

fn file(name: &str) -> MemoryFile {
    let workspace = Some("/w".to_owned());
    MemoryFile { path: format!("/w/{name}"), name: name.to_owned(), workspace, stamp: "1".to_owned() }
}

async fn memory() -> (InMemoryMemory, MockMemoryFiles) {
    let memory = InMemoryMemory::new();
    let origin = MemoOrigin::default();
    let draft = MemoDraft::new("The uploader retries three times.", &["uploads"], origin, Millis(0)).unwrap();
    memory.save(&draft).await.unwrap();
    let mut files = MockMemoryFiles::new();
    files.expect_workspace().return_const("/w");
    files.expect_list().returning(|| Ok(vec![file("MEMORY.md"), file("memory/net.md")]));
    files.expect_read().returning(|file| {
        let text = if file.name == "MEMORY.md" {
            "\n\n# Uploader\n\nIt speaks TLS 1.3.\n"
        } else {
            "Proxies: none.\n"
        };
        Ok(Some(text.to_owned()))
    });
    (memory, files)
}

async fn check(input: Value, after: Expect) {
    let (memory, files) = memory().await;
    let text = memory_search(&files, &memory, &memory, &input, &Scope::folder("/w")).await;
    after.assert_eq(&text.unwrap_or_else(|error| format!("error: {error}")));
}

// S2-16: memos and files, the lines of files cited.
// C-09
#[tokio::test]
async fn memos_and_files_are_found_with_their_lines() {
    check(
        json!({"query": "uploader: TLS?"}),
        expect![[r#"
        2 hits, best first:
        - MEMORY.md:3-5
          # Uploader

          It speaks TLS 1.3.
        - m-dddf (1970-01-01) [uploads]
          The uploader retries three times."#]],
    )
    .await;
    check(
        json!({"query": "uploaders", "limit": "1"}),
        expect![[r#"
        1 hit:
        - m-dddf (1970-01-01) [uploads]
          The uploader retries three times."#]],
    )
    .await;
    check(
        json!({"query": "proxy"}),
        expect![[r#"
        1 hit:
        - memory/net.md:1-1
          Proxies: none."#]],
    )
    .await;
}

#[tokio::test]
async fn empty_results_and_queries_are_reported() {
    check(
        json!({"query": "elephants and zebras"}),
        expect!["Nothing in the memory has any of these words: elephant, zebra."],
    )
    .await;
    check(json!({"query": "the"}), expect![[r#"error: the arguments of memory_search are wrong: "query" has no word to look for, only words that stand everywhere"#]]).await;
    check(
        json!({}),
        expect![[
            r#"error: the arguments of memory_search are wrong: "query" must be a string that says something"#
        ]],
    )
    .await;
    check(
        json!({"query": "x", "limit": 0}),
        expect![[
            r#"error: the arguments of memory_search are wrong: "limit" must be a whole number, 1 or more"#
        ]],
    )
    .await;
}

#[tokio::test]
async fn a_disk_that_fails_leaves_what_was_indexed() {
    let (memory, files) = memory().await;
    let scope = Scope::folder("/w");
    memory_search(&files, &memory, &memory, &json!({"query": "x"}), &scope).await.unwrap();
    let mut broken = MockMemoryFiles::new();
    broken.expect_workspace().return_const("/w");
    broken.expect_list().returning(|| Err(FilesError::Other("no disk".into())));
    let text = memory_search(&broken, &memory, &memory, &json!({"query": "tls"}), &scope).await.unwrap();
    expect![[r#"
        1 hit:
        - MEMORY.md:3-5
          # Uploader

          It speaks TLS 1.3.

        [the memory files could not be read: changes since the last search may be missing.]"#]]
    .assert_eq(&text);
    memory.failures().fail_with("disk full");
    let error = memory_search(&broken, &memory, &memory, &json!({"query": "tls"}), &scope).await.unwrap_err();
    assert!(matches!(error, MemoryError::Store(_)));
}
