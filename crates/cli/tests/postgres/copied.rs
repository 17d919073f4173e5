//! `throughline store copy`: from a file to a server, to a file again, and what is refused.

use serde_json::Value;
use tempfile::TempDir;
use throughline_continuity::{MessageLog, Part, SessionDirectory, read_all};
use throughline_conversation::Seq;
use throughline_memory::{MemoFilter, NoteRepository, Scope};
use throughline_resultstore::ResultRepository;
use throughline_store::Store;

use crate::cluster::{Cluster, PASSWORD, open};
use crate::node::Node;

/// All that a place has, in its order.
async fn contents(store: &Store) -> Vec<String> {
    let mut all = Vec::new();
    for listed in store.sessions().list().await.unwrap() {
        let id = &listed.info.id;
        all.push(format!("{listed:?}"));
        let read = read_all(&store.message_log(), id, Seq(0), Part::All).await.unwrap();
        assert!(read.unreadable.is_empty());
        all.extend(read.records.iter().map(|record| serde_json::to_string(record).unwrap()));
        for result in store.results().list(id).await.unwrap() {
            all.push(format!("{:?}", store.results().get(id, &result.id).await.unwrap()));
        }
    }
    for memo in store.notes().list(&MemoFilter::of(Scope::All)).await.unwrap() {
        all.push(format!("{memo:?}"));
    }
    all
}

fn counts(text: &str) -> [u64; 4] {
    let object: Value = serde_json::from_str(text).unwrap();
    ["sessions", "same", "memos", "same_memos"].map(|name| object[name].as_u64().unwrap())
}

#[test]
fn a_copy_to_a_server_and_back_has_every_byte() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let node = Node::new(&url);
    let demo =
        |name: &str| node.run_bare(&["--data-dir", "one", "demo", "--pace", "0", "--workspace", name]).done();
    demo("a");
    demo("b");
    node.run_bare(&["--data-dir", "one", "memos", "add", "The parser trims commas.", "--tag", "parser"])
        .done();

    let copied = node.run_bare(&["store", "copy", "one", &url]).done();
    assert!(copied.contains("Copied 2 sessions with ") && copied.contains("and verified them"), "{copied}");
    assert!(!copied.contains(PASSWORD), "{copied}");
    assert_eq!(
        counts(&node.run_bare(&["store", "copy", "one", &url, "--json"]).done()),
        [0, 2, 0, 1],
        "again"
    );
    assert_eq!(counts(&node.run_bare(&["store", "copy", &url, "two", "--json"]).done()), [2, 0, 1, 0]);
    let found = node.run(&["memos", "search", "parser"]).done();
    assert!(found.contains("The parser trims commas."), "{found}");

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let file = |name: &str| node.home().join(name).join("throughline.db");
        let one = contents(&Store::open(&file("one")).await.unwrap()).await;
        let server = open(&url).await;
        assert_eq!(contents(&server).await, one, "on the server");
        assert_eq!(contents(&Store::open(&file("two")).await.unwrap()).await, one, "in a file again");
        assert_eq!(server.check().await.unwrap(), Vec::<String>::new());
        assert!(one.len() > 100);
        // The copy continues where the original ended.
        let last = server.sessions().list().await.unwrap().remove(0).info.id;
        assert!(server.message_log().last(&last).await.unwrap() > Seq(50));
    });
}

#[test]
fn another_session_of_the_same_name_and_one_that_is_open_are_left_alone() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let node = Node::new(&url);
    let project = TempDir::new().unwrap();
    let bare = |folder: &str, session: &str| {
        let args = ["--data-dir", folder, "demo", "--worker-session", session, "--pace", "0", "--workspace"];
        let ran = node.bare(&args).arg(project.path()).output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
    };
    bare("one", "same");
    bare("one", "open");
    let mut other = node.worker("same", project.path(), 0);
    assert!(other.until_stored(3));
    other.kill();
    let mut worker = node.worker("open", project.path(), 5_000);
    assert!(worker.until_stored(3));
    let refused = node.run_bare(&["store", "copy", "one", &url]).failed(1);
    assert!(
        refused.contains("session same was not copied: ") && refused.contains("has another session same"),
        "{refused}"
    );
    assert!(
        refused.contains("session open was not copied: session open is open in another process"),
        "{refused}"
    );
    worker.kill();
    assert!(node.records("same").len() < 20, "it is the one that was there");
    let missing = node.run_bare(&["store", "copy", "none", &url]).failed(1);
    assert!(missing.contains("there is no database in none"), "{missing}");
    let same = node.run_bare(&["store", "copy", "one", "one"]).failed(2);
    assert!(same.contains("both places are "), "{same}");
}
