//! Which session was written last.

use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{MessageLog, SessionDirectory};
use throughline_conversation::{Millis, Record};

use super::{Fixture, create};

/// The clock was set back between two sessions, so the older one has the newer timestamps.
#[tokio::test]
async fn after_the_clock_was_set_back_the_session_that_was_written_last_comes_first() {
    let fixture = Fixture::new().await;
    let all = sample_log(3, 30);
    let ahead: Vec<Record> =
        all.iter().map(|one| Record { at: Millis(one.at.0 + 300_000_000_000), ..one.clone() }).collect();
    let (log, sessions) = (fixture.store.message_log(), fixture.store.sessions());
    create(&fixture.store, "first").await;
    log.append(&session("first"), &ahead).await.unwrap();
    create(&fixture.store, "second").await;
    log.append(&session("second"), &all[..20]).await.unwrap();
    let newest = async || sessions.list().await.unwrap().remove(0).info.id;
    assert_eq!(newest().await, session("second"));
    let after: Vec<Record> = sample_log(3, 60)[ahead.len()..].to_vec();
    log.append(&session("first"), &after).await.unwrap();
    assert_eq!(newest().await, session("first"), "it was written last");
}
