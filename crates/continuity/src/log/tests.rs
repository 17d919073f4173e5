//! What a page of a log knows of its end.

use throughline_conversation::Seq;
use throughline_testkit::records;

use super::{LogPage, Unreadable, merged};

#[test]
fn a_page_ends_with_its_newest_record_readable_or_not() {
    let log = records("user: one\nassistant: first\n");
    let end = log.last().unwrap().seq;
    let whole = LogPage::whole(log.clone());
    assert_eq!((whole.records.len(), whole.unreadable.len(), whole.next), (log.len(), 0, None));
    assert_eq!(whole.last(), end);
    let lost = |seq| vec![Unreadable::one(seq, "damaged")];
    assert_eq!(LogPage { unreadable: lost(end.next()), ..whole.clone() }.last(), end.next());
    assert_eq!(LogPage { unreadable: lost(log[0].seq), ..whole }.last(), end);
    assert_eq!(LogPage::default().last(), Seq(0));
}

#[test]
fn places_that_meet_are_one_when_they_are_lost_for_the_same_reason() {
    let all = |first, last, why: &str| Unreadable::all(Seq(first), Seq(last), why);
    let lost =
        vec![all(7, 8, "a"), all(1, 2, "a"), all(3, 3, "a"), all(2, 2, "a"), all(4, 4, "b"), all(5, 5, "a")];
    assert_eq!(
        merged(lost),
        [all(1, 3, "a"), all(4, 4, "b"), all(5, 5, "a"), all(7, 8, "a")],
        "6 is not lost, and 4 is lost for another reason"
    );
    let [one, several] = [all(4, 4, "a").to_string(), all(4, 5, "a").to_string()];
    assert_eq!((one.as_str(), several.as_str()), ("record 4 is lost: a", "records 4 to 5 are lost: a"));
}
