//! Transactions that the server undoes because others are in their way.

use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{MessageLog as _, SessionDirectory as _};
use throughline_conversation::Millis;
use throughline_memory::{
    Chunk, FileIndex as _, MemoDraft, MemoOrigin, MemoryFile, NoteRepository as _, Removal,
};

use crate::cluster::{Cluster, open};
use crate::contracts::info;

/// Refuses each change of these tables as a server does that chose a victim, until the sequence has passed `limit`.
fn refuse(cluster: &Cluster, database: &str, code: &str, limit: u32) {
    let tables = ["sessions", "log", "llm_memos", "memory_files"].map(|table| {
        format!(
            "CREATE OR REPLACE TRIGGER conflict BEFORE INSERT OR UPDATE OR DELETE ON {table} \
             FOR EACH STATEMENT EXECUTE FUNCTION conflict();"
        )
    });
    let sql = format!(
        "CREATE SEQUENCE IF NOT EXISTS tries; SELECT setval('tries', 1, false); \
         CREATE OR REPLACE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         IF nextval('tries') <= {limit} THEN RAISE EXCEPTION 'in the way' USING ERRCODE = '{code}'; END IF; \
         RETURN NULL; END $$; {}",
        tables.concat()
    );
    let (worked, said) = cluster.psql(database, &sql);
    assert!(worked, "{said}");
}

fn tries(cluster: &Cluster, database: &str) -> u32 {
    cluster.psql(database, "SELECT last_value FROM tries").1.parse().unwrap()
}

fn draft(content: &str) -> MemoDraft {
    MemoDraft::new(content, &["tag"], MemoOrigin::default(), Millis(1)).unwrap()
}

#[tokio::test]
async fn what_another_transaction_was_in_the_way_of_is_done_again() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let database = url.rsplit('/').next().unwrap();
    let store = open(&url).await;
    let (one, log, notes, files) = (session("s1"), store.message_log(), store.notes(), store.file_index());
    let records = sample_log(7, 5);
    for code in ["40001", "40P01"] {
        let refused = || refuse(&cluster, database, code, 3);
        refused();
        store.sessions().create(&info("s1")).await.unwrap();
        assert_eq!(tries(&cluster, database), 4, "three tries were refused");
        refused();
        log.append(&one, &records).await.unwrap();
        refused();
        log.redact(&one, &records[..1]).await.unwrap();
        assert!(tries(&cluster, database) > 3);
        refused();
        let memo = notes.save(&draft("The parser is slow.")).await.unwrap().memo;
        assert_eq!(tries(&cluster, database), 4);
        refused();
        assert_eq!(notes.update(&memo.id, &draft("It is fast.")).await.unwrap().content, "It is fast.");
        refused();
        assert_eq!(notes.remove(&Removal::Memo(memo.id.clone())).await.unwrap(), [memo.id]);
        refused();
        let file = MemoryFile {
            path: "/home/ann/NOTES.md".to_owned(),
            name: "NOTES.md".to_owned(),
            workspace: None,
            stamp: "1".to_owned(),
        };
        let chunk = Chunk { first_line: 1, last_line: 1, text: "Build with make.".to_owned() };
        files.replace(&file, &[chunk]).await.unwrap();
        assert!(tries(&cluster, database) > 3);
        refused();
        assert!(store.sessions().remove(&one).await.unwrap());
        assert_eq!(log.last(&one).await.ok(), None);
    }
}

#[tokio::test]
async fn a_conflict_that_never_ends_is_an_error_after_a_bounded_number_of_tries() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let database = url.rsplit('/').next().unwrap();
    let store = open(&url).await;
    store.sessions().create(&info("s1")).await.unwrap();
    for code in ["40001", "40P01"] {
        refuse(&cluster, database, code, 1_000);
        let error = store.sessions().rename(&session("s1"), "title").await.unwrap_err();
        assert!(throughline_text::error_chain(&error).contains("in the way"), "{error:?}");
        assert_eq!(tries(&cluster, database), 8);
        refuse(&cluster, database, code, 1_000);
        assert!(store.notes().save(&draft("Never.")).await.is_err());
        assert_eq!(tries(&cluster, database), 8);
    }
    // Any other error is not tried again.
    refuse(&cluster, database, "22000", 1_000);
    assert!(store.notes().save(&draft("Never.")).await.is_err());
    assert_eq!(tries(&cluster, database), 1);
}
