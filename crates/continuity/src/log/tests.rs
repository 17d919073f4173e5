//! What a page of a log knows of its end.

use throughline_conversation::Seq;
use throughline_testkit::records;

use super::{LogPage, Unreadable};

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
