//! The tools' answers when the model saves and searches memos.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use throughline_conversation::{ExchangeId, Millis, SessionId};

use super::{retrieve_memos, save_memo};
use crate::error::MemoryError;
use crate::in_memory::InMemoryMemory;
use crate::memo::MemoOrigin;
use crate::notes::{MemoFilter, NoteRepository};
use crate::scope::Scope;

const DAY: i64 = 86_400_000;

async fn save(memory: &InMemoryMemory, input: Value, day: i64) -> Result<String, MemoryError> {
    let origin = MemoOrigin {
        workspace: Some("/w".to_owned()),
        session: Some(SessionId::new("s").unwrap()),
        exchange: Some(ExchangeId(2)),
    };
    save_memo(memory, &input, origin, Millis(day * DAY)).await
}

async fn three() -> InMemoryMemory {
    let memory = InMemoryMemory::new();
    for (day, content, tags) in [
        (1, "Errors are typed; anyhow only in the binary.", json!(["arch-decision", "Errors"])),
        (2, "The test server must not be started twice.", json!(["gotcha", "tests"])),
        (3, "Paths in errors are shown relative.\nSince the first release.", json!("errors, api-design")),
    ] {
        save(&memory, json!({"content": content, "tags": tags}), day).await.unwrap();
    }
    memory
}

async fn check(memory: &InMemoryMemory, input: Value, after: Expect) {
    let text = retrieve_memos(memory, memory, &input, &Scope::folder("/w")).await;
    after.assert_eq(&text.unwrap_or_else(|error| format!("error: {error}")));
}

// S4-19
#[tokio::test]
async fn a_memo_is_saved_once_with_where_it_comes_from() {
    let memory = InMemoryMemory::new();
    let input = json!({"content": " WAL is on ", "tags": ["Arch Decision"]});
    let text = save(&memory, input, 1).await.unwrap();
    let memo = memory.list(&MemoFilter::of(Scope::All)).await.unwrap().remove(0);
    assert_eq!(text, format!("Saved as memo {} [arch-decision].", memo.id));
    assert_eq!((memo.content.as_str(), memo.workspace.as_deref()), ("WAL is on", Some("/w")));
    assert_eq!((memo.exchange, memo.created), (Some(ExchangeId(2)), Millis(DAY)));
    let text = save(&memory, json!({"content": "WAL is on", "tags": ["db"]}), 2).await.unwrap();
    assert_eq!(
        text,
        format!("Memo {} [arch-decision, db] says this already; it was not saved twice.", memo.id)
    );
}

