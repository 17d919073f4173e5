//! A page of a log that has a gap: what is lost is named once, and a long gap is passed in one step.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;

use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{LogPage, MessageLog, Part, read_all};
use throughline_conversation::{Record, Seq, Span};

use throughline_store::Store;

use super::Fixture;

async fn without(lost: &str, all: &[Record]) -> Fixture {
    let fixture = Fixture::new().await.with_session("s1").await;
    fixture.store.message_log().append(&session("s1"), all).await.unwrap();
    fixture.raw().execute(&format!("DELETE FROM log WHERE seq {lost}"), []).unwrap();
    fixture
}

async fn page(fixture: &Fixture, after: u64, part: Part) -> LogPage {
    fixture.store.message_log().read_page(&session("s1"), Seq(after), part).await.unwrap()
}

fn lost(page: &LogPage) -> Vec<(u64, u64)> {
    page.unreadable.iter().map(|lost| (lost.span.first.0, lost.span.last.0)).collect()
}

fn one_by_one(places: std::ops::RangeInclusive<u64>) -> Vec<(u64, u64)> {
    places.map(|place| (place, place)).collect()
}

#[tokio::test]
async fn a_gap_of_more_than_a_page_is_passed_at_once() {
    let all = sample_log(9, 900);
    let fixture = without("BETWEEN 100 AND 850", &all).await;
    let first = page(&fixture, 0, Part::All).await;
    assert_eq!((first.records.as_slice(), first.next), (&all[..99], Some(Seq(250))));
    assert_eq!(lost(&first), one_by_one(100..=250));
    // Nothing is left on the second page, so it reaches to the next record.
    let second = page(&fixture, 250, Part::All).await;
    assert_eq!((second.records.len(), second.next), (0, Some(Seq(850))));
    assert_eq!(lost(&second), [one_by_one(251..=500), vec![(501, 850)]].concat());
    let third = page(&fixture, 850, Part::All).await;
    assert_eq!((third.records.as_slice(), third.next), (&all[850..], None));
    assert_eq!(lost(&third), []);
}

#[tokio::test]
async fn a_gap_that_ends_with_a_page_is_no_longer_than_that() {
    let all = sample_log(9, 600);
    let fixture = without("BETWEEN 251 AND 500", &all).await;
    let page = page(&fixture, 250, Part::All).await;
    assert_eq!((page.records.len(), page.next, lost(&page)), (0, Some(Seq(500)), one_by_one(251..=500)));
}

#[tokio::test]
async fn a_gap_up_to_the_end_of_the_log_ends_it() {
    let all = sample_log(9, 900);
    let last = all.len() as u64;
    let fixture = without(">= 100", &all).await;
    let page = page(&fixture, 250, Part::All).await;
    assert_eq!((page.records.len(), page.next), (0, None));
    assert_eq!(lost(&page), [one_by_one(251..=500), vec![(501, last), (100, last)]].concat());
}

#[tokio::test]
async fn around_a_gap_the_view_has_its_own_records_and_what_may_have_been_one() {
    let all = sample_log(9, 60);
    let shapes = |record: &&Record| record.body.shapes_view();
    let of_view: Vec<Record> = all.iter().filter(shapes).cloned().collect();
    let lost_one = of_view[4].seq;
    let others: Vec<Seq> = all.iter().filter(|record| !shapes(record)).map(|record| record.seq).collect();
    let fixture = without(&format!("= {}", lost_one.0), &all).await;
    // Of those that are no part of the view, one is damaged and one is of a kind that a later version has.
    let change = format!(
        "UPDATE log SET digest = digest + 1 WHERE seq = {}; UPDATE log SET kind = 'later' WHERE seq = {}",
        others[1].0, others[2].0
    );
    fixture.raw().execute_batch(&change).unwrap();
    let read = read_all(&fixture.store.message_log(), &session("s1"), Seq(0), Part::View).await.unwrap();
    let left: Vec<Record> = of_view.into_iter().filter(|record| record.seq != lost_one).collect();
    assert_eq!(read.records, left);
    let mut named: Vec<Span> = read.unreadable.iter().map(|lost| lost.span).collect();
    named.sort_by_key(|span| span.first);
    let mut expected = [lost_one, others[1], others[2]].map(Span::one);
    expected.sort_by_key(|span| span.first);
    assert_eq!(named, expected);
}

/// Opens the database again after the first pages of these trees are overwritten.
async fn with_trees_lost(fixture: Fixture, trees: &[&str]) -> Fixture {
    let Fixture { dir, store } = fixture;
    store.close().await.unwrap();
    let path = dir.path().join("x.db");
    let raw = rusqlite::Connection::open(&path).unwrap();
    let root = |tree: &&str| -> u64 {
        let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?";
        let root: i64 = raw.query_row(sql, [tree], |row| row.get(0)).unwrap();
        root.unsigned_abs()
    };
    let roots: Vec<u64> = trees.iter().map(root).collect();
    drop(raw);
    let file = OpenOptions::new().write(true).open(&path).unwrap();
    for root in roots {
        file.write_all_at(&[0xa5; 4_096], (root - 1) * 4_096).unwrap();
    }
    let store = Store::open(&path).await.unwrap();
    Fixture { dir, store }
}

#[tokio::test]
async fn the_newest_record_of_a_kind_is_found_without_the_index() {
    let all = sample_log(9, 900);
    let fixture = with_trees_lost(without("= 0", &all).await, &["log_by_kind"]).await;
    let log = fixture.store.message_log();
    for kind in ["message", "edit", "receipt", "mark"] {
        let newest = all.iter().rfind(|record| record.body.kind() == kind);
        assert!(newest.is_some(), "the sample has a {kind}");
        assert_eq!(log.newest(&session("s1"), kind).await.unwrap().as_ref(), newest, "{kind}");
    }
    assert_eq!(log.newest(&session("s1"), "no such kind").await.unwrap(), None);
}

#[tokio::test]
async fn of_a_log_that_is_lost_a_page_is_named_at_a_time_unless_it_is_very_long() {
    for (end, next) in [(900_000_u64, Some(Seq(250))), (1_000_250, Some(Seq(250))), (1_000_251, None)] {
        let fixture = without("= 0", &sample_log(9, 300)).await;
        let change = format!("UPDATE sessions SET last_seq = {end}, last_check = -{end}");
        fixture.raw().execute_batch(&change).unwrap();
        let fixture = with_trees_lost(fixture, &["log", "sqlite_autoindex_log_1", "log_by_kind"]).await;
        let page = page(&fixture, 0, Part::All).await;
        assert_eq!((page.records.len(), page.next), (0, next), "{end}");
        let rest = if next.is_none() { vec![(251, end)] } else { Vec::new() };
        assert_eq!(lost(&page), [one_by_one(1..=250), rest].concat(), "{end}");
    }
}
