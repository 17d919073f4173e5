//! What an earlier ledger knew of a file is added to what is known now.

use super::FileNote;

fn note(created: bool, edits: u64) -> FileNote {
    FileNote { created, edits, reads: 1, added: 2, removed: 1, ..FileNote::new("a.rs".to_owned()) }
}

#[test]
fn a_file_stays_created_and_its_counts_are_added() {
    for (now, earlier, created) in
        [(false, false, false), (true, false, true), (false, true, true), (true, true, true)]
    {
        let mut sum = note(now, 2);
        sum.add(note(earlier, 3));
        assert_eq!((sum.created, sum.edits, sum.reads, sum.added, sum.removed), (created, 5, 2, 4, 2));
    }
}

#[test]
fn the_earlier_place_wins() {
    let mut sum = FileNote { place: Some("now".to_owned()), ..note(false, 0) };
    sum.add(note(false, 0));
    assert_eq!(sum.place.as_deref(), Some("now"));
    sum.add(FileNote { place: Some("before".to_owned()), ..note(false, 0) });
    assert_eq!(sum.place.as_deref(), Some("before"));
}
