//! A session of ten thousand requests.

use std::time::{Duration, Instant};

use throughline_continuity::{MessageLog as _, Part, SessionDirectory as _, SessionInfo, read_all};
use throughline_conversation::{Millis, Record, RecordBody, Seq, SessionId};
use throughline_store::Store;

use crate::served::Served;

const REQUESTS: u64 = 10_000;

/// Stores a session with the beginning of another one's log and ten thousand receipts.
async fn store(served: &Served, id: &str) {
    let store = Store::open(&served.data().join("throughline.db")).await.unwrap();
    let (from, to) = (SessionId::new(served.id.clone()).unwrap(), SessionId::new(id).unwrap());
    let log = store.message_log();
    let records = read_all(&log, &from, Seq(0), Part::All).await.unwrap().records;
    let first = records.iter().position(|record| record.body.kind() == "receipt").unwrap();
    let mut long: Vec<Record> = records[..first].to_vec();
    let RecordBody::Receipt(receipt) = &records[first].body else { panic!("a receipt") };
    for request in 1..=REQUESTS {
        let mut receipt = receipt.clone();
        receipt.request = request;
        receipt.window.used.conversation = 1_000 + request % 9_000;
        let seq = Seq(first as u64 + request);
        long.push(Record {
            seq,
            at: Millis(records[first].at.0 + request as i64),
            body: RecordBody::Receipt(receipt),
            ..records[first].clone()
        });
    }
    let empty = String::new();
    let info = SessionInfo {
        id: to.clone(),
        title: "long".to_owned(),
        workspace: empty.clone(),
        model: empty,
        created: Millis(1),
    };
    store.sessions().create(&info).await.unwrap();
    for part in long.chunks(1_000) {
        log.append(&to, part).await.unwrap();
    }
    store.close().await.unwrap();
}

#[test]
fn a_session_of_ten_thousand_requests_is_shown_page_by_page() {
    let served = Served::demo();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(store(&served, "long"));
    let first = served.get("/sessions/long");
    assert_eq!(first.status, 200, "{}", first.body);
    let begin = Instant::now();
    let page = served.get("/sessions/long?offset=9950");
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    assert!(page.body.contains("/sessions/long/requests/10000\""), "the last request is listed");
    assert!(page.body.len() < 400_000, "{} bytes", page.body.len());
    let list = served.get("/api/sessions/long/requests?limit=2&offset=9999").json();
    assert_eq!((&list["total"], &list["requests"][0]["request"]), (&REQUESTS.into(), &REQUESTS.into()));
    let piece = served.get("/sessions/long/requests/10000");
    assert_eq!(piece.status, 200, "{}", piece.body);

    let file = served.home().join("long.html");
    let begin = Instant::now();
    served.run(&["report", "long", "-o", file.to_str().unwrap()]);
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    let report = std::fs::read_to_string(&file).unwrap();
    assert!(report.contains("The newest 50 requests; 9,950 older ones are left out here."));
    assert!(report.len() < 16 * 1024 * 1024, "{} bytes", report.len());
}
