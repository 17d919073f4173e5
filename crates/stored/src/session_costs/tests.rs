//! Costs of stored sessions by their logs, and by what was stored of them before.

use std::path::Path;

use serde_json::{Value, json};
use throughline_completion::Cost;
use throughline_continuity::{MessageLog as _, SessionDirectory as _, SessionInfo};
use throughline_conversation::{
    ExchangeId, Millis, ModelUse, Origin, Record, RecordBody, Seq, SessionId, Usage,
};
use throughline_providers::models::ModelTable;

use crate::delete_session::SessionMemos;
use crate::storage::Storage;

struct Place {
    folder: tempfile::TempDir,
    storage: Storage,
    session: SessionId,
}

impl Place {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::open(Some(folder.path().to_owned())).await.unwrap();
        let place = Self { folder, storage, session: SessionId::new("s").unwrap() };
        place.create(Millis(1)).await;
        place
    }

    async fn create(&self, created: Millis) {
        let text = || "x".to_owned();
        let info = SessionInfo {
            id: self.session.clone(),
            title: text(),
            workspace: text(),
            model: text(),
            created,
        };
        self.storage.store.sessions().create(&info).await.unwrap();
    }

    /// Records one request of a million tokens, which cost three dollars.
    async fn spend(&self, seq: u64) {
        let usage = Usage { input: 1_000_000, ..Usage::default() };
        let used = ModelUse::of_request(Origin::new("anthropic", "claude-haiku-4-5"), Some(usage));
        let (at, body) = (Millis(seq.cast_signed()), RecordBody::Spent(used));
        let record = Record { seq: Seq(seq), at, exchange: ExchangeId(1), body };
        self.storage.store.message_log().append(&self.session, &[record]).await.unwrap();
    }

    async fn cost(&self) -> Cost {
        let listed = self.storage.store.sessions().list().await.unwrap();
        let costs = self.storage.session_costs(&listed, &ModelTable::builtin()).await.unwrap();
        assert_eq!(costs.len(), 1);
        costs.into_iter().next().unwrap().own
    }

    fn file(&self) -> std::path::PathBuf {
        self.folder.path().join("costs.json")
    }

    /// Changes a field of the stored costs.
    fn change(&self, pointer: &str, value: Value) {
        let mut stored: Value = serde_json::from_str(&read(&self.file())).unwrap();
        *stored.pointer_mut(pointer).unwrap() = value;
        std::fs::write(self.file(), stored.to_string()).unwrap();
    }
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap()
}

const REQUESTS: &str = "/sessions/s/sum/sum/cost/side_requests";

#[tokio::test]
async fn only_records_that_are_new_are_read() {
    let place = Place::new().await;
    place.spend(1).await;
    place.spend(2).await;
    assert_eq!(place.cost().await.side_requests, 2);
    // What is stored is believed, so the log was not read.
    place.change(REQUESTS, json!(100));
    assert_eq!(place.cost().await.side_requests, 100);
    place.spend(3).await;
    let cost = place.cost().await;
    assert_eq!((cost.side_requests, cost.usage.input), (101, 3_000_000));
    assert_eq!(place.cost().await, cost);
}

#[tokio::test]
async fn a_cost_by_other_prices_or_of_another_session_is_computed_again() {
    let place = Place::new().await;
    place.spend(1).await;
    let cost = place.cost().await;
    for (field, value) in
        [("/prices", json!(1)), ("/sessions/s/created", json!(2)), ("/sessions/s/upto", json!(9))]
    {
        place.change(REQUESTS, json!(100));
        place.change(field, value);
        assert_eq!(place.cost().await, cost, "{field}");
    }
}

#[tokio::test]
async fn a_damaged_file_is_written_again() {
    let place = Place::new().await;
    place.spend(1).await;
    let cost = place.cost().await;
    let written = read(&place.file());
    std::fs::write(place.file(), written.get(..written.len() / 2).unwrap()).unwrap();
    assert_eq!(place.cost().await, cost);
    assert_eq!(read(&place.file()), written);
}

#[tokio::test]
async fn a_deleted_session_leaves_no_cost() {
    let place = Place::new().await;
    place.spend(1).await;
    place.cost().await;
    let lock = place.storage.lock(&place.session).await.unwrap();
    place.storage.delete_session(&place.session, lock, SessionMemos::Stay).await.unwrap();
    let stored: Value = serde_json::from_str(&read(&place.file())).unwrap();
    assert_eq!(stored["sessions"], json!({}));
}

#[tokio::test]
async fn a_session_is_deleted_whatever_is_in_the_file() {
    let place = Place::new().await;
    place.spend(1).await;
    std::fs::write(place.file(), "{ damaged").unwrap();
    let lock = place.storage.lock(&place.session).await.unwrap();
    place.storage.delete_session(&place.session, lock, SessionMemos::Stay).await.unwrap();
    assert_eq!(place.storage.store.sessions().list().await.unwrap(), []);
    assert!(!place.file().exists());
}

#[tokio::test]
async fn a_fork_has_cost_what_its_own_requests_have() {
    let place = Place::new().await;
    place.spend(1).await;
    place.spend(2).await;
    let fork = SessionInfo {
        id: SessionId::new("f").unwrap(),
        title: String::new(),
        workspace: String::new(),
        model: String::new(),
        created: Millis(100),
    };
    place.storage.fork(&place.session, &fork).await.unwrap();
    let cost = async || {
        let listed = [place.storage.session(&fork.id).await.unwrap().unwrap()];
        let listed = place.storage.session_costs(&listed, &ModelTable::builtin()).await.unwrap().remove(0);
        let one = place.storage.session_cost(&fork.id, Seq(u64::MAX), &ModelTable::builtin()).await.unwrap();
        assert_eq!(listed, one);
        (
            one.own.side_requests,
            one.inherited.side_requests,
            crate::session_cost::inherited_usd(&one.inherited).is_some(),
        )
    };
    assert_eq!(cost().await, (0, 2, true));
    // The clock was set back behind the first of its own.
    for (seq, at) in [(3, 101), (4, 50)] {
        let usage = Usage { input: 1_000_000, ..Usage::default() };
        let used = ModelUse::of_request(Origin::new("anthropic", "claude-haiku-4-5"), Some(usage));
        let body = RecordBody::Spent(used);
        let record = Record { seq: Seq(seq), at: Millis(at), exchange: ExchangeId(1), body };
        place.storage.store.message_log().append(&fork.id, &[record]).await.unwrap();
    }
    assert_eq!(cost().await, (2, 2, true));
    let all = place.storage.store.usage_records(None, Seq(0), Millis(0)).await.unwrap();
    assert_eq!(all.concat().len(), 4, "each request is paid once");
}
