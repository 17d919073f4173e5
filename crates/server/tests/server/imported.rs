//! What the list says of sessions that were stored from files of other agents.

use std::path::Path;

use serde_json::Value;
use throughline_stored::Storage;
use throughline_watch::store_file;

use crate::harness::Served;

#[tokio::test]
async fn an_imported_session_has_the_name_of_its_agent_and_no_cost() {
    let served = Served::new().await;
    let storage = Storage::open(Some(served.folder.path().join("data"))).await.unwrap();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../replay/tests/fixtures");
    for file in ["pi.jsonl", "mini-swe-agent.traj.json", "swe-agent.traj"] {
        store_file(&storage, &fixtures.join(file)).await.unwrap();
    }
    let list = served.ask("GET", "/api/sessions", "").await.json();
    let sessions = list["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 4);
    for session in sessions {
        let is_own = session["session"] == served.id.as_str();
        assert_eq!(session["requests"] == 0, !is_own, "{session}");
        assert_eq!(session["cost_usd"], Value::Null, "{session}");
    }
    let page = served.ask("GET", "/", "").await.body;
    for agent in ["pi", "mini-swe-agent", "swe-agent"] {
        assert!(page.contains(&format!("<span class=\"pill\">{agent}</span>")), "{agent}: {page}");
    }
    assert!(!page.contains("data-label=\"Cost\">$0<"), "{page}");
}
