//! Memos and memory files: the contract, what a database of before becomes, what is left of what was deleted.

use std::fs;
use std::path::Path;

use expect_test::expect;
use proptest::prelude::*;
use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{MessageLog, Part, SessionDirectory, read_all};
use throughline_conversation::{ExchangeId, Millis, Seq};
use throughline_memory::contract::contract_memory;
use throughline_memory::{
    Chunk, FileIndex, InMemoryMemory, Kinds, MemoDraft, MemoFilter, MemoOrigin, MemoryFile, MemoryHit,
    MemorySearch, NoteRepository, Query, Removal, Scope, chunks,
};
use throughline_store::Store;

use super::Fixture;

fn draft(content: &str, tags: &[&str]) -> MemoDraft {
    let origin = MemoOrigin { workspace: None, session: Some(session("s1")), exchange: Some(ExchangeId(3)) };
    MemoDraft::new(content, tags, origin, Millis(1)).unwrap()
}

fn file(path: &str) -> MemoryFile {
    MemoryFile { path: path.to_owned(), name: path.to_owned(), workspace: None, stamp: "1".to_owned() }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

// S4-19 S2-16
// C-09
#[tokio::test]
async fn the_memory_keeps_the_contract() {
    let fixture = Fixture::new().await;
    let store = &fixture.store;
    contract_memory(&store.notes(), &store.file_index(), &store.memory_search()).await;
    let fixture = fixture.reopened().await;
    let store = &fixture.store;
    contract_memory(&store.notes(), &store.file_index(), &store.memory_search()).await;
    assert_eq!(store.check().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_memory_in_memory_keeps_the_contract_too() {
    let store = Store::open_in_memory().await.unwrap();
    contract_memory(&store.notes(), &store.file_index(), &store.memory_search()).await;
}

// S4-22: the search knows memos and memory files; messages are out of its reach, so it can choose none of them.
#[tokio::test]
async fn messages_are_never_searched() {
    let fixture = Fixture::new().await.with_session("s1").await;
    let log = sample_log(2, 60);
    fixture.store.message_log().append(&session("s1"), &log).await.unwrap();
    let said = log.iter().filter_map(|record| serde_json::to_string(&record.body).ok()).collect::<String>();
    let words = Query::of(&said, Kinds::All);
    assert_eq!(words.terms().len(), 48, "there is much to look for");
    let search = fixture.store.memory_search();
    assert_eq!(search.search(&words, &Scope::All, 9).await.unwrap(), []);
    fixture.store.notes().save(&draft(words.terms()[0].as_str(), &["x"])).await.unwrap();
    assert_eq!(search.search(&words, &Scope::All, 9).await.unwrap().len(), 1, "only the memo");
    let read =
        read_all(&fixture.store.message_log(), &session("s1"), Seq(0), Part::All).await.unwrap().records;
    assert_eq!(read, log, "the history stays unchanged, in its order");
}

// S4-19: the table is independent of sessions.
#[tokio::test]
async fn memos_outlive_their_session() {
    let fixture = Fixture::new().await.with_session("s1").await;
    let saved = fixture.store.notes().save(&draft("kept", &["arch-decision", "gotcha"])).await.unwrap();
    assert!(fixture.store.sessions().remove(&session("s1")).await.unwrap());
    let fixture = fixture.reopened().await;
    let memos = fixture.store.notes().list(&MemoFilter::of(Scope::All)).await.unwrap();
    assert_eq!(memos, [saved.memo]);
    assert_eq!(memos[0].tags, ["arch-decision", "gotcha"]);
}

/// The first tables, as the version before this one left them, with a session in them.
#[tokio::test]
async fn a_database_of_the_first_tables_is_brought_up() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.db");
    let raw = rusqlite::Connection::open(&path).unwrap();
    raw.execute_batch(include_str!("../../src/migrations/1.sql")).unwrap();
    raw.execute_batch(
        "INSERT INTO sessions VALUES ('s1', 'a title', '/w', 'm', 7);
         PRAGMA application_id = 1416121454; PRAGMA user_version = 1; PRAGMA journal_mode = WAL;",
    )
    .unwrap();
    drop(raw);
    let store = Store::open(&path).await.unwrap();
    let info = store.sessions().get(&session("s1")).await.unwrap().unwrap();
    assert_eq!((info.title.as_str(), info.created), ("a title", Millis(7)), "what was there is there");
    contract_memory(&store.notes(), &store.file_index(), &store.memory_search()).await;
    store.close().await.unwrap();
    let version: i64 = rusqlite::Connection::open(&path)
        .unwrap()
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    assert_eq!(version, 10);
}

// C-09
#[tokio::test]
async fn the_tables_have_their_columns() {
    let fixture = Fixture::new().await;
    let columns = |table: &str| {
        let sql = format!("SELECT group_concat(name, ' ') FROM pragma_table_info('{table}')");
        fixture.raw().query_row(&sql, [], |row| row.get::<_, String>(0)).unwrap()
    };
    let tables = ["llm_memos", "memory_files", "memory_chunks", "memory_fts"];
    expect![[r#"
        llm_memos: row_id id content tags workspace digest session_id exchange created_at updated_at
        memory_files: row_id path name workspace stamp
        memory_chunks: row_id file first_line last_line content
        memory_fts: words tags"#]]
    .assert_eq(&tables.map(|table| format!("{table}: {}", columns(table))).join("\n"));
}

fn holds(path: &Path, marker: &str) -> bool {
    let bytes = fs::read(path).unwrap_or_default();
    let lower = bytes.to_ascii_lowercase();
    lower.windows(marker.len()).any(|window| window == marker.to_ascii_lowercase().as_bytes())
}

/// Every way to delete, among other rows and in texts of several pages.
#[tokio::test]
async fn nothing_is_left_of_what_was_deleted() {
    const MARKERS: [&str; 4] = ["Qzjxvwk", "Xqplmzv", "Wvkqjzx", "Zpwqxkj"];
    let [by_name, by_exchange, replaced, changed] = MARKERS;
    let fixture = Fixture::new().await;
    let (notes, index) = (fixture.store.notes(), fixture.store.file_index());
    for number in 0..40 {
        notes.save(&draft(&format!("remaining note {number} about many things"), &["other"])).await.unwrap();
        index.replace(&file(&format!("/o{number}")), &chunks("some other text\n\nand more")).await.unwrap();
    }
    let long = |marker: &str| format!("{} {marker} {}", "before ".repeat(250), "behind ".repeat(250));
    let one = notes.save(&draft(&long(by_name), &[by_name])).await.unwrap().memo;
    let origin = MemoOrigin { session: Some(session("s2")), exchange: Some(ExchangeId(9)), workspace: None };
    let two =
        MemoDraft::new(&format!("{by_exchange}\n{by_exchange}Tail"), &["t"], origin, Millis(2)).unwrap();
    notes.save(&two).await.unwrap();
    let memo = notes.save(&draft(&long(changed), &[changed])).await.unwrap().memo;
    index.replace(&file("/f"), &chunks(&long(replaced).repeat(20))).await.unwrap();
    assert!(fixture.store.fold().await.unwrap());
    assert!(MARKERS.iter().all(|marker| holds(&fixture.path(), marker)), "they were on the disk");

    notes.remove(&Removal::Memo(one.id)).await.unwrap();
    assert_eq!(notes.remove(&Removal::Exchange(session("s2"), ExchangeId(9))).await.unwrap().len(), 1);
    notes.update(&memo.id, &draft("harmless", &["t"])).await.unwrap();
    index.replace(&file("/f"), &chunks("short")).await.unwrap();
    assert!(fixture.store.fold().await.unwrap());
    for marker in MARKERS {
        for path in [fixture.path(), fixture.path().with_extension("db-wal")] {
            // An index may keep only the end of a word that begins as the one before it does.
            for part in [marker, marker.get(2..).unwrap()] {
                assert!(!holds(&path, part), "{part} is left in {}", path.display());
            }
        }
    }
    let found = async |text: &str| {
        let hits = fixture.store.memory_search().search(&Query::of(text, Kinds::All), &Scope::All, 99).await;
        hits.unwrap().len()
    };
    assert_eq!(
        (found("qzjxvwk wvkqjzx").await, found("remaining text").await),
        (0, 80),
        "the others are found"
    );
    assert_eq!(fixture.store.check().await.unwrap(), Vec::<String>::new());
}

/// The index of words is whole after a busy life, by FTS5's own check.
#[tokio::test]
async fn the_index_agrees_with_the_tables() {
    let fixture = Fixture::new().await;
    let (notes, index) = (fixture.store.notes(), fixture.store.file_index());
    for round in 0..30 {
        for number in 0..4 {
            let memo = notes
                .save(&draft(&format!("note {round} {number} überlang 日本語"), &["x"]))
                .await
                .unwrap()
                .memo;
            if number % 2 == 0 {
                notes.remove(&Removal::Memo(memo.id)).await.unwrap();
            }
        }
        let text = format!("# Round {round}\n\n{}", "words and words. ".repeat(300));
        index.replace(&file(&format!("/f{}", round % 3)), &chunks(&text)).await.unwrap();
        if round % 7 == 0 {
            index.forget("/f1").await.unwrap();
        }
    }
    let raw = fixture.raw();
    raw.execute_batch("INSERT INTO memory_fts (memory_fts, rank) VALUES ('integrity-check', 1)").unwrap();
    let count = |sql: &str| raw.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    let rows = count("SELECT (SELECT count(*) FROM llm_memos) + (SELECT count(*) FROM memory_chunks)");
    assert_eq!(count("SELECT count(*) FROM memory_fts"), rows);
    assert!(rows > 60);
}

/// Several processes save and search at once, also the same memo: it is kept once.
#[test]
fn two_processes_remember_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.db");
    let writers: Vec<_> = (0..4)
        .map(|writer| {
            let path = path.clone();
            std::thread::spawn(move || {
                runtime().block_on(async {
                    let store = Store::open(&path).await.unwrap();
                    for number in 0..25 {
                        let own = draft(&format!("writer {writer} number {number}"), &["own"]);
                        store.notes().save(&own).await.unwrap();
                        let shared = draft(&format!("all say {number}"), &[&format!("w{writer}")]);
                        store.notes().save(&shared).await.unwrap();
                        store.file_index().replace(&file("/same"), &chunks("the same file")).await.unwrap();
                        let query = Query::of("number file", Kinds::All);
                        store.memory_search().search(&query, &Scope::All, 5).await.unwrap();
                    }
                    store.close().await.unwrap();
                });
            })
        })
        .collect();
    for writer in writers {
        writer.join().unwrap();
    }
    runtime().block_on(async {
        let store = Store::open(&path).await.unwrap();
        let memos = store.notes().list(&MemoFilter::of(Scope::All)).await.unwrap();
        assert_eq!(memos.len(), 4 * 25 + 25);
        for memo in memos.iter().filter(|memo| memo.content.starts_with("all")) {
            let mut tags = memo.tags.clone();
            tags.sort();
            assert_eq!(tags, ["w0", "w1", "w2", "w3"], "each has added its tag");
        }
        let query = Query::of("same file", Kinds::Files);
        assert_eq!(store.memory_search().search(&query, &Scope::All, 9).await.unwrap().len(), 1);
        assert_eq!(store.check().await.unwrap(), Vec::<String>::new());
    });
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,60}",
        "[-:'\"*^(){}+ .,a-c]{0,30}",
        "(NEAR|AND|OR|NOT|a|b_c|Ünï|日本|🎉|\u{0}|\u{7f}| |\"|'|\\(|\\)|:|-){0,40}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    // S2-16: no text is an error, and both implementations find the same.
    #[test]
    fn a_search_never_fails_and_finds_what_the_words_say(
        texts in prop::collection::vec(any_text(), 1..6), query in any_text(), again in 0_usize..6,
    ) {
        runtime().block_on(async {
            let store = Store::open_in_memory().await.unwrap();
            let memory = InMemoryMemory::new();
            for (number, text) in texts.iter().enumerate() {
                let pieces = [Chunk { first_line: 1, last_line: 1, text: text.clone() }];
                let file = file(&format!("/{number}"));
                store.file_index().replace(&file, &pieces).await.unwrap();
                memory.replace(&file, &pieces).await.unwrap();
            }
            let query = texts.get(again).unwrap_or(&query);
            let query = Query::of(query, Kinds::All);
            let names = |hits: Vec<MemoryHit>| {
                let mut names: Vec<String> = hits.into_iter().map(|hit| format!("{hit:?}")).collect();
                names.sort();
                names
            };
            let on_disk = names(store.memory_search().search(&query, &Scope::All, 9).await.unwrap());
            let in_memory = names(memory.search(&query, &Scope::All, 9).await.unwrap());
            prop_assert_eq!(on_disk, in_memory);
            Ok(())
        })?;
    }
}
