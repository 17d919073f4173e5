//! The contract of `MessageLog`.

use throughline_conversation::{Record, RecordBody, RemovedRecord, Seq, SessionId};

use super::sample_log;
use crate::log::{LogError, MessageLog, Part, read_all};

/// Checks a log. Both sessions must exist and be empty, and must not be the same.
pub async fn contract_message_log(log: &dyn MessageLog, session: &SessionId, other: &SessionId) {
    let all = sample_log(7, 450);
    empty(log, session).await;
    appends(log, session, &all).await;
    reads(log, session, &all).await;
    refuses(log, session, &all).await;
    repeats(log, session, &all).await;
    redacts(log, session, &all).await;
    apart(log, session, other, &all).await;
    large(log, other).await;
}

async fn empty(log: &dyn MessageLog, session: &SessionId) {
    assert_eq!(log.last(session).await.unwrap(), Seq(0), "an empty log ends at 0");
    assert_eq!(read_all(log, session, Seq(0), Part::All).await.unwrap().records, []);
    assert_eq!(log.newest(session, "message").await.unwrap(), None);
    log.append(session, &[]).await.expect("appending no records succeeds");
    assert_eq!(log.last(session).await.unwrap(), Seq(0));
}

/// In batches of every size, as turns would.
async fn appends(log: &dyn MessageLog, session: &SessionId, all: &[Record]) {
    let mut rest = all;
    for size in [1, 2, 10, 1, 99, 100].into_iter().chain([usize::MAX]) {
        let (batch, later) = rest.split_at(size.min(rest.len()));
        log.append(session, batch).await.expect("records that continue the log are taken");
        let end = batch.last().map_or(log.last(session).await.unwrap(), |record| record.seq);
        assert_eq!(log.last(session).await.unwrap(), end);
        rest = later;
    }
}

async fn reads(log: &dyn MessageLog, session: &SessionId, all: &[Record]) {
    assert_eq!(
        read_all(log, session, Seq(0), Part::All).await.unwrap().records,
        all,
        "records come back unchanged"
    );
    for part in [Part::View, Part::Accounts, Part::Edits] {
        let of_part: Vec<Record> = all.iter().filter(|record| part.has(&record.body)).cloned().collect();
        assert_eq!(read_all(log, session, Seq(0), part).await.unwrap().records, of_part, "{part:?}");
    }
    let end = all[all.len() - 1].seq;
    for after in [1, 17, end.0 - 1] {
        let tail = &all[after as usize..];
        assert_eq!(
            read_all(log, session, Seq(after), Part::All).await.unwrap().records,
            tail,
            "what comes after {after}"
        );
    }
    assert_eq!(read_all(log, session, end, Part::All).await.unwrap().records, []);
    assert_eq!(read_all(log, session, Seq(u64::MAX), Part::View).await.unwrap().records, []);
    for kind in [
        "message",
        "edit",
        "model",
        "prompt",
        "tools",
        "receipt",
        "degraded",
        "mark",
        "document",
        "unheard of",
    ] {
        let newest = all.iter().rev().find(|record| record.body.kind() == kind);
        assert_eq!(log.newest(session, kind).await.unwrap().as_ref(), newest, "the newest {kind}");
    }
}

async fn refuses(log: &dyn MessageLog, session: &SessionId, all: &[Record]) {
    let end = all[all.len() - 1].seq;
    let at = |seq: u64| Record { seq: Seq(seq), ..all[0].clone() };
    let next = end.0 + 1;
    let wrong: [(&str, Vec<Record>, u64, u64); 5] = [
        ("a gap before the first", vec![at(next + 1)], next, next + 1),
        ("a gap inside", vec![at(next), at(next + 2)], next + 1, next + 2),
        ("a repeat inside", vec![at(next), at(next)], next + 1, next),
        ("a place that is taken by another record", vec![at(end.0)], next, end.0),
        ("no place", vec![at(0)], next, 0),
    ];
    for (what, records, expected, found) in wrong {
        match log.append(session, &records).await {
            Err(LogError::Conflict { expected: e, found: f }) => {
                assert_eq!((e, f), (Seq(expected), Seq(found)), "{what}");
            }
            other => panic!("{what} must be a conflict, found {other:?}"),
        }
        assert_eq!(log.last(session).await.unwrap(), end, "{what}: nothing of it is kept");
    }
}

/// The caller that was cut off appends again, alone or with more behind.
async fn repeats(log: &dyn MessageLog, session: &SessionId, all: &[Record]) {
    let end = all[all.len() - 1].seq;
    log.append(session, &all[all.len() - 3..]).await.expect("the same records again are taken");
    assert_eq!(log.last(session).await.unwrap(), end);
    let more = Record { seq: end.next(), ..all[0].clone() };
    let mut batch = all[all.len() - 2..].to_vec();
    batch.push(more.clone());
    log.append(session, &batch).await.expect("the same records and one more are taken");
    assert_eq!(read_all(log, session, end, Part::All).await.unwrap().records, [more]);
}

/// Content is replaced permanently, all of it or nothing.
async fn redacts(log: &dyn MessageLog, session: &SessionId, all: &[Record]) {
    let before = read_all(log, session, Seq(0), Part::All).await.unwrap().records;
    let gone = |record: &Record| {
        let body = RecordBody::Removed(RemovedRecord { was: record.body.kind().to_owned() });
        Record { body, ..record.clone() }
    };
    let next = Record { seq: log.last(session).await.unwrap().next(), ..gone(&all[0]) };
    let error = log.redact(session, &[gone(&all[3]), next]).await.unwrap_err();
    assert!(matches!(error, LogError::Conflict { .. }), "a missing place: {error:?}");
    assert_eq!(
        read_all(log, session, Seq(0), Part::All).await.unwrap().records,
        before,
        "nothing of it was done"
    );

    let places = [0, 3, 4];
    let replaced: Vec<Record> = places.iter().map(|at| gone(&all[*at])).collect();
    log.redact(session, &replaced).await.expect("records that are there are replaced");
    let after = read_all(log, session, Seq(0), Part::All).await.unwrap().records;
    for (at, (old, new)) in before.iter().zip(&after).enumerate() {
        if places.contains(&at) { assert_eq!(*new, gone(old)) } else { assert_eq!(new, old) }
    }
    let back: Vec<Record> = places.iter().map(|at| all[*at].clone()).collect();
    log.redact(session, &back).await.expect("also with records of a usual kind");
    assert_eq!(read_all(log, session, Seq(0), Part::All).await.unwrap().records, before);
}

async fn apart(log: &dyn MessageLog, session: &SessionId, other: &SessionId, all: &[Record]) {
    let last = log.last(session).await.unwrap();
    assert_eq!(log.last(other).await.unwrap(), Seq(0), "the other session is still empty");
    log.append(other, &all[..2]).await.unwrap();
    assert_eq!(log.last(session).await.unwrap(), last);
    assert_eq!(read_all(log, other, Seq(0), Part::All).await.unwrap().records, all[..2]);
}

/// One record of megabytes, with characters of several bytes all along it.
async fn large(log: &dyn MessageLog, session: &SessionId) {
    let mut record = read_all(log, session, Seq(0), Part::All).await.unwrap().records.remove(0);
    record.seq = log.last(session).await.unwrap().next();
    let RecordBody::Message(said) = &mut record.body else {
        panic!("a sample log begins with a message");
    };
    said.message = throughline_conversation::Message::user("né\u{2028}漢👍\u{0}".repeat(200_000));
    log.append(session, std::slice::from_ref(&record)).await.expect("a large record is taken");
    assert_eq!(log.newest(session, "message").await.unwrap(), Some(record));
}
