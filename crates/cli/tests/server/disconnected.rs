//! Clients that disconnect before their answer, and clients that do not read it.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::hosted::Hosted;
use crate::served::Served;
use crate::stored::store_long;
use crate::users::token;

/// Asks until the answer is wanted, at most for 20 seconds.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A deletion that waits for another program, and whose client is gone meanwhile.
#[test]
fn a_deletion_is_done_whole_although_its_client_disconnects() {
    let served = Served::demo();
    let other = Connection::open(served.data().join("throughline.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let own = format!("/api/sessions/{}", served.id);
    let body = json!({ "confirm": served.id }).to_string();
    let asking = served.open("DELETE", &own, "", &body);
    let lock = served.data().join(format!("locks/{}.lock", served.id));
    until("the deletion begins", || std::fs::read(&lock).is_ok_and(|holder| !holder.is_empty()));
    drop(asking);
    // The server notices that the client is gone, and other requests are answered.
    assert_eq!(served.get(&own).status, 200);
    std::thread::sleep(Duration::from_millis(200));
    other.execute_batch("COMMIT").unwrap();
    until("the session is deleted", || served.get(&own).status == 404);
    until("the audit log has its outcome", || {
        let entry = &served.get("/api/audit").json()["entries"][0];
        entry["method"] == "DELETE" && entry["status"] == 200
    });
}

#[test]
fn a_session_belongs_to_its_user_although_the_client_disconnects() {
    let hosted = Hosted::new(Script::new().then(Answer::text("A heron.")).repeat_last(), &[]);
    let served = &hosted.served;
    let ann = token(served, "ann", "run", &["work"]);
    // A client that is gone at once may have asked nothing.
    for pause in (0..60).step_by(6) {
        let asking = served.open_as(&ann, "POST", "/api/sessions", "", "{\"prompt\":\"Which bird?\"}");
        std::thread::sleep(Duration::from_millis(pause));
        drop(asking);
    }
    let of = |path: &str, field: &str| {
        let all = served.get(path).json()[field].take();
        all.as_array().unwrap().iter().map(|one| (one["session"].clone(), one.clone())).collect::<Vec<_>>()
    };
    until("a session begins", || !of("/api/sessions", "sessions").is_empty());
    until("each session has its owner and its entry", || {
        let (sessions, entries) = (of("/api/sessions", "sessions"), of("/api/audit", "entries"));
        let begun = entries.iter().filter(|(_, entry)| entry["status"] != 429);
        sessions.iter().all(|(_, session)| session["owner"] == "ann")
            && begun.clone().count() == sessions.len()
            && begun
                .clone()
                .all(|(id, entry)| entry["status"] == 200 && sessions.iter().any(|(own, _)| own == id))
    });
}

/// Answers larger than what the kernel takes for a client that reads nothing.
#[test]
fn answers_that_are_not_read_count_as_open_requests() {
    let home = Served::demo();
    store_long(&home, "long", 12_000);
    let served = Served::begin(home.shared_home(), &["--user-open", "2"]);
    let ann = token(&served, "ann", "read", &[]);
    let mut unread: Vec<TcpStream> = (0..2)
        .map(|_| {
            let mut stream = served.open_as(&ann, "GET", "/api/sessions/long/export", "", "");
            stream.flush().unwrap();
            stream.read_exact(&mut [0; 16]).unwrap();
            stream
        })
        .collect();
    let refused = served.send_as(&ann, "GET", "/api/sessions", "");
    assert!(refused.status == 429 && refused.body.contains("--user-open"), "{}", refused.body);
    assert_eq!(served.get("/api/turns").status, 200, "another user is answered");
    unread[0].read_to_end(&mut Vec::new()).unwrap();
    until("an answer that was read counts no more", || {
        served.send_as(&ann, "GET", "/api/sessions", "").status == 200
    });
    drop(unread);
}
