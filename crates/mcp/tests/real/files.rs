//! The servers for files, for a graph of knowledge, and for thoughts in order.

use std::fs;

use serde_json::{Value, json};
use throughline_mcp::ServerConfig;

use crate::session::{Session, program};

/// Servers that work in this folder.
pub(crate) fn configs(folder: &std::path::Path) -> Vec<ServerConfig> {
    let folder = folder.to_str().unwrap();
    vec![
        program("files", "mcp-server-filesystem", &[folder], &[]),
        program("graph", "mcp-server-memory", &[], &[("MEMORY_FILE_PATH", &format!("{folder}/graph.jsonl"))]),
        program("thought", "mcp-server-sequential-thinking", &[], &[]),
    ]
}

// S3-31
#[tokio::test]
async fn all_of_their_tools() {
    let session = Session::open(configs).await;
    let folder = session.workspace.path().canonicalize().unwrap();
    files(&session, &folder).await;
    graph(&session).await;
    let thought =
        json!({"thought": "one", "nextThoughtNeeded": false, "thoughtNumber": 1, "totalThoughts": 1});
    let text = session.text("mcp__thought__sequentialthinking", thought).await;
    assert!(text.contains("thoughtNumber"), "{text}");
    session.close().await;
}

async fn files(session: &Session, folder: &std::path::Path) {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let text = async |name: &str, input: Value| session.text(&format!("mcp__files__{name}"), input).await;
    text("create_directory", json!({"path": path("sub")})).await;
    text("write_file", json!({"path": path("sub/a.txt"), "content": "one\ntwo\n"})).await;
    assert_eq!(fs::read_to_string(path("sub/a.txt")).unwrap(), "one\ntwo\n");
    let edits = json!([{"oldText": "two", "newText": "zwei"}]);
    assert!(text("edit_file", json!({"path": path("sub/a.txt"), "edits": edits})).await.contains("+zwei"));
    for read in ["read_file", "read_text_file"] {
        assert_eq!(text(read, json!({"path": path("sub/a.txt"), "head": 1})).await, "one", "{read}");
    }
    assert!(text("read_multiple_files", json!({"paths": [path("sub/a.txt")]})).await.contains("zwei"));
    let png = "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489";
    let bytes: Vec<u8> = (0..png.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(png.get(at..at + 2).unwrap(), 16).unwrap())
        .collect();
    fs::write(path("p.png"), bytes).unwrap();
    assert_eq!(
        session.call("mcp__files__read_media_file", json!({"path": path("p.png")})).await.images.len(),
        1
    );
    assert!(text("list_directory", json!({"path": path("")})).await.contains("[DIR] sub"));
    assert!(text("list_directory_with_sizes", json!({"path": path("")})).await.contains("sub"));
    assert!(text("directory_tree", json!({"path": path("")})).await.contains("a.txt"));
    text("move_file", json!({"source": path("sub/a.txt"), "destination": path("b.txt")})).await;
    assert!(text("search_files", json!({"path": path(""), "pattern": "*.txt"})).await.contains("b.txt"));
    assert!(text("get_file_info", json!({"path": path("b.txt")})).await.contains("size"));
    assert!(text("list_allowed_directories", json!({})).await.contains(folder.to_str().unwrap()));
    let outside = session.output("mcp__files__read_text_file", json!({"path": "/etc/hostname"})).await;
    assert!(outside.is_error && outside.to_text().contains("denied"), "{}", outside.to_text());
}

async fn graph(session: &Session) {
    let text = async |name: &str, input: Value| session.text(&format!("mcp__graph__{name}"), input).await;
    let ada = json!({"name": "Ada", "entityType": "person", "observations": ["writes"]});
    let engine = json!({"name": "Engine", "entityType": "thing", "observations": []});
    text("create_entities", json!({"entities": [ada, engine]})).await;
    let relation = json!([{"from": "Ada", "to": "Engine", "relationType": "programs"}]);
    text("create_relations", json!({"relations": relation})).await;
    let more = json!([{"entityName": "Ada", "contents": ["counts"]}]);
    text("add_observations", json!({"observations": more})).await;
    assert!(text("read_graph", json!({})).await.contains("programs"));
    assert!(text("search_nodes", json!({"query": "counts"})).await.contains("Ada"));
    assert!(text("open_nodes", json!({"names": ["Engine"]})).await.contains("thing"));
    let gone = json!([{"entityName": "Ada", "observations": ["writes"]}]);
    text("delete_observations", json!({"deletions": gone})).await;
    text("delete_relations", json!({"relations": relation})).await;
    text("delete_entities", json!({"entityNames": ["Ada", "Engine"]})).await;
    assert!(!text("read_graph", json!({})).await.contains("Ada"));
}
