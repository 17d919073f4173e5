//! A session of ten thousand requests.

use std::time::{Duration, Instant};

use crate::served::Served;
use crate::stored::store_long;

const REQUESTS: u64 = 10_000;

#[test]
fn a_session_of_ten_thousand_requests_is_shown_page_by_page() {
    let served = Served::demo();
    store_long(&served, "long", REQUESTS);
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
