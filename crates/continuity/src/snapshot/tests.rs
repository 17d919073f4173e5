//! What makes a snapshot usable, and how a damaged one is reported.

use throughline_conversation::{Message, Millis, Seq, SessionId, Span};
use throughline_testkit::view;

use super::*;
use crate::contract::session;

fn sample() -> Snapshot {
    snapshot_of(&session("s1"), &view("user: one\nassistant: two\nuser: three\n"), Millis(7))
}

// S3-19
#[test]
fn a_snapshot_is_the_view_and_where_it_stands() {
    let snapshot = sample();
    assert_eq!(snapshot.covers, Seq(3));
    assert_eq!((snapshot.epoch, snapshot.token_count, snapshot.entries.len()), (0, 3, 3));
    assert_eq!(snapshot.at, Millis(7));
    let again = View::from_entries(snapshot.entries, snapshot.epoch, snapshot.covers);
    assert_eq!(again, view("user: one\nassistant: two\nuser: three\n"));
}

#[test]
fn a_sound_snapshot_has_no_fault() {
    assert_eq!(sample().fault(&session("s1"), Seq(3)), None);
    assert_eq!(sample().fault(&session("s1"), Seq(30)), None);
}

#[test]
fn faults_are_reported() {
    let check = |change: fn(&mut Snapshot), last: u64, expect: expect_test::Expect| {
        let mut snapshot = sample();
        change(&mut snapshot);
        expect.assert_eq(&snapshot.fault(&session("s1"), Seq(last)).unwrap_or_default());
    };
    check(
        |snapshot| snapshot.session = SessionId::new("s2").unwrap(),
        3,
        expect_test::expect!["the snapshot is of session s2"],
    );
    check(|_| (), 2, expect_test::expect!["the snapshot covers record 3, but the log ends with record 2"]);
    check(
        |snapshot| snapshot.entries.swap(0, 1),
        3,
        expect_test::expect!["the snapshot's entries are out of order at record 1"],
    );
    check(
        |snapshot| snapshot.entries[1].span = Span { first: Seq(2), last: Seq(1) },
        3,
        expect_test::expect!["the snapshot's entries are out of order at record 2"],
    );
    // Two entries with the same record, and one in front of the first record.
    check(
        |snapshot| snapshot.entries[1].span = Span { first: Seq(1), last: Seq(2) },
        3,
        expect_test::expect!["the snapshot's entries are out of order at record 1"],
    );
    check(
        |snapshot| snapshot.entries[0].span = Span { first: Seq(0), last: Seq(1) },
        3,
        expect_test::expect!["the snapshot's entries are out of order at record 0"],
    );
    check(
        |snapshot| snapshot.covers = Seq(2),
        3,
        expect_test::expect!["the snapshot holds record 3, but covers only record 2"],
    );
}

#[test]
fn the_digest_tells_every_change() {
    let digest = sample().digest().unwrap();
    assert_eq!(sample().digest().unwrap(), digest, "the same content has the same digest");
    let changes: [fn(&mut Snapshot); 6] = [
        |snapshot| snapshot.covers = Seq(2),
        |snapshot| snapshot.epoch += 1,
        |snapshot| snapshot.token_count += 1,
        |snapshot| snapshot.at = Millis(8),
        |snapshot| snapshot.entries.truncate(2),
        |snapshot| snapshot.entries[0].message = Message::user("One").into(),
    ];
    for change in changes {
        let mut snapshot = sample();
        change(&mut snapshot);
        assert_ne!(snapshot.digest().unwrap(), digest);
    }
}

/// Vectors of RFC 9923, appendix C.
#[test]
fn the_fingerprint_is_fnv_1a() {
    assert_eq!(fingerprint(b""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(fingerprint(b"a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(fingerprint(b"foobar"), 0x8594_4171_f739_67e8);
}