// S4-19
#[tokio::test]
async fn invalid_arguments_are_rejected_with_a_remedy() {
    let memory = InMemoryMemory::new();
    let says = async |input: Value| save(&memory, input, 1).await.unwrap_err().to_string();
    expect!["a memo must say something: its content is empty"].assert_eq(&says(json!({"tags": ["x"]})).await);
    expect![[r#"the arguments of save_memo are wrong: "content" must be a string"#]]
        .assert_eq(&says(json!({"content": 3})).await);
    expect![[r#"the arguments of save_memo are wrong: "tags" must be a list of strings"#]]
        .assert_eq(&says(json!({"content": "x", "tags": [1]})).await);
    expect![[
        r#"the arguments of save_memo are wrong: there is no argument "text"; there are content, tags"#
    ]]
    .assert_eq(&says(json!({"text": "x"})).await);
    expect!["the arguments of save_memo are wrong: they must be an object"]
        .assert_eq(&says(json!("x")).await);
    expect![[r#""!?" is no tag: use a short word of letters and digits, at most 40 characters, such as arch-decision, gotcha or api-design"#]]
        .assert_eq(&says(json!({"content": "x", "tags": ["!?"]})).await);
    assert_eq!(memory.list(&MemoFilter::of(Scope::All)).await.unwrap(), []);
}

// S4-19
#[tokio::test]
async fn memos_are_found_by_tags_words_and_name() {
    let memory = three().await;
    check(
        &memory,
        json!({}),
        expect![[r#"
        3 memos:
        - m-e740 (1970-01-04) [errors, api-design]
          Paths in errors are shown relative.
          Since the first release.
        - m-269d (1970-01-03) [gotcha, tests]
          The test server must not be started twice.
        - m-bd5e (1970-01-02) [arch-decision, errors]
          Errors are typed; anyhow only in the binary."#]],
    )
    .await;
    check(
        &memory,
        json!({"tags": ["errors", "Arch_Decision"]}),
        expect![[r#"
        2 memos:
        - m-bd5e (1970-01-02) [arch-decision, errors]
          Errors are typed; anyhow only in the binary.
        - m-e740 (1970-01-04) [errors, api-design]
          Paths in errors are shown relative.
          Since the first release."#]],
    )
    .await;
    check(
        &memory,
        json!({"query": "starting the server"}),
        expect![[r#"
        1 memo:
        - m-269d (1970-01-03) [gotcha, tests]
          The test server must not be started twice."#]],
    )
    .await;
    check(
        &memory,
        json!({"query": "errors", "tags": ["api-design"]}),
        expect![[r#"
        1 memo:
        - m-e740 (1970-01-04) [errors, api-design]
          Paths in errors are shown relative.
          Since the first release."#]],
    )
    .await;
    let newest = memory.list(&MemoFilter::of(Scope::All)).await.unwrap().remove(0);
    check(
        &memory,
        json!({"query": newest.id.as_str()}),
        expect![[r#"
        1 memo:
        - m-e740 (1970-01-04) [errors, api-design]
          Paths in errors are shown relative.
          Since the first release."#]],
    )
    .await;
}

#[tokio::test]
async fn when_nothing_fits_the_tags_are_named() {
    let memory = three().await;
    check(&memory, json!({"tags": "nothing"}), expect!["No memo fits. There are 3 in all; their tags: errors (2), api-design (1), arch-decision (1), gotcha (1), tests (1)."]).await;
    check(&memory, json!({"query": "the of"}), expect!["No memo fits. There are 3 in all; their tags: errors (2), api-design (1), arch-decision (1), gotcha (1), tests (1)."]).await;
    check(&InMemoryMemory::new(), json!({"tags": null}), expect!["There are no memos yet."]).await;
    check(
        &memory,
        json!({"query": ["x"]}),
        expect![[r#"error: the arguments of retrieve_memos are wrong: "query" must be a string"#]],
    )
    .await;
}

// Nothing that is named is out of reach.
#[tokio::test]
async fn an_answer_is_bounded_and_names_the_rest() {
    let memory = InMemoryMemory::new();
    for number in 0..60 {
        let content = format!("fact {number} {}", "x".repeat(3_000));
        save(&memory, json!({"content": content, "tags": ["t"]}), number).await.unwrap();
    }
    let scope = Scope::folder("/w");
    let text = retrieve_memos(&memory, &memory, &json!({}), &scope).await.unwrap();
    assert!(text.len() < 16_000, "{}", text.len());
    assert!(text.starts_with("60 memos:") && text.contains("fact 59 ") && !text.contains("fact 50 "));
    assert!(text.ends_with("- and 17 more; name tags or words to find them"), "{text}");
    let named = text.lines().rev().find(|line| line.ends_with("[t]")).unwrap();
    let id = named.trim_start_matches("- ").split(' ').next().unwrap();
    let one = retrieve_memos(&memory, &memory, &json!({"query": id}), &scope).await.unwrap();
    assert!(one.starts_with("1 memo:") && one.contains(id), "{one}");
}

#[tokio::test]
async fn a_storage_failure_is_reported() {
    let memory = three().await;
    memory.failures().fail_with("disk full");
    let error = save(&memory, json!({"content": "x", "tags": []}), 1).await.unwrap_err();
    assert!(matches!(error, MemoryError::Store(_)));
    let error = retrieve_memos(&memory, &memory, &json!({}), &Scope::All).await.unwrap_err();
    expect!["the memory could not be reached"].assert_eq(&error.to_string());
}
