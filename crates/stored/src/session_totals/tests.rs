//! Sums of a stored session by its log, and by what was stored of them before.

use serde_json::{Value, json};
use throughline_continuity::contract::sample_log;
use throughline_continuity::{MessageLog as _, SessionDirectory as _, SessionInfo};
use throughline_conversation::{Millis, Record, RecordBody, Seq, SessionId};
use throughline_providers::models::ModelTable;

use crate::delete_session::SessionMemos;
use crate::side_file::SideFile;
use crate::storage::Storage;
use crate::totals::{SessionTotals, TotalsSum};

struct Place {
    folder: tempfile::TempDir,
    storage: Storage,
    session: SessionId,
}

impl Place {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::open(Some(folder.path().to_owned())).await.unwrap();
        let session = SessionId::new("s").unwrap();
        let info = SessionInfo {
            id: session.clone(),
            title: String::new(),
            workspace: String::new(),
            model: String::new(),
            created: Millis(1),
        };
        storage.store.sessions().create(&info).await.unwrap();
        Self { folder, storage, session }
    }

    async fn append(&self, records: &[Record]) {
        self.storage.store.message_log().append(&self.session, records).await.unwrap();
    }

    async fn totals(&self) -> SessionTotals {
        self.storage.session_totals(&self.session, &ModelTable::builtin()).await.unwrap()
    }

    /// Changes a field of the stored sums.
    fn change(&self, pointer: &str, value: Value) {
        let file = SideFile::Totals.of(self.folder.path(), &self.session);
        let mut stored: Value = file.read().unwrap();
        *stored.pointer_mut(pointer).unwrap() = value;
        std::fs::write(file.path(), stored.to_string()).unwrap();
    }
}

/// The sums of records that are added in one go.
fn whole(records: &[Record]) -> SessionTotals {
    let mut sum = TotalsSum::default();
    records.iter().for_each(|record| sum.add(record, &ModelTable::builtin()));
    sum.totals()
}

const OFFLOADS: &str = "/sum/totals/offloads";

#[tokio::test]
async fn sums_that_are_continued_are_those_of_the_whole_log() {
    for seed in 1..6 {
        let place = Place::new().await;
        let all = sample_log(seed, 400);
        assert!(
            whole(&all).compactions > 0 && whole(&all).cost.requests > 0,
            "the sample has something to sum"
        );
        for end in [150, 151, 152, 300, all.len()] {
            let stored = place.storage.log().last(&place.session).await.unwrap().0 as usize;
            place.append(&all[stored..end]).await;
            for _ in 0..2 {
                assert_eq!(place.totals().await, whole(&all[..end]), "seed {seed}, {end} records");
            }
        }
    }
}

#[tokio::test]
async fn only_records_that_are_new_are_read() {
    let place = Place::new().await;
    let all = sample_log(1, 300);
    place.append(&all[..200]).await;
    let before = place.totals().await;
    // What is stored is believed, so the log was not read.
    place.change(OFFLOADS, json!(1_000));
    assert_eq!(place.totals().await.offloads, 1_000);
    place.append(&all[200..]).await;
    let new = whole(&all).offloads - before.offloads;
    assert_eq!(place.totals().await.offloads, 1_000 + new);
}

#[tokio::test]
async fn sums_by_other_prices_or_of_another_session_are_computed_again() {
    let place = Place::new().await;
    place.append(&sample_log(2, 100)).await;
    let totals = place.totals().await;
    for (field, value) in [("/prices", json!(1)), ("/created", json!(2)), ("/upto", json!(9_999))] {
        place.change(OFFLOADS, json!(1_000));
        place.change(field, value);
        assert_eq!(place.totals().await, totals, "{field}");
    }
    let file = SideFile::Totals.of(place.folder.path(), &place.session);
    std::fs::write(file.path(), "{ damaged").unwrap();
    assert_eq!(place.totals().await, totals);
}

#[tokio::test]
async fn a_deleted_session_leaves_no_sums() {
    let place = Place::new().await;
    place.append(&sample_log(3, 100)).await;
    place.totals().await;
    let file = SideFile::Totals.of(place.folder.path(), &place.session);
    assert!(file.path().exists());
    let lock = place.storage.lock(&place.session).await.unwrap();
    place.storage.delete_session(&place.session, lock, SessionMemos::Stay).await.unwrap();
    assert!(!file.path().exists());
}

#[tokio::test]
async fn what_is_lost_is_said_each_time() {
    let place = Place::new().await;
    let all = sample_log(4, 200);
    place.append(&all).await;
    let receipt = all.iter().find(|record| matches!(record.body, RecordBody::Receipt(_))).unwrap().seq;
    let raw = rusqlite::Connection::open(place.storage.folder.database()).unwrap();
    raw.execute("UPDATE log SET payload = '{}' WHERE seq = ?", [receipt.0.cast_signed()]).unwrap();
    for _ in 0..2 {
        let again = Storage::open(Some(place.folder.path().to_owned())).await.unwrap();
        let totals = again.session_totals(&place.session, &ModelTable::builtin()).await.unwrap();
        assert!(totals.cost.requests < whole(&all).cost.requests);
        let lost: Vec<Seq> = again.lost_records().iter().map(|lost| lost.span.first).collect();
        assert_eq!(lost, [receipt]);
    }
}
