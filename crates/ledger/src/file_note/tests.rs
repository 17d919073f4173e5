//! What an earlier ledger knew of a file is added to what is known now.

use super::{FileNote, Newest};

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

#[test]
fn the_line_of_a_change_says_nothing_of_reads() {
    let newest = Some(Newest::Shown("c1".to_owned()));
    let place = Some("lines 3-5".to_owned());
    let line = |note: FileNote| FileNote { newest: newest.clone(), ..note }.change_line();
    assert_eq!(line(note(false, 0)), None, "it was only read");
    let created = FileNote { place, ..note(true, 2) };
    assert_eq!(line(created).as_deref(), Some("a.rs: created, edited 2× (+2 -1); last at lines 3-5"));
    let deleted = FileNote { deleted: true, added: 0, ..note(false, 0) };
    assert_eq!(line(deleted).as_deref(), Some("a.rs: deleted"));
    let grown = FileNote { removed: 0, ..note(false, 1) };
    assert_eq!(line(grown).as_deref(), Some("a.rs: edited 1× (+2)"));
    let shrunk = FileNote { added: 0, ..note(false, 1) };
    assert_eq!(line(shrunk).as_deref(), Some("a.rs: edited 1× (-1)"));
    let same = FileNote { added: 0, removed: 0, ..note(true, 0) };
    assert_eq!(line(same).as_deref(), Some("a.rs: created"));
}
