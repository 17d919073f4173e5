//! Tests of what is kept of a stream.

use proptest::prelude::{any, prop, proptest};

use super::{Capture, Spool};

fn captured(part: usize, chunks: &[&[u8]]) -> String {
    let mut capture = Capture::with_part(part, Spool::new());
    for chunk in chunks {
        capture.push(chunk);
    }
    String::from_utf8(capture.finish()).unwrap()
}

/// What comes before the place of the file, which is new each time.
fn before_place(text: &str) -> (&str, &str) {
    let (start, rest) = text.split_once("; ").unwrap();
    (start, rest.split_once(" ...]\n").unwrap().1)
}

#[test]
fn a_short_stream_is_kept_whole() {
    assert_eq!(captured(4, &[b"ab", b"cd", b"efgh"]), "abcdefgh");
}

#[test]
fn of_a_long_stream_both_ends_are_kept() {
    for chunks in [vec![b"abcdefghijkl".as_slice()], vec![b"abcdef", b"g", b"hijkl"]] {
        let text = captured(4, &chunks);
        assert_eq!(before_place(&text), ("abcd\n[... 4 bytes left out", "ijkl"), "{text}");
    }
}

#[test]
fn all_of_a_long_stream_is_in_a_file_that_goes_with_the_spool() {
    let spool = Spool::new();
    let mut capture = Capture::with_part(2, spool.clone());
    for chunk in [b"abc", b"def", b"ghi"] {
        capture.push(chunk);
    }
    let text = String::from_utf8(capture.take()).unwrap();
    let path = text.split_once("; all of it is in ").unwrap().1.split_once(" ...]").unwrap().0.to_owned();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "abcdefghi");
    let mode = |path: &std::path::Path| {
        std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path).unwrap().permissions()) & 0o777
    };
    let path = std::path::Path::new(&path);
    assert_eq!((mode(path), mode(path.parent().unwrap())), (0o600, 0o700));
    capture.push(b"xy");
    assert_eq!(capture.finish(), b"xy", "it began anew");
    drop(spool);
    assert!(!path.exists());
}

#[test]
fn a_file_has_a_bound_and_all_together_have_one() {
    let folder = tempfile::TempDir::new().unwrap();
    let spool = Spool::bounded(Some(folder.path().join("new")), 10, 12);
    let mut kept = Vec::new();
    for _ in 0..3 {
        let mut capture = Capture::with_part(2, spool.clone());
        (0..8).for_each(|_| capture.push(b"abc"));
        let text = String::from_utf8(capture.finish()).unwrap();
        kept.push(text.split_once("; the first ").unwrap().1.split_once(" bytes").unwrap().0.to_owned());
    }
    assert_eq!(kept, ["10", "2", "0"]);
    assert_eq!(std::fs::read_dir(folder.path().join("new")).unwrap().count(), 3, "a given folder stays");
}

#[test]
fn where_nothing_can_be_kept_it_says_so() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut capture = Capture::with_part(1, Spool::bounded(Some(file.path().to_owned()), 1, 1));
    capture.push(b"abc");
    let text = String::from_utf8(capture.finish()).unwrap();
    assert!(text.starts_with("a\n[... 1 bytes left out; they could not be kept: "), "{text}");
}

proptest! {
    #[test]
    fn how_it_comes_makes_no_difference(bytes in prop::collection::vec(any::<u8>(), 0..60), at in 0usize..60) {
        // Without a place for files the text is the same each time.
        let spool = || Spool::bounded(Some("/dev/null".into()), 1, 1);
        let (mut one, mut two) = (Capture::with_part(7, spool()), Capture::with_part(7, spool()));
        one.push(&bytes);
        let (a, b) = bytes.split_at(at.min(bytes.len()));
        two.push(a);
        two.push(b);
        let (one, two) = (one.finish(), two.finish());
        assert_eq!(one, two);
        if bytes.len() <= 14 {
            assert_eq!(one, bytes);
        }
    }
}
