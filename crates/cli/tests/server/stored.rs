//! Sessions that a test writes into the storage of a server.

use throughline_continuity::{MessageLog as _, Part, SessionDirectory as _, SessionInfo, read_all};
use throughline_conversation::{Millis, Record, RecordBody, Seq, SessionId};
use throughline_store::Store;

use crate::served::Served;

/// The records of a session.
pub(crate) fn records_of(served: &Served, id: &str) -> Vec<Record> {
    on_store(served, async |store: &Store| {
        read_all(&store.message_log(), &SessionId::new(id).unwrap(), Seq(0), Part::All).await.unwrap().records
    })
}

/// Stores a session with these facts and records.
pub(crate) fn store_session(served: &Served, info: &SessionInfo, records: &[Record]) {
    on_store(served, async |store: &Store| {
        store.sessions().create(info).await.unwrap();
        let log = store.message_log();
        for part in records.chunks(1_000) {
            log.append(&info.id, part).await.unwrap();
        }
    });
}

/// Stores a session with the beginning of the demo's log and this many receipts.
pub(crate) fn store_long(served: &Served, id: &str, requests: u64) {
    let records = records_of(served, &served.id);
    let first = records.iter().position(|record| record.body.kind() == "receipt").unwrap();
    let mut long: Vec<Record> = records[..first].to_vec();
    let RecordBody::Receipt(receipt) = &records[first].body else { panic!("a receipt") };
    for request in 1..=requests {
        let mut receipt = receipt.clone();
        receipt.request = request;
        receipt.window.used.conversation = 1_000 + request % 9_000;
        let seq = Seq(first as u64 + request);
        let at = Millis(records[first].at.0 + request as i64);
        let body = RecordBody::Receipt(receipt);
        long.push(Record { seq, at, body, ..records[first].clone() });
    }
    store_session(served, &facts(id, "long"), &long);
}

/// The facts of a session without a folder and a model.
pub(crate) fn facts(id: &str, title: &str) -> SessionInfo {
    SessionInfo {
        id: SessionId::new(id).unwrap(),
        title: title.to_owned(),
        workspace: String::new(),
        model: String::new(),
        created: Millis(1),
    }
}

pub(crate) fn on_store<T>(served: &Served, work: impl AsyncFnOnce(&Store) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(&served.data().join("throughline.db")).await.unwrap();
        let done = work(&store).await;
        store.close().await.unwrap();
        done
    })
}
