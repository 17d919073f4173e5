//! The program with a server, as its user meets it.

use tempfile::TempDir;
use throughline::Throughline;
use throughline::ports::scripted;
use throughline::ports::scripted::Reply;
use throughline_conversation::SessionId;
use throughline_session::ToolSet;

use crate::cluster::{Cluster, PASSWORD};
use crate::node::Node;

#[test]
fn no_output_shows_the_password() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let node = Node::new(&url);
    let shown = url.replace(&format!(":{PASSWORD}"), "");
    let demo = node.run_bare(&["--database", &url, "demo", "--pace", "0", "--workspace", "demo"]).done();
    assert!(demo.contains(&shown), "{demo}");
    let session = node.run(&["sessions"]).done();
    assert!(session.contains("demo-"), "{session}");
    let wrong = url.replace(PASSWORD, "pw-wrong-2b");
    let mut outputs = vec![demo, session];
    for args in [
        &["config", "show"][..],
        &["config", "key", "show"],
        &["config", "get", "storage.database"],
        &["context", "last", "--any-folder"],
        &["cost", "last", "--any-folder"],
        &["recover", "--all"],
    ] {
        let ran = node.run(args);
        outputs.push(ran.out + &ran.err);
        let refused = node.run_bare(&[&["--database", &wrong], args].concat());
        outputs.push(refused.out + &refused.err);
    }
    for output in outputs {
        assert!(!output.contains(PASSWORD) && !output.contains("pw-wrong-2b"), "{output}");
    }
    assert!(!node.home().join(".local/share/throughline/throughline.db").exists(), "nothing is in a file");
}

#[test]
fn what_cannot_be_used_is_named_with_its_place() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let node = Node::new(&url);
    let said = |args: &[&str], code| node.run_bare(args).failed(code);
    let wrong = said(&["--database", "ann:hidden@host", "sessions"], 2);
    assert!(
        wrong.contains("--database cannot be used") && wrong.contains("postgres://user@host/database"),
        "{wrong}"
    );
    assert!(!wrong.contains("hidden"), "{wrong}");
    let refused = said(&["--database", &url.replace(PASSWORD, "pw-no"), "sessions"], 1);
    assert!(refused.contains("refuses: password authentication failed for user"), "{refused}");
    let missing = said(&["--database", &url.replace("/test", "/none"), "sessions"], 1);
    assert!(missing.contains("refuses: database") && missing.contains("does not exist"), "{missing}");
    let unreached = said(&["--database", "postgres://ann@127.0.0.1:1/x", "sessions"], 1);
    assert!(unreached.contains("postgres://ann@127.0.0.1:1/x cannot be reached: "), "{unreached}");
    let file = node.run(&["recover", "--all"]).failed(1);
    assert!(file.contains("recover reads a damaged database file") && file.contains("pg_restore"), "{file}");
    let recorded = node.run_bare(&["config", "set", "storage.database", &url]).failed(2);
    assert!(recorded.contains("it may hold a secret"), "{recorded}");
    let project = node.home().join(".throughline");
    std::fs::create_dir_all(&project).unwrap();
    std::fs::write(project.join("config.toml"), "[storage]\ndatabase = \"postgres://evil@host/x\"\n")
        .unwrap();
    let shown = node.run_bare(&["config", "show", "--workspace", "."]);
    assert!(!shown.out.contains("database = \"postgres://host/x\""), "{shown:?}");
}

/// The address is in the settings, and the tables of another program are left alone.
#[test]
fn the_settings_name_the_server() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let node = Node::new(&url);
    let folder = node.home().join(".config/throughline");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), format!("[storage]\ndatabase = \"{url}\"\n")).unwrap();
    node.run_bare(&["memos", "add", "The parser trims commas."]).done();
    let found = node.run_bare(&["memos", "search", "parser"]).done();
    assert!(found.contains("The parser trims commas."), "{found}");
    let database = url.rsplit('/').next().unwrap();
    assert_eq!(cluster.psql(database, "SELECT count(*) FROM llm_memos"), (true, "1".to_owned()));

    let other = cluster.database();
    let database = other.rsplit('/').next().unwrap();
    assert!(cluster.psql(database, "CREATE TABLE sessions (x int)").0);
    let foreign = node.run_bare(&["--database", &other, "memos"]).failed(1);
    assert!(foreign.contains("is a database of another program"), "{foreign}");
    assert_eq!(cluster.psql(database, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").1, "1");
}

/// A program that embeds the library: a session on the server is resumed from another data folder.
#[tokio::test]
async fn a_builder_names_the_server() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let send = async |resumed: Option<SessionId>, prompt: &str, answer: &str| {
        let folder = TempDir::new().unwrap();
        let mut builder = Throughline::builder()
            .model("anthropic/claude-sonnet-4-5")
            .model_port(scripted::model([Reply::text(answer)]))
            .built_in_tools(ToolSet::None)
            .workspace(folder.path())
            .data_dir(folder.path().join("data"))
            .database(url.as_str());
        if let Some(id) = resumed {
            builder = builder.resume(id);
        }
        let mut session = builder.open().await.unwrap();
        assert_eq!(session.send(prompt).await.unwrap().text(), answer);
        let id = session.id().clone();
        session.close().await.unwrap();
        assert!(!folder.path().join("data/throughline.db").exists());
        id
    };
    let id = send(None, "Why does the parser test fail?", "It expects a comma.").await;
    assert_eq!(send(Some(id.clone()), "Where?", "In line 2.").await, id);
    let database = url.rsplit('/').next().unwrap();
    let count = "SELECT count(*) FROM log WHERE kind = 'message'";
    assert_eq!(cluster.psql(database, count), (true, "4".to_owned()));
}
